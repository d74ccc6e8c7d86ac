package dev.shardkit.store;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * The value to be stored: written out once, piece by piece, so that it need not be in memory at once. Used by one
 * thread.
 */
public interface Content {
    /** How many bytes. */
    long size();

    /** Writes all of it. */
    void writeTo(WritableByteChannel out) throws IOException;

    /** The whole of an object, which stays open as long as the content is used. */
    static Content of(Snapshot object) {
        return new Content() {
            @Override
            public long size() {
                return object.size();
            }

            @Override
            public void writeTo(WritableByteChannel out) throws IOException {
                object.transferTo(0, object.size(), out);
            }
        };
    }
}
