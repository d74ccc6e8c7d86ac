package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** A file of one region of an array. Creating it checks that the format can hold the region. Immutable. */
interface ArrayFile {
    /** Writes the file. */
    void write(Slices slices, OutputStream out) throws IOException;

    /** Reads the region in C order and reports progress. */
    interface Slices {
        void read(Slabs.Sink sink) throws IOException;
    }

    /**
     * Creates the file of a region.
     *
     * @param tiff the layout of a TIFF file; empty to choose it by the size of the image
     * @throws IllegalArgumentException if the format cannot hold the region's shape
     * @throws dev.shardkit.spi.error.UnsupportedException if the format cannot hold the elements
     */
    static ArrayFile create(FileFormat format, ZarrArray array, Box region, Optional<TiffLayout> tiff) {
        return switch (format) {
            case NPY -> NpyFile.create(array, region);
            case CSV -> CsvFile.create(array, region);
            case PNG -> PngFile.create(array, region);
            case TIFF -> TiffFile.create(array, region, tiff);
            case NPZ -> throw new IllegalArgumentException("an npz file holds several arrays");
        };
    }

    /** Returns the end of a message about a region with too many dimensions: an example of a plane. */
    static String planeHint(long[] shape) {
        return shape.length < 3 ? "" : "; choose a plane, such as the region " + "0,".repeat(shape.length - 2) + ":,:";
    }
}
