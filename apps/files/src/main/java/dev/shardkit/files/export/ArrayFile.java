package dev.shardkit.files.export;

import dev.shardkit.spi.array.Elements;
import java.io.IOException;
import java.io.OutputStream;

/**
 * An output file that contains one region of an array, in one format. Creating an instance checks that the format
 * supports the region. Immutable.
 */
public interface ArrayFile {
    /** Writes the file. */
    void write(Slices slices, OutputStream out) throws IOException;

    /** Reads the region in C order and reports progress. */
    interface Slices {
        void read(Sink sink) throws IOException;
    }

    /** Receives the elements of the region, one part after the other. */
    interface Sink {
        void accept(Elements elements) throws IOException;
    }

    /** Returns the end of a message about a region with too many dimensions: an example of a region that is a plane. */
    static String planeHint(long[] shape) {
        return shape.length < 3 ? "" : "; choose a plane, such as the region " + "0,".repeat(shape.length - 2) + ":,:";
    }
}
