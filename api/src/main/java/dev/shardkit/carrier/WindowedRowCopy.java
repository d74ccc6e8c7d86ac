package dev.shardkit.carrier;

import dev.shardkit.spi.array.Carrier;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Copies rows of words between a buffer and a Java array. A bulk copy out of a buffer costs about 20 ns before its
 * first word, and swapping bytes in short rows costs much more. So consecutive short rows are copied through a window,
 * a small Java array: one bulk copy for many rows, and an array copy for each row. Used by one thread, for one walk
 * over rows.
 */
abstract class WindowedRowCopy {
    private static final int WINDOW_BYTES = 2 << 10;

    final WordBuffer lane;
    final int limit;
    final int size;
    /** The window, allocated on first use. */
    Object window;
    /** The window of blocks, allocated on first use. */
    private Object block;

    private final AtomicReference<Object> idle;
    /** The position of the window in the buffer, in words. */
    int from;

    int to;

    private WindowedRowCopy(Carrier carrier, Object array, ByteBuffer words, long most, AtomicReference<Object> idle) {
        this.lane = WordBuffers.of(carrier, array, words);
        this.size = carrier.wordSize() == 1 ? 0 : (int) Math.min(most, WINDOW_BYTES / carrier.wordSize());
        this.limit = words.limit() / carrier.wordSize();
        this.window = array;
        this.block = array;
        this.idle = idle;
    }

    /**
     * Copies {@code n} words, from index {@code a} with step {@code aStep} to index {@code b} with step {@code bStep}.
     */
    abstract void copy(int a, int aStep, int b, int bStep, int n);

    /**
     * Copies {@code m} rows that begin {@code aAcross} and {@code bAcross} words apart, through a window: a bulk copy
     * for each column of the block, which is contiguous in the buffer, and loops over Java arrays only. Returns false
     * unless the array is contiguous along the rows and the buffer along the columns.
     */
    abstract boolean block(int a, long as, long aAcross, int b, long bs, long bAcross, int n, int m);

    /** Returns a window for {@code words} words, which lasts until the next call. */
    final Object block(int words) {
        if (block == lane.own || Array.getLength(block) < words) {
            block = taken(words);
        }
        return block;
    }

    /** Completes the copy after the last row, and releases the window for the next walk. */
    void end() {
        Object left = block == lane.own ? window : block;
        if (left != lane.own) {
            idle.set(left);
        }
    }

    final void ready() {
        if (window == lane.own) {
            window = taken(size);
        }
    }

    private Object taken(int words) {
        Object kept = idle.getAndSet(null);
        return kept != null && Array.getLength(kept) >= words
                ? kept
                : Array.newInstance(lane.own.getClass().getComponentType(), words);
    }

    /**
     * Returns a copy of rows from {@code words} to {@code array}, at most {@code most} words. The caller must call
     * {@link #end}.
     *
     * @param idle holds a window between walks over rows of {@code array}
     */
    static WindowedRowCopy take(
            Carrier carrier, ByteBuffer words, Object array, long most, AtomicReference<Object> idle) {
        return new Taking(carrier, array, words, most, idle);
    }

    /**
     * Returns a copy of rows from {@code array} to {@code words}, at most {@code most} words. The caller must call
     * {@link #end}.
     *
     * @param idle holds a window between walks over rows of {@code array}
     */
    static WindowedRowCopy give(
            Carrier carrier, Object array, ByteBuffer words, long most, AtomicReference<Object> idle) {
        return new Giving(carrier, array, words, most, idle);
    }

    private static final class Taking extends WindowedRowCopy {
        private int expected = -1;

        Taking(Carrier carrier, Object array, ByteBuffer words, long most, AtomicReference<Object> idle) {
            super(carrier, array, words, most, idle);
        }

        @Override
        void copy(int a, int as, int b, int bs, int n) {
            if (as != 1 || bs != 1) {
                lane.take(a, as, b, bs, n);
                return;
            }
            boolean follows = a == expected;
            expected = a + n;
            if (a < from || a + n > to) {
                if (!follows || n > size / 2) {
                    lane.load(a, lane.own, b, n);
                    return;
                }
                ready();
                from = a;
                to = Math.min(a + size, limit);
                lane.load(from, window, 0, to - from);
            }
            System.arraycopy(window, a - from, lane.own, b, n);
        }

        @Override
        boolean block(int a, long as, long aAcross, int b, long bs, long bAcross, int n, int m) {
            if (aAcross != 1 || bs != 1) {
                return false;
            }
            Object lines = block(n * m);
            for (int i = 0; i < n; i++) {
                lane.load(a + i * (int) as, lines, i * m, m);
            }
            MatrixTranspose.copy(lines, 0, m, lane.own, b, (int) bAcross, n, m);
            return true;
        }
    }

    private static final class Giving extends WindowedRowCopy {
        Giving(Carrier carrier, Object array, ByteBuffer words, long most, AtomicReference<Object> idle) {
            super(carrier, array, words, most, idle);
        }

        @Override
        void copy(int a, int as, int b, int bs, int n) {
            if (as != 1 || bs != 1) {
                lane.give(a, as, b, bs, n);
            } else if (n > size / 2) {
                lane.store(lane.own, a, b, n);
            } else {
                if (b != to || to + n - from > size) {
                    store();
                    from = b;
                    to = b;
                }
                ready();
                System.arraycopy(lane.own, a, window, to - from, n);
                to += n;
            }
        }

        @Override
        boolean block(int a, long as, long aAcross, int b, long bs, long bAcross, int n, int m) {
            if (bAcross != 1 || as != 1) {
                return false;
            }
            Object lines = block(n * m);
            MatrixTranspose.copy(lane.own, a, (int) aAcross, lines, 0, m, m, n);
            for (int i = 0; i < n; i++) {
                lane.store(lines, i * m, b + i * (int) bs, m);
            }
            return true;
        }

        @Override
        void end() {
            store();
            super.end();
        }

        private void store() {
            lane.store(window, 0, from, to - from);
        }
    }
}
