package dev.shardkit.files;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.awt.Rectangle;
import java.awt.image.ComponentSampleModel;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.IIOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadWarningListener;
import javax.imageio.plugins.tiff.BaselineTIFFTagSet;
import javax.imageio.plugins.tiff.TIFFDirectory;
import javax.imageio.plugins.tiff.TIFFField;
import javax.imageio.plugins.tiff.TIFFTag;
import javax.imageio.stream.FileImageInputStream;
import org.jspecify.annotations.Nullable;

/** The images of one PNG or TIFF file, read by the JDK. Not thread-safe. */
final class Images implements AutoCloseable {
    private static final int BIG_TIFF = 43;
    private static final int BITS_PER_BYTE = 8;
    private static final int SIGNED = 2;
    private static final int FLOATING = 3;

    private final Path path;
    private final FileImageInputStream in;
    private final ImageReader reader;
    private final boolean isTiff;
    private @Nullable String warning;

    /**
     * The size and type of an image.
     *
     * @param width in pixels
     * @param height in pixels
     * @param samples the number of samples of a pixel
     * @param dataType the data type of a sample
     * @param sampleBytes the size of a sample
     */
    record Kind(int width, int height, int samples, String dataType, int sampleBytes) {
        /** Returns the size of a row in bytes. */
        long rowBytes() {
            return (long) width * samples * sampleBytes;
        }
    }

    private Images(Path path, FileImageInputStream in, ImageReader reader, boolean isTiff) {
        this.path = path;
        this.in = in;
        this.reader = reader;
        this.isTiff = isTiff;
        IIOReadWarningListener listener = (source, text) -> warning = text;
        reader.addIIOReadWarningListener(listener);
        reader.setInput(in, false, !isTiff);
    }

    /** Opens a file; its name says which format it has. */
    static Images open(Path path) throws IOException {
        String name = path.toString().toLowerCase(Locale.ROOT);
        boolean isTiff = name.endsWith(".tif") || name.endsWith(".tiff");
        if (!isTiff && !name.endsWith(".png")) {
            throw new UnsupportedException(path + ": expected a file that ends in .png, .tif or .tiff");
        }
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(isTiff ? "tiff" : "png");
        FileImageInputStream in = new FileImageInputStream(path.toFile());
        if (isTiff && isBig(in)) {
            in.close();
            throw new UnsupportedException(path + ": BigTIFF cannot be imported; write a document of references to it "
                    + "(shardkit references) and copy the array that it describes, or convert it to TIFF first");
        }
        return new Images(path, in, readers.next(), isTiff);
    }

    /** The JDK's reader takes BigTIFF for a damaged file. */
    private static boolean isBig(FileImageInputStream in) throws IOException {
        byte[] start = new byte[4];
        int n = in.read(start);
        in.seek(0);
        return n == start.length
                && (start[0] == 'I' && start[2] == BIG_TIFF || start[0] == 'M' && start[3] == BIG_TIFF);
    }

    /** A call of the JDK's reader. */
    private interface Call<T> {
        T run() throws IOException;
    }

    /** The JDK's readers throw all kinds of exceptions for broken files, and go on with a warning after some faults. */
    private <T> T guarded(Call<T> call) throws IOException {
        warning = null;
        T result;
        try {
            result = call.run();
        } catch (IIOException | EOFException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw broken(e.getMessage(), e);
        } catch (ArithmeticException | NegativeArraySizeException | NullPointerException | ClassCastException e) {
            throw broken(null, e);
        } catch (IllegalStateException | UnsupportedOperationException e) {
            throw broken(null, e);
        }
        if (warning != null) {
            throw broken(warning, null);
        }
        return result;
    }

    private CorruptDataException broken(@Nullable String why, @Nullable Exception cause) {
        String text = path + ": expected a valid " + (isTiff ? "TIFF" : "PNG") + " image that the JDK can read"
                + (why == null ? "" : ": " + why)
                + (isTiff ? "; shardkit references reads more kinds of TIFF files" : "");
        return cause == null ? new CorruptDataException(text) : new CorruptDataException(text, cause);
    }

    /** Returns the number of images. */
    int count() throws IOException {
        return isTiff ? guarded(() -> reader.getNumImages(true)) : 1;
    }

    /** Returns the size and type of an image. Reads no pixel. */
    Kind kind(int image) throws IOException {
        int width = guarded(() -> reader.getWidth(image));
        int height = guarded(() -> reader.getHeight(image));
        if (width < 1 || height < 1) {
            throw broken("expected at least one pixel, found " + width + " x " + height, null);
        }
        if (isTiff) {
            return tiff(image, width, height);
        }
        var types = guarded(() -> reader.getRawImageType(image));
        var model = types.getSampleModel();
        if (!(model instanceof ComponentSampleModel) || types.getColorModel() instanceof IndexColorModel) {
            throw new UnsupportedException(
                    path + ": a palette, or samples of fewer than 8 bits; convert it to gray or RGB first");
        }
        int bits = model.getSampleSize(0);
        return new Kind(width, height, model.getNumBands(), "uint" + bits, bits / BITS_PER_BYTE);
    }

    private Kind tiff(int image, int width, int height) throws IOException {
        TIFFDirectory directory = guarded(() -> TIFFDirectory.createFromMetadata(reader.getImageMetadata(image)));
        int samples = number(directory, BaselineTIFFTagSet.TAG_SAMPLES_PER_PIXEL, 1);
        int bits = number(directory, BaselineTIFFTagSet.TAG_BITS_PER_SAMPLE, 1);
        int format = number(directory, BaselineTIFFTagSet.TAG_SAMPLE_FORMAT, 1);
        int meaning = number(directory, BaselineTIFFTagSet.TAG_PHOTOMETRIC_INTERPRETATION, 1);
        String type = (format == FLOATING ? "float" : format == SIGNED ? "int" : "uint") + bits;
        boolean isKnown = format == FLOATING
                ? bits == 32 || bits == 64
                : (format == 1 || format == SIGNED) && (bits == 8 || bits == 16 || bits == 32);
        if (!isKnown || meaning != 1 && meaning != 2) {
            throw new UnsupportedException(path + ": expected gray or RGB samples of integers of 8, 16 or 32 bits or "
                    + "floating-point numbers of 32 or 64, found sample format " + format + " of " + bits
                    + " bits, photometric interpretation " + meaning);
        }
        for (TIFFField field : directory.getTIFFFields()) {
            if (field.getTagNumber() == BaselineTIFFTagSet.TAG_BITS_PER_SAMPLE
                    && Arrays.stream(field.getAsInts()).anyMatch(n -> n != bits)) {
                throw new UnsupportedException(path + ": samples of different sizes");
            }
        }
        checkPieces(directory, width, height, samples * (long) bits / BITS_PER_BYTE);
        return new Kind(width, height, samples, type, bits / BITS_PER_BYTE);
    }

    /** The JDK's reader decodes whole strips and tiles, whatever size they claim. */
    private void checkPieces(TIFFDirectory directory, int width, int height, long pixelBytes) {
        long rows = number(directory, BaselineTIFFTagSet.TAG_ROWS_PER_STRIP, height);
        long piece = Math.min(rows < 1 ? height : rows, height) * width;
        if (directory.getTIFFField(BaselineTIFFTagSet.TAG_TILE_WIDTH) != null) {
            piece = (long) number(directory, BaselineTIFFTagSet.TAG_TILE_WIDTH, 0)
                    * number(directory, BaselineTIFFTagSet.TAG_TILE_LENGTH, 0);
        }
        long most = Runtime.getRuntime().maxMemory() / 8;
        if (piece < 1 || piece > most / pixelBytes) {
            throw new UnsupportedException(path + ": a strip or tile of " + piece + " pixels of " + pixelBytes
                    + " bytes; the limit is an eighth of the heap, " + most + " bytes");
        }
    }

    /** Returns the description of the first image; "" if there is none. */
    String description() throws IOException {
        if (!isTiff) {
            return "";
        }
        TIFFDirectory directory = guarded(() -> TIFFDirectory.createFromMetadata(reader.getImageMetadata(0)));
        TIFFField field = directory.getTIFFField(BaselineTIFFTagSet.TAG_IMAGE_DESCRIPTION);
        return field == null || field.getType() != TIFFTag.TIFF_ASCII || field.getCount() < 1
                ? ""
                : field.getAsString(0);
    }

    private static int number(TIFFDirectory directory, int tag, int otherwise) {
        TIFFField field = directory.getTIFFField(tag);
        return field == null || field.getCount() < 1 ? otherwise : field.getAsInt(0);
    }

    /** Returns rows of an image as a Java array, samples of a pixel side by side. */
    Object rows(int image, Kind kind, int from, int count) throws IOException {
        ImageReadParam part = reader.getDefaultReadParam();
        part.setSourceRegion(new Rectangle(0, from, kind.width(), count));
        Raster raster = guarded(() -> reader.read(image, part).getRaster());
        if (raster.getNumBands() != kind.samples()
                || raster.getWidth() != kind.width()
                || raster.getHeight() != count) {
            throw broken("its samples have an unknown layout", null);
        }
        return raster.getDataElements(raster.getMinX(), raster.getMinY(), kind.width(), count, null);
    }

    @Override
    public void close() throws IOException {
        reader.dispose();
        in.close();
    }
}
