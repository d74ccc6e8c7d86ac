package dev.shardkit.store.channel;

import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects written bytes in memory. Memory grows with the bytes that arrive: for an announced size, at most 64 MiB more
 * are allocated ahead.
 */
public final class ByteCollector implements WritableByteChannel {
    private static final int LARGEST_PIECE = 64 << 20;
    private static final int SMALLEST_PIECE = 1 << 10;

    private final List<Bytes> fullBuffers = new ArrayList<>();
    private final long announced;
    private byte[] buffer = new byte[0];
    private int filled;
    private long size;

    /** Creates a collector that expects {@code announced} bytes; it accepts more or fewer, too. */
    public ByteCollector(long announced) {
        this.announced = announced;
    }

    @Override
    public int write(ByteBuffer source) {
        int count = source.remaining();
        while (source.hasRemaining()) {
            if (filled == buffer.length) {
                startBuffer(source.remaining());
            }
            int piece = Math.min(source.remaining(), buffer.length - filled);
            source.get(buffer, filled, piece);
            filled += piece;
            size += piece;
        }
        return count;
    }

    /** Replaces the full buffer by a new one, if possible for {@code atLeast} bytes. */
    private void startBuffer(int atLeast) {
        fullBuffers.add(Bytes.of(buffer, 0, filled));
        long expected = announced - size;
        buffer = new byte[(int) Math.min(LARGEST_PIECE, Math.max(expected, Math.max(SMALLEST_PIECE, atLeast)))];
        filled = 0;
    }

    /** Returns the bytes so far. */
    public Bytes bytes() {
        List<Bytes> buffers = new ArrayList<>(fullBuffers);
        buffers.add(Bytes.of(buffer, 0, filled));
        return Bytes.concat(buffers);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
