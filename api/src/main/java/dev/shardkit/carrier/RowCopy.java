package dev.shardkit.carrier;

import dev.shardkit.spi.array.Carrier;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;

/**
 * Copies rows of words between a buffer and a Java array. A bulk copy out of a buffer costs some 20 ns before its first
 * word (and swapping bytes in short rows much more), so short rows that follow each other in the buffer go through a
 * window: one bulk copy for many rows, and a plain array copy for each. Used by one thread, for one walk over rows.
 */
abstract class RowCopy {
    private static final int WINDOW_BYTES = 2 << 10;

    final Lane lane;
    final int limit;
    final int size;
    /** An array of its own as soon as it is needed. */
    Object window;
    /** Which words of the buffer the window holds. */
    int from;

    int to;

    private RowCopy(Carrier carrier, Object array, ByteBuffer words, long most) {
        this.lane = Lane.of(carrier, array, words);
        this.size = carrier.wordSize() == 1 ? 0 : (int) Math.min(most, WINDOW_BYTES / carrier.wordSize());
        this.limit = words.limit() / carrier.wordSize();
        this.window = array;
    }

    /** Copies {@code n} words from index {@code a} in steps to index {@code b} in steps. */
    abstract void copy(int a, int aStep, int b, int bStep, int n);

    /** The last row has been copied. */
    void end() {}

    final void ready() {
        if (window == lane.own) {
            window = Array.newInstance(lane.own.getClass().getComponentType(), size);
        }
    }

    /** Rows from {@code words} to {@code array}, at most so many words. */
    static RowCopy take(Carrier carrier, ByteBuffer words, Object array, long most) {
        return new Taking(carrier, array, words, most);
    }

    /** Rows from {@code array} to {@code words}, at most so many words; call {@link #end}. */
    static RowCopy give(Carrier carrier, Object array, ByteBuffer words, long most) {
        return new Giving(carrier, array, words, most);
    }

    private static final class Taking extends RowCopy {
        private int expected = -1;

        Taking(Carrier carrier, Object array, ByteBuffer words, long most) {
            super(carrier, array, words, most);
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
    }

    private static final class Giving extends RowCopy {
        Giving(Carrier carrier, Object array, ByteBuffer words, long most) {
            super(carrier, array, words, most);
        }

        @Override
        void copy(int a, int as, int b, int bs, int n) {
            if (as != 1 || bs != 1) {
                lane.give(a, as, b, bs, n);
            } else if (n > size / 2) {
                lane.store(lane.own, a, b, n);
            } else {
                if (b != to || to + n - from > size) {
                    end();
                    from = b;
                    to = b;
                }
                ready();
                System.arraycopy(lane.own, a, window, to - from, n);
                to += n;
            }
        }

        @Override
        void end() {
            lane.store(window, 0, from, to - from);
        }
    }
}
