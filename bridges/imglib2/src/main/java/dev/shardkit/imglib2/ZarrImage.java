package dev.shardkit.imglib2;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.Volatile;
import net.imglib2.img.Img;
import net.imglib2.img.cell.CellGrid;
import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.type.NativeType;
import net.imglib2.util.Intervals;

/**
 * An array as an image of ImgLib2. The image loads a cell, by default an inner chunk, when a pixel of it is accessed,
 * and keeps the cells that were used last. Nothing is read before.
 *
 * <p>ImgLib2 names the dimension first that varies fastest, so the dimensions are in reverse order: an array with the
 * dimensions t, z, y, x is an image with the dimensions x, y, z, t.
 *
 * <table>
 *   <caption>Pixel types</caption>
 *   <tr><th>data type</th><th>pixel type</th></tr>
 *   <tr><td>{@code bool}</td><td>{@code NativeBoolType}; no volatile type</td></tr>
 *   <tr><td>{@code int8} to {@code int64}</td><td>{@code ByteType}, {@code ShortType}, {@code IntType},
 *       {@code LongType}</td></tr>
 *   <tr><td>{@code uint8} to {@code uint64}</td><td>{@code UnsignedByteType}, {@code UnsignedShortType},
 *       {@code UnsignedIntType}, {@code UnsignedLongType}</td></tr>
 *   <tr><td>{@code float32}, {@code float64}</td><td>{@code FloatType}, {@code DoubleType}</td></tr>
 *   <tr><td>{@code float16}, {@code bfloat16} and smaller ones</td><td>{@code FloatType}</td></tr>
 *   <tr><td>2-bit and 4-bit integers</td><td>{@code ByteType}, {@code UnsignedByteType}</td></tr>
 * </table>
 *
 * <p>Images are for reading: changed pixels are lost when their cell is dropped. {@link #write} stores an image. An
 * image does not see writes to cells that it has loaded. Accessing a pixel throws what {@link ZarrArray#read()} throws;
 * {@link IllegalStateException} if the array is closed.
 *
 * <p>Immutable and thread-safe, as are its images; as usual in ImgLib2, each thread needs accessors and cursors of its
 * own. Closes nothing: the caller closes the array.
 */
public final class ZarrImage {
    /** The length of the longest Java array that every JVM can create. */
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final ZarrArray array;
    private final PixelType type;
    private final long cacheBytes;
    private final CellGrid grid;
    private final CellCache cells;

    private ZarrImage(ZarrArray array, PixelType type, long cacheBytes, int[] cellSize) {
        this.array = array;
        this.type = type;
        this.cacheBytes = cacheBytes;
        this.grid = new CellGrid(Axes.reversed(array.shape()), cellSize);
        int pixels = Math.toIntExact(Intervals.numElements(cellSize));
        long cellBytes =
                Math.max(1, (long) pixels * type.dataType().elementSize().orElseThrow());
        long maxCells = Math.max(1, Math.min(LONGEST_ARRAY, cacheBytes / cellBytes));
        this.cells = new CellCache(new CellLoader(array, type, grid), (int) maxCells, pixels);
    }

    /**
     * Returns the image of an array. Its cells are the inner chunks (without sharding: the chunks), and it keeps cells
     * of up to an eighth of the heap. The JVM may drop them earlier, when memory is short.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if ImgLib2 has no type for the elements
     * @throws IllegalArgumentException if the array has no dimensions, no elements, or 2^63 elements or more, which
     *     ImgLib2 cannot count
     */
    public static ZarrImage of(ZarrArray array) {
        long[] shape = array.shape();
        double count = Arrays.stream(shape).asDoubleStream().reduce(1, (a, b) -> a * b);
        if (shape.length == 0 || count < 1 || count >= 0x1p63) {
            throw new IllegalArgumentException(
                    array.location() + ": expected an array with dimensions and 1 to 2^63-1 elements, found shape "
                            + Arrays.toString(shape));
        }
        return new ZarrImage(
                array,
                PixelType.of(array.dataType(), array.location()),
                Runtime.getRuntime().maxMemory() / 8,
                chunk(shape, array.chunkShape()));
    }

    /** Returns the chunk shape in the order of ImgLib2, halved until a Java array can hold a cell. */
    private static int[] chunk(long[] shape, long[] chunk) {
        int[] size = new int[shape.length];
        for (int d = 0; d < shape.length; d++) {
            long length = Math.min(shape[shape.length - 1 - d], chunk[shape.length - 1 - d]);
            size[d] = (int) Math.min(LONGEST_ARRAY, length);
        }
        // Starts at the dimension that varies slowest.
        for (int d = size.length - 1; count(size) > LONGEST_ARRAY; d = size[d] > 1 ? d : d - 1) {
            size[d] = (size[d] + 1) / 2;
        }
        return size;
    }

    /** Returns the number of pixels of a cell; a double does not overflow. */
    private static double count(int[] size) {
        double count = 1;
        for (int length : size) {
            count *= length;
        }
        return count;
    }

    /** Returns the images of the levels of a pyramid, in the given order. */
    public static List<ZarrImage> pyramid(List<ZarrArray> levels) {
        return levels.stream().map(ZarrImage::of).toList();
    }

    /**
     * Returns an image that keeps cells of up to {@code bytes}, but at least one. It has no cell yet.
     *
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public ZarrImage withCacheBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("expected a number of bytes that is not negative, found " + bytes);
        }
        return new ZarrImage(array, type, bytes, grid.getCellDimensions());
    }

    /**
     * Returns an image with cells of another size. It has no cell yet.
     *
     * @param size one length for each dimension, in the order of ImgLib2
     * @throws IllegalArgumentException if the number of lengths is wrong, one is not positive, or a Java array cannot
     *     hold a cell
     */
    public ZarrImage withCellSize(int... size) {
        boolean positive = Arrays.stream(size).allMatch(length -> length > 0);
        if (size.length != grid.numDimensions() || !positive || count(size) > LONGEST_ARRAY) {
            throw new IllegalArgumentException("expected " + grid.numDimensions()
                    + " positive lengths of a cell of at most " + LONGEST_ARRAY + " pixels, found "
                    + Arrays.toString(size));
        }
        return new ZarrImage(array, type, cacheBytes, size.clone());
    }

    /** Returns the array. */
    public ZarrArray array() {
        return array;
    }

    /** Returns a pixel of the image's type, as in the table above. */
    public NativeType<?> type() {
        return type.plain();
    }

    /**
     * Returns the image. Accessing a pixel waits until its cell is loaded.
     *
     * @param pixel a pixel of the image's type, such as {@code new UnsignedShortType()}
     * @throws IllegalArgumentException if the pixels are of another type
     */
    public <T extends NativeType<T>> Img<T> img(T pixel) {
        type.check(Objects.requireNonNull(pixel, "pixel"), array.location());
        return new LazyCellImg<>(grid, pixel, cells::get);
    }

    /**
     * Returns an image that does not wait: a pixel whose cell is not loaded is invalid ({@link Volatile#isValid()}),
     * and its cell is loaded in the background. Shares its cells with {@link #img}.
     *
     * <p>If loading a cell fails, the next access to the cell throws the error, and the one after it tries again.
     *
     * @param pixel a pixel of the volatile type, such as {@code new VolatileUnsignedShortType()}
     * @throws IllegalArgumentException if the pixels are of another type, or have no volatile type
     */
    public <T extends Volatile<?> & NativeType<T>> Img<T> volatileImg(T pixel) {
        type.check(Objects.requireNonNull(pixel, "pixel"), array.location());
        return new LazyCellImg<>(grid, pixel, cells::peek);
    }

    /**
     * Writes an image into an array, with the reverse order of dimensions. The array takes the pixels inner chunk by
     * inner chunk and writes each shard once. So the write needs memory for some shards, however large the image is.
     * Several threads read the image at once. If the data type has other elements than the image, numbers are converted
     * exactly.
     *
     * @param image the pixels; its min may be anywhere
     * @param position where the image's min comes to lie, in the order of ImgLib2; nothing for the array's origin
     * @throws IndexOutOfBoundsException if the image reaches outside the array
     * @throws IllegalArgumentException if the numbers of dimensions differ, or the pixel type is not in the table above
     * @throws ArithmeticException if the data type does not represent a number exactly
     */
    public static <T extends NativeType<T>> void write(
            RandomAccessibleInterval<T> image, ZarrArray array, long... position) {
        int rank = array.shape().length;
        long[] at = position.length == 0 ? new long[rank] : position;
        if (image.numDimensions() != rank || at.length != rank) {
            throw new IllegalArgumentException(array.location() + ": expected an image and a position with " + rank
                    + " dimensions, found " + image.numDimensions() + " and " + at.length);
        }
        Box region = Box.of(Axes.reversed(at), Axes.reversed(image.dimensionsAsLongArray()));
        array.write(region, ImageFeed.of(image, array));
    }

    @Override
    public String toString() {
        return "image of " + array.location() + ", " + type.plain().getClass().getSimpleName() + ", cells of "
                + Arrays.toString(grid.getCellDimensions());
    }
}
