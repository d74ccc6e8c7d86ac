package dev.shardkit.store.internal;

import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

/** Collects written bytes; memory grows with the bytes that arrive, not with announced sizes. */
public final class Collector implements WritableByteChannel {
    private static final int LARGEST_PIECE = 64 << 20;
    private static final int SMALLEST_PIECE = 1 << 10;

    private final List<Bytes> full = new ArrayList<>();
    private final long announced;
    private byte[] piece = new byte[0];
    private int filled;
    private long size;

    /** Expects so many bytes. */
    public Collector(long announced) {
        this.announced = announced;
    }

    @Override
    public int write(ByteBuffer from) {
        int all = from.remaining();
        while (from.hasRemaining()) {
            if (filled == piece.length) {
                next(from.remaining());
            }
            int n = Math.min(from.remaining(), piece.length - filled);
            from.get(piece, filled, n);
            filled += n;
            size += n;
        }
        return all;
    }

    private void next(int atLeast) {
        full.add(Bytes.of(piece, 0, filled));
        long left = announced - size;
        piece = new byte[(int) Math.min(LARGEST_PIECE, Math.max(left, Math.max(SMALLEST_PIECE, atLeast)))];
        filled = 0;
    }

    /** Returns the bytes so far. */
    public Bytes bytes() {
        List<Bytes> all = new ArrayList<>(full);
        all.add(Bytes.of(piece, 0, filled));
        return Bytes.concat(all);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
