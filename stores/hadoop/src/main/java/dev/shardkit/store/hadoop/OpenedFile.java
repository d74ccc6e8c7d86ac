package dev.shardkit.store.hadoop;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * One version of a file, open for reading.
 *
 * @param size the size of the file in bytes
 */
record OpenedFile(FSDataInputStream stream, String version, long size) implements AutoCloseable {
    @Override
    public void close() throws IOException {
        stream.close();
    }
}
