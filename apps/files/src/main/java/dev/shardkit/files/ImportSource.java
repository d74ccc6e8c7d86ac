package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

/**
 * The elements of files in another format, for import into an array. The files must not change before {@code close}.
 * The size that a file claims is compared with its real size before memory is allocated.
 */
public sealed interface ImportSource extends AutoCloseable permits FixedSizeElements, ImageStack {
    /** Returns the data type of the array: a name, or an object with a configuration. */
    Json dataType();

    /** Returns the shape of the array. */
    long[] shape();

    /** Returns the names of all dimensions; an empty list if the files do not name them. */
    default List<String> dimensionNames() {
        return List.of();
    }

    /** Returns notes for the user, such as the reason for ignoring a description in a file. */
    default List<String> notes() {
        return List.of();
    }

    /**
     * Writes all elements to a region of an array.
     *
     * @param array the array, with the data type of this source
     * @param region the region, with the shape of this source
     * @throws dev.shardkit.spi.error.CorruptDataException if a file contradicts itself
     * @throws IllegalArgumentException if a raw file does not have the size that its shape and data type need
     * @throws dev.shardkit.spi.error.ZarrException if the array cannot be written
     * @throws IOException if a file cannot be read
     */
    void writeTo(ZarrArray array, Box region, Progress progress) throws IOException;

    @Override
    void close() throws IOException;

    /**
     * Opens an npy file with elements in C or Fortran order and in either byte order.
     *
     * @throws dev.shardkit.spi.error.CorruptDataException if the file is not an npy file
     * @throws dev.shardkit.spi.error.UnsupportedException if Zarr has no such data type
     * @throws IOException if the file cannot be read
     */
    static ImportSource npy(Path file) throws IOException {
        return FixedSizeElements.openNpy(file);
    }

    /**
     * Opens a file that contains only elements, in C order.
     *
     * @param file the file, whose size is exactly that of the elements; {@link #writeTo} checks it
     * @param dataType the data type, whose elements have a fixed size
     * @param shape the shape
     * @param order the byte order of the elements' words
     * @throws dev.shardkit.spi.error.CorruptDataException if the file is an npy file
     * @throws IOException if the file cannot be read
     */
    static ImportSource raw(Path file, Json dataType, long[] shape, ByteOrder order) throws IOException {
        return FixedSizeElements.openRaw(file, dataType, shape, order);
    }

    /**
     * Opens PNG or TIFF images of the same size and type. The shape of one image is {@code [height, width]}, the shape
     * of several images or pages {@code [images, height, width]}. If a pixel has several samples, such as red, green
     * and blue, they are one more dimension, the last. The order of the images is that of the list; the pages of a file
     * follow one another.
     *
     * <p>A single TIFF file may describe its pages, as ImageJ hyperstacks and OME-TIFF do. Then the shape is {@code [t,
     * c, z, height, width]}, in which {@code t}, {@code c} and {@code z} are left out if their length is 1, and
     * {@link #dimensionNames} has the names {@code t}, {@code c}, {@code z}, {@code y}, {@code x}, and {@code s} for
     * samples. A description that does not fit the pages is ignored; {@link #notes} says why.
     *
     * @throws dev.shardkit.spi.error.CorruptDataException if a file is not such an image, or the images differ
     * @throws dev.shardkit.spi.error.UnsupportedException if an image has a palette, or samples that are not bytes or
     *     numbers of two, four or eight bytes; or if ImageJ stored several images as one page
     * @throws IOException if a file cannot be read
     */
    static ImportSource images(List<Path> files) throws IOException {
        return ImageStack.open(files);
    }

    /**
     * Opens PNG or TIFF images of the same size and type, whose pages or images have given dimensions. Descriptions in
     * the files are ignored. The shape has all given dimensions, then height, width, and the samples of a pixel if
     * there are several.
     *
     * @param dimensions the dimensions of the images, the slowest first
     * @throws IllegalArgumentException if the product of the lengths is not the number of images, or if two dimensions
     *     have the same name; the names {@code y}, {@code x} and {@code s} are already in use
     * @throws dev.shardkit.spi.error.CorruptDataException as {@link #images(List)}
     * @throws dev.shardkit.spi.error.UnsupportedException as {@link #images(List)}
     * @throws IOException if a file cannot be read
     */
    static ImportSource images(List<Path> files, List<PageDimension> dimensions) throws IOException {
        return ImageStack.open(files, dimensions);
    }
}
