package dev.shardkit.neuroglancer;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.jspecify.annotations.Nullable;

/** Reads and writes images with the JDK, in memory. Stateless and thread-safe. */
final class ImageFormats {
    private static final int GRAY_ALPHA = 2;
    private static final int RGBA = 4;
    /** A gray chunk as a picture with colors and transparency: read, then refused for its channels. */
    private static final int MAX_DEPTH = 4;

    private ImageFormats() {}

    /**
     * Decodes an image, whose sides may have any length.
     *
     * @param pixels the number of pixels that it must have; others are refused before they are decoded
     * @param bits the number of bits of a pixel; images of far more are refused before they are decoded
     */
    static Raster read(ImageCodec.Kind kind, HeapBytes in, long pixels, int bits) {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(kind.label());
        if (!readers.hasNext()) {
            throw new IllegalStateException("this Java runtime has no reader of " + kind.label() + " images");
        }
        ImageReader reader = readers.next();
        try (MemoryCacheImageInputStream stream =
                new MemoryCacheImageInputStream(new ByteArrayInputStream(in.array(), in.from(), in.size()))) {
            reader.setInput(stream, true, true);
            long found = (long) reader.getWidth(0) * reader.getHeight(0);
            if (found != pixels) {
                throw new CorruptDataException(
                        kind.codec() + ": expected an image of " + pixels + " pixels, found " + found);
            }
            checkDepth(kind, reader.getRawImageType(0), bits);
            return reader.read(0).getRaster();
        } catch (CorruptDataException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // readers of the JDK throw any of them for damaged images
            throw new CorruptDataException(kind.codec() + ": expected a valid image, found one that is not: " + e, e);
        } finally {
            reader.dispose();
        }
    }

    /** The type is unknown for some images of JPEG, which never have more than 32 bits. */
    private static void checkDepth(ImageCodec.Kind kind, @Nullable ImageTypeSpecifier type, int bits) {
        int found = type == null
                ? 0
                : Arrays.stream(type.getSampleModel().getSampleSize()).sum();
        if (found > MAX_DEPTH * bits) {
            throw new CorruptDataException(
                    kind.codec() + ": expected an image of " + bits + " bits for each pixel, found " + found);
        }
    }

    /**
     * Encodes an image.
     *
     * @param pixels the samples, those of a pixel together
     * @param width the length of a row in pixels
     * @param bits the number of bits of a sample, 8 or 16
     */
    static Bytes write(ImageCodec codec, int[] pixels, int width, int channels, int bits) {
        int height = pixels.length / channels / width;
        int kind = bits == Byte.SIZE ? DataBuffer.TYPE_BYTE : DataBuffer.TYPE_USHORT;
        WritableRaster raster = Raster.createInterleavedRaster(kind, width, height, channels, null);
        raster.setPixels(0, 0, width, height, pixels);
        boolean alpha = channels == GRAY_ALPHA || channels == RGBA;
        ComponentColorModel colors = new ComponentColorModel(
                ColorSpace.getInstance(channels > GRAY_ALPHA ? ColorSpace.CS_sRGB : ColorSpace.CS_GRAY),
                alpha,
                false,
                alpha ? Transparency.TRANSLUCENT : Transparency.OPAQUE,
                kind);
        BufferedImage image = new BufferedImage(colors, raster, false, null);
        ImageWriter writer =
                ImageIO.getImageWritersByFormatName(codec.kind().label()).next();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
            writer.setOutput(stream);
            writer.write(null, new IIOImage(image, null, null), parameters(writer, codec));
        } catch (IOException e) {
            throw new UnencodableException(codec.name() + ": the image cannot be written: " + e);
        } finally {
            writer.dispose();
        }
        return Bytes.of(out.toByteArray());
    }

    private static ImageWriteParam parameters(ImageWriter writer, ImageCodec codec) {
        ImageWriteParam parameters = writer.getDefaultWriteParam();
        parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        float share = (float) codec.effort() / codec.kind().most();
        // PNG of the JDK counts the other way: 0 is the smallest file.
        parameters.setCompressionQuality(codec.kind() == ImageCodec.Kind.PNG ? 1 - share : share);
        return parameters;
    }
}
