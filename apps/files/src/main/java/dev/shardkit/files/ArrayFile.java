package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** The file of one region of an array, checked before anything is written. Immutable. */
interface ArrayFile {
    /** Writes the file. */
    void write(Slices slices, OutputStream out) throws IOException;

    /** Reads the region in C order, and reports progress. */
    interface Slices {
        void read(Slabs.Sink sink) throws IOException;
    }

    /**
     * Returns the file of a region.
     *
     * @param tiff how a TIFF file stores pixels; empty for what suits the size
     * @throws IllegalArgumentException if the format cannot hold the region's shape
     * @throws dev.shardkit.spi.error.UnsupportedException if the format cannot hold the elements
     */
    static ArrayFile of(FileFormat format, ZarrArray array, Box region, Optional<TiffLayout> tiff) {
        return switch (format) {
            case NPY -> NpyFile.of(array, region);
            case CSV -> CsvFile.of(array, region);
            case PNG -> PngFile.of(array, region);
            case TIFF -> TiffFile.of(array, region, tiff);
            case NPZ -> throw new IllegalArgumentException("an npz file holds several arrays");
        };
    }

    /** Returns the end of a message about a region of too many dimensions: an example of a plane. */
    static String planeHint(long[] shape) {
        return shape.length < 3 ? "" : "; choose a plane, such as the region " + "0,".repeat(shape.length - 2) + ":,:";
    }
}
