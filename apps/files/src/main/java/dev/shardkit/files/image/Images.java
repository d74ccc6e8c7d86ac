package dev.shardkit.files.image;

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

/** Reads the images of one PNG or TIFF file with the JDK's image readers, for imports. Not thread-safe. */
public final class Images implements AutoCloseable {
    /** The version number in the header of BigTIFF, the form of TIFF for large files. */
    private static final int BIG_TIFF = 43;

    private static final int BITS_PER_BYTE = 8;
    // Values of the field SampleFormat. The default is 1, unsigned integers.
    private static final int SIGNED = 2;

    private static final int FLOATING = 3;

    private final Path path;
    private final FileImageInputStream stream;
    private final ImageReader reader;
    private final boolean isTiff;
    /** The last warning of the JDK's reader in the current call; null if there was none. */
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
    public record ImageType(int width, int height, int samples, String dataType, int sampleBytes) {
        /** Returns the size of a row in bytes. */
        public long rowBytes() {
            return (long) width * samples * sampleBytes;
        }
    }

    private Images(Path path, FileImageInputStream stream, ImageReader reader, boolean isTiff) {
        this.path = path;
        this.stream = stream;
        this.reader = reader;
        this.isTiff = isTiff;
        IIOReadWarningListener listener = (source, text) -> warning = text;
        reader.addIIOReadWarningListener(listener);
        boolean seeksForwardOnly = false;
        boolean ignoresMetadata = !isTiff; // the metadata of PNG files are not used
        reader.setInput(stream, seeksForwardOnly, ignoresMetadata);
    }

    /** Opens a file. Its extension determines the format. */
    public static Images open(Path path) throws IOException {
        String name = path.toString().toLowerCase(Locale.ROOT);
        boolean isTiff = name.endsWith(".tif") || name.endsWith(".tiff");
        if (!isTiff && !name.endsWith(".png")) {
            throw new UnsupportedException(path + ": expected a file that ends in .png, .tif or .tiff");
        }
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(isTiff ? "tiff" : "png");
        FileImageInputStream stream = new FileImageInputStream(path.toFile());
        try {
            if (isTiff && isBigTiff(stream)) {
                throw new UnsupportedException(
                        path + ": BigTIFF cannot be imported; write a document of references to it (shardkit"
                                + " references) and copy the array that it describes, or convert it to TIFF first");
            }
            return new Images(path, stream, readers.next(), isTiff);
        } catch (Throwable e) { // close the file, which nobody else can
            stream.close();
            throw e;
        }
    }

    /** Returns whether a file is BigTIFF, which the JDK's reader would report as damaged. */
    private static boolean isBigTiff(FileImageInputStream stream) throws IOException {
        byte[] start = new byte[4]; // the byte order, II or MM, and the version number in that order
        int bytesRead = stream.read(start);
        stream.seek(0);
        return bytesRead == start.length
                && (start[0] == 'I' && start[2] == BIG_TIFF || start[0] == 'M' && start[3] == BIG_TIFF);
    }

    /** A call of the JDK's reader. */
    private interface Call<T> {
        T run() throws IOException;
    }

    /**
     * Calls the JDK's reader. For damaged files, it throws exceptions of many types, or only warns. All of them become
     * a {@link CorruptDataException}.
     */
    private <T> T callReader(Call<T> call) throws IOException {
        warning = null;
        T result;
        try {
            result = call.run();
        } catch (IIOException | EOFException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw corrupt(e.getMessage(), e);
        } catch (ArithmeticException
                | NegativeArraySizeException
                | NullPointerException
                | ClassCastException
                | IllegalStateException
                | UnsupportedOperationException e) {
            throw corrupt(null, e);
        }
        if (warning != null) {
            throw corrupt(warning, null);
        }
        return result;
    }

    private CorruptDataException corrupt(@Nullable String reason, @Nullable Exception cause) {
        String text = path + ": expected a valid " + (isTiff ? "TIFF" : "PNG") + " image that the JDK can read"
                + (reason == null ? "" : ": " + reason)
                + (isTiff ? "; shardkit references reads more kinds of TIFF files" : "");
        return cause == null ? new CorruptDataException(text) : new CorruptDataException(text, cause);
    }

    /** Returns the number of images. */
    public int count() throws IOException {
        boolean searches = true; // the number is not in the header: the reader follows the directories
        return isTiff ? callReader(() -> reader.getNumImages(searches)) : 1;
    }

    /** Returns the size and type of an image. Reads no pixels. */
    public ImageType readType(int image) throws IOException {
        int width = callReader(() -> reader.getWidth(image));
        int height = callReader(() -> reader.getHeight(image));
        if (width < 1 || height < 1) {
            throw corrupt("expected at least one pixel, found " + width + " x " + height, null);
        }
        if (isTiff) {
            return readTiffType(image, width, height);
        }
        var types = callReader(() -> reader.getRawImageType(image));
        var model = types.getSampleModel();
        if (!(model instanceof ComponentSampleModel) || types.getColorModel() instanceof IndexColorModel) {
            throw new UnsupportedException(
                    path + ": a palette, or samples of fewer than 8 bits; convert it to gray or RGB first");
        }
        int bits = model.getSampleSize(0);
        return new ImageType(width, height, model.getNumBands(), "uint" + bits, bits / BITS_PER_BYTE);
    }

    private ImageType readTiffType(int image, int width, int height) throws IOException {
        TIFFDirectory directory = callReader(() -> TIFFDirectory.createFromMetadata(reader.getImageMetadata(image)));
        int samples = intTag(directory, BaselineTIFFTagSet.TAG_SAMPLES_PER_PIXEL, 1);
        int bits = intTag(directory, BaselineTIFFTagSet.TAG_BITS_PER_SAMPLE, 1);
        int format = intTag(directory, BaselineTIFFTagSet.TAG_SAMPLE_FORMAT, 1);
        int photometric = intTag(directory, BaselineTIFFTagSet.TAG_PHOTOMETRIC_INTERPRETATION, 1);
        String type = (format == FLOATING ? "float" : format == SIGNED ? "int" : "uint") + bits;
        boolean isKnown = format == FLOATING
                ? bits == 32 || bits == 64
                : (format == 1 || format == SIGNED) && (bits == 8 || bits == 16 || bits == 32);
        // the photometric interpretation 1 means gray with black as zero, 2 means RGB
        if (!isKnown || photometric != 1 && photometric != 2) {
            throw new UnsupportedException(path + ": expected gray or RGB samples of integers of 8, 16 or 32 bits or "
                    + "floating-point numbers of 32 or 64, found sample format " + format + " of " + bits
                    + " bits, photometric interpretation " + photometric);
        }
        for (TIFFField field : directory.getTIFFFields()) {
            if (field.getTagNumber() == BaselineTIFFTagSet.TAG_BITS_PER_SAMPLE
                    && Arrays.stream(field.getAsInts()).anyMatch(sampleBits -> sampleBits != bits)) {
                throw new UnsupportedException(path + ": samples of different sizes");
            }
        }
        requireSmallPieces(directory, width, height, samples * (long) bits / BITS_PER_BYTE);
        return new ImageType(width, height, samples, type, bits / BITS_PER_BYTE);
    }

    /** Throws if strips or tiles are larger than an eighth of the heap: the JDK's reader decodes them as a whole. */
    private void requireSmallPieces(TIFFDirectory directory, int width, int height, long pixelBytes) {
        long rowsPerStrip = intTag(directory, BaselineTIFFTagSet.TAG_ROWS_PER_STRIP, height);
        // TIFF's default of rows per strip, 2^32 - 1, is negative as an int. It means a single strip.
        long piecePixels = Math.min(rowsPerStrip < 1 ? height : rowsPerStrip, height) * width;
        if (directory.getTIFFField(BaselineTIFFTagSet.TAG_TILE_WIDTH) != null) {
            piecePixels = (long) intTag(directory, BaselineTIFFTagSet.TAG_TILE_WIDTH, 0)
                    * intTag(directory, BaselineTIFFTagSet.TAG_TILE_LENGTH, 0);
        }
        long maxBytes = Runtime.getRuntime().maxMemory() / 8;
        if (piecePixels < 1 || piecePixels > maxBytes / pixelBytes) {
            throw new UnsupportedException(path + ": a strip or tile of " + piecePixels + " pixels of " + pixelBytes
                    + " bytes; the limit is an eighth of the heap, " + maxBytes + " bytes");
        }
    }

    /** Returns the description of the first image; empty if there is none. */
    public String description() throws IOException {
        if (!isTiff) {
            return "";
        }
        TIFFDirectory directory = callReader(() -> TIFFDirectory.createFromMetadata(reader.getImageMetadata(0)));
        TIFFField field = directory.getTIFFField(BaselineTIFFTagSet.TAG_IMAGE_DESCRIPTION);
        return field == null || field.getType() != TIFFTag.TIFF_ASCII || field.getCount() < 1
                ? ""
                : field.getAsString(0);
    }

    private static int intTag(TIFFDirectory directory, int tag, int defaultValue) {
        TIFFField field = directory.getTIFFField(tag);
        return field == null || field.getCount() < 1 ? defaultValue : field.getAsInt(0);
    }

    /** Returns rows of an image as a Java array. Samples of a pixel are adjacent. */
    Object readRows(int image, ImageType type, int firstRow, int count) throws IOException {
        ImageReadParam parameters = reader.getDefaultReadParam();
        parameters.setSourceRegion(new Rectangle(0, firstRow, type.width(), count));
        Raster raster = callReader(() -> reader.read(image, parameters).getRaster());
        if (raster.getNumBands() != type.samples()
                || raster.getWidth() != type.width()
                || raster.getHeight() != count) {
            throw corrupt("its samples have an unknown layout", null);
        }
        return raster.getDataElements(raster.getMinX(), raster.getMinY(), type.width(), count, null);
    }

    @Override
    public void close() throws IOException {
        reader.dispose();
        stream.close();
    }
}
