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

/** Writes a payload once. */
final class Upload {
    /** The size of a write: the JDK copies a whole heap buffer, even if the socket accepts only a part. */
    private static final int SLICE = 64 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Iterator<ByteBuffer> pieces;
    private final long size;
    private ByteBuffer piece = NOTHING;
    private volatile long left;

    Upload(Payload payload) {
        this.pieces = payload.size() == 0
                ? Collections.emptyIterator()
                : payload.pieces().iterator();
        this.size = payload.size();
        this.left = size;
    }

    /** Returns the core's description of the body; null without a body. */
    @Nullable
    EntityDetails details() {
        return size == 0 ? null : new BasicEntityDetails(size, null);
    }

    int available() {
        return (int) Math.min(left, Integer.MAX_VALUE);
    }

    /** Writes as much as the connection accepts. */
    void write(DataStreamChannel channel) throws IOException {
        if (left == 0) {
            return;
        }
        while (advance()) {
            int n = Math.min(SLICE, piece.remaining());
            int written = channel.write(piece.slice(piece.position(), n));
            piece.position(piece.position() + written);
            left -= written;
            if (written < n) {
                return;
            }
        }
        channel.endStream();
    }

    /** Moves to the next piece with remaining bytes, if there is one. */
    private boolean advance() {
        while (!piece.hasRemaining() && pieces.hasNext()) {
            piece = pieces.next();
        }
        return piece.hasRemaining();
    }
}
