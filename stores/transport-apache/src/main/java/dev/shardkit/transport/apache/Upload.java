package dev.shardkit.transport.apache;

import dev.shardkit.transport.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.jspecify.annotations.Nullable;

/** Writes the body of a request to its connection, once, as fast as the connection accepts it. */
final class Upload {
    /** The maximum size of a write: the JDK copies a heap buffer as a whole, even if the socket accepts only a part. */
    private static final int SLICE = 64 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Iterator<ByteBuffer> pieces;
    private final long size;
    private ByteBuffer current = NOTHING;
    private volatile long remaining;

    Upload(Payload payload) {
        this.pieces = payload.size() == 0
                ? Collections.emptyIterator()
                : payload.pieces().iterator();
        this.size = payload.size();
        this.remaining = size;
    }

    /** Returns the core's description of the body; null without a body. */
    @Nullable
    EntityDetails details() {
        return size == 0 ? null : new BasicEntityDetails(size, null);
    }

    /** Returns the number of bytes that remain to be written, at most {@link Integer#MAX_VALUE}. */
    int available() {
        return (int) Math.min(remaining, Integer.MAX_VALUE);
    }

    /** Writes as much as the connection accepts. */
    void write(DataStreamChannel channel) throws IOException {
        if (remaining == 0) {
            return;
        }
        while (advance()) {
            int offered = Math.min(SLICE, current.remaining());
            int written = channel.write(current.slice(current.position(), offered));
            current.position(current.position() + written);
            remaining -= written;
            if (written < offered) {
                return;
            }
        }
        channel.endStream();
    }

    /** Moves to the next piece with remaining bytes, if there is one. */
    private boolean advance() {
        while (!current.hasRemaining() && pieces.hasNext()) {
            current = pieces.next();
        }
        return current.hasRemaining();
    }
}
