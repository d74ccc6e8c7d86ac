package dev.shardkit.neuroglancer;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnencodableException;
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

/**
 * Reads and writes the JPEG and PNG images of {@link ImageCodec}, with the JDK and in memory. Stateless and
 * thread-safe.
 */
final class JdkImages {
    /** The numbers of channels of images with transparency. */
    private static final int GRAY_ALPHA = 2;

    private static final int RGBA = 4;
    /**
     * How many times the expected bits a pixel may have before the image is decoded. With 4, an RGBA image in place of
     * a gray one is decoded, and the caller can report the wrong number of channels.
     */
    private static final int MAX_DEPTH_FACTOR = 4;

    private JdkImages() {}

    /**
     * Decodes an image. Only the number of its pixels matters, not its width and height.
     *
     * @param pixels the required number of pixels; other images are refused before they are decoded
     * @param bits the expected number of bits of a pixel; images with many more bits are refused before they are
     *     decoded
     */
    static Raster read(ImageCodec.Kind kind, HeapBytes encoded, long pixels, int bits) {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(kind.formatName());
        if (!readers.hasNext()) {
            throw new IllegalStateException("this Java runtime has no reader of " + kind.formatName() + " images");
        }
        ImageReader reader = readers.next();
        try (MemoryCacheImageInputStream stream = new MemoryCacheImageInputStream(
                new ByteArrayInputStream(encoded.array(), encoded.from(), encoded.size()))) {
            reader.setInput(stream, true, true);
            long foundPixels = (long) reader.getWidth(0) * reader.getHeight(0);
            if (foundPixels != pixels) {
                throw new CorruptDataException(
                        kind.codecName() + ": expected an image of " + pixels + " pixels, found " + foundPixels);
            }
            requireDepth(kind, reader.getRawImageType(0), bits);
            return reader.read(0).getRaster();
        } catch (CorruptDataException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // the JDK's readers throw various exceptions for damaged images
            throw new CorruptDataException(
                    kind.codecName() + ": expected a valid image, found one that is not: " + e, e);
        } finally {
            reader.dispose();
        }
    }

    /**
     * Refuses images with many more bits than expected, before they take memory. The type of some JPEG images is
     * unknown; their pixels have at most 32 bits.
     */
    private static void requireDepth(ImageCodec.Kind kind, @Nullable ImageTypeSpecifier type, int bits) {
        int foundBits = type == null
                ? 0
                : Arrays.stream(type.getSampleModel().getSampleSize()).sum();
        if (foundBits > MAX_DEPTH_FACTOR * bits) {
            throw new CorruptDataException(
                    kind.codecName() + ": expected an image of " + bits + " bits for each pixel, found " + foundBits);
        }
    }

    /**
     * Encodes an image.
     *
     * @param samples the samples; samples of a pixel are adjacent
     * @param width the length of a row in pixels
     * @param bits the number of bits of a sample, 8 or 16
     */
    static Bytes write(ImageCodec codec, int[] samples, int width, int channels, int bits) {
        int height = samples.length / channels / width;
        int sampleType = bits == Byte.SIZE ? DataBuffer.TYPE_BYTE : DataBuffer.TYPE_USHORT;
        WritableRaster raster = Raster.createInterleavedRaster(sampleType, width, height, channels, null);
        raster.setPixels(0, 0, width, height, samples);
        boolean hasAlpha = channels == GRAY_ALPHA || channels == RGBA;
        ComponentColorModel colorModel = new ComponentColorModel(
                ColorSpace.getInstance(channels > GRAY_ALPHA ? ColorSpace.CS_sRGB : ColorSpace.CS_GRAY),
                hasAlpha,
                false,
                hasAlpha ? Transparency.TRANSLUCENT : Transparency.OPAQUE,
                sampleType);
        BufferedImage image = new BufferedImage(colorModel, raster, false, null);
        ImageWriter writer =
                ImageIO.getImageWritersByFormatName(codec.kind().formatName()).next();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(output)) {
            writer.setOutput(stream);
            writer.write(null, new IIOImage(image, null, null), writeParameters(writer, codec));
        } catch (IOException e) {
            throw new UnencodableException(codec.name() + ": the image cannot be written: " + e);
        } finally {
            writer.dispose();
        }
        return Bytes.of(output.toByteArray());
    }

    private static ImageWriteParam writeParameters(ImageWriter writer, ImageCodec codec) {
        ImageWriteParam parameters = writer.getDefaultWriteParam();
        parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        float relativeEffort = (float) codec.effort() / codec.kind().maxEffort();
        // For PNG, the JDK's scale is reversed: quality 0 is the smallest file.
        parameters.setCompressionQuality(codec.kind() == ImageCodec.Kind.PNG ? 1 - relativeEffort : relativeEffort);
        return parameters;
    }
}
