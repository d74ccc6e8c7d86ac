package dev.shardkit.javaarray;

import dev.shardkit.spi.array.Carrier;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Copies rows of words between a buffer and a Java array, short rows through a window: a small Java array with the
 * words of several rows. A bulk copy out of a buffer costs about 20 ns before its first word, and swapping bytes in
 * short rows costs much more. With a window, many rows share one bulk copy, and each row needs only an array copy. Used
 * by one thread, for one walk over rows.
 */
abstract class WindowedRowCopy {
    private static final int WINDOW_BYTES = 2 << 10;

    /** The Java array of the copy. */
    final Object array;

    final WordBuffer wordBuffer;
    /** The number of words in the buffer. */
    final int limit;
    /** The number of words in the window; 0 if it is not used, because bytes need no swapping. */
    final int size;
    /** The window; until its first use, {@link #array}. */
    Object window;
    /** The window of blocks; until its first use, {@link #array}. */
    private Object blockWindow;

    /** Holds a window between walks, for reuse. */
    private final AtomicReference<Object> idleWindow;
    /** The begin of the window's words in the buffer. */
    int windowBegin;

    /** The end of the window's words in the buffer. */
    int windowEnd;

    private WindowedRowCopy(
            Carrier carrier, Object array, ByteBuffer words, long maxWords, AtomicReference<Object> idleWindow) {
        this.array = array;
        this.wordBuffer = WordBuffers.of(carrier, array, words);
        this.size = carrier.wordSize() == 1 ? 0 : (int) Math.min(maxWords, WINDOW_BYTES / carrier.wordSize());
        this.limit = words.limit() / carrier.wordSize();
        this.window = array;
        this.blockWindow = array;
        this.idleWindow = idleWindow;
    }

    /**
     * Copies {@code n} words, from index {@code a} with step {@code aStep} to index {@code b} with step {@code bStep}.
     */
    abstract void copy(int a, int aStep, int b, int bStep, int n);

    /**
     * Copies a block of {@code m} rows of {@code n} words through a window: a bulk copy for each column, which is
     * contiguous in the buffer, and loops over Java arrays only. The rows begin at {@code a} and {@code b}, and then
     * {@code aAcross} and {@code bAcross} words apart. Returns false unless the array is contiguous along the rows and
     * the buffer along the columns.
     */
    abstract boolean copyBlock(int a, long aStep, long aAcross, int b, long bStep, long bAcross, int n, int m);

    /** Returns a window for {@code words} words, which lasts until the next call. */
    final Object ensureBlockWindow(int words) {
        if (blockWindow == array || Array.getLength(blockWindow) < words) {
            blockWindow = takeWindow(words);
        }
        return blockWindow;
    }

    /** Completes the copy after the last row, and releases the window for the next walk. */
    void end() {
        Object usedWindow = blockWindow == array ? window : blockWindow;
        if (usedWindow != array) {
            idleWindow.set(usedWindow);
        }
    }

    final void ensureWindow() {
        if (window == array) {
            window = takeWindow(size);
        }
    }

    private Object takeWindow(int words) {
        Object idle = idleWindow.getAndSet(null);
        return idle != null && Array.getLength(idle) >= words
                ? idle
                : Array.newInstance(array.getClass().getComponentType(), words);
    }

    /**
     * Returns a copy of rows from {@code words} to {@code array}, at most {@code maxWords} words. The caller must call
     * {@link #end}.
     *
     * @param idleWindow holds a window between walks over rows of {@code array}
     */
    static WindowedRowCopy fromBuffer(
            Carrier carrier, ByteBuffer words, Object array, long maxWords, AtomicReference<Object> idleWindow) {
        return new FromBuffer(carrier, array, words, maxWords, idleWindow);
    }

    /**
     * Returns a copy of rows from {@code array} to {@code words}, at most {@code maxWords} words. The caller must call
     * {@link #end}.
     *
     * @param idleWindow holds a window between walks over rows of {@code array}
     */
    static WindowedRowCopy toBuffer(
            Carrier carrier, Object array, ByteBuffer words, long maxWords, AtomicReference<Object> idleWindow) {
        return new ToBuffer(carrier, array, words, maxWords, idleWindow);
    }

    private static final class FromBuffer extends WindowedRowCopy {
        /** The index after the last copied row. A row that begins there continues it. */
        private int expected = -1;

        FromBuffer(Carrier carrier, Object array, ByteBuffer words, long maxWords, AtomicReference<Object> idleWindow) {
            super(carrier, array, words, maxWords, idleWindow);
        }

        @Override
        void copy(int a, int aStep, int b, int bStep, int n) {
            if (aStep != 1 || bStep != 1) {
                wordBuffer.loadStrided(a, aStep, b, bStep, n);
                return;
            }
            boolean isConsecutive = a == expected;
            expected = a + n;
            if (a < windowBegin || a + n > windowEnd) {
                if (!isConsecutive || n > size / 2) {
                    wordBuffer.load(a, array, b, n);
                    return;
                }
                ensureWindow();
                windowBegin = a;
                windowEnd = Math.min(a + size, limit);
                wordBuffer.load(windowBegin, window, 0, windowEnd - windowBegin);
            }
            System.arraycopy(window, a - windowBegin, array, b, n);
        }

        @Override
        boolean copyBlock(int a, long aStep, long aAcross, int b, long bStep, long bAcross, int n, int m) {
            if (aAcross != 1 || bStep != 1) {
                return false;
            }
            Object lines = ensureBlockWindow(n * m);
            for (int i = 0; i < n; i++) {
                wordBuffer.load(a + i * (int) aStep, lines, i * m, m);
            }
            MatrixTranspose.copy(lines, 0, m, array, b, (int) bAcross, n, m);
            return true;
        }
    }

    private static final class ToBuffer extends WindowedRowCopy {
        ToBuffer(Carrier carrier, Object array, ByteBuffer words, long maxWords, AtomicReference<Object> idleWindow) {
            super(carrier, array, words, maxWords, idleWindow);
        }

        @Override
        void copy(int a, int aStep, int b, int bStep, int n) {
            if (aStep != 1 || bStep != 1) {
                wordBuffer.storeStrided(a, aStep, b, bStep, n);
            } else if (n > size / 2) {
                wordBuffer.store(array, a, b, n);
            } else {
                if (b != windowEnd || windowEnd + n - windowBegin > size) {
                    store();
                    windowBegin = b;
                    windowEnd = b;
                }
                ensureWindow();
                System.arraycopy(array, a, window, windowEnd - windowBegin, n);
                windowEnd += n;
            }
        }

        @Override
        boolean copyBlock(int a, long aStep, long aAcross, int b, long bStep, long bAcross, int n, int m) {
            if (bAcross != 1 || aStep != 1) {
                return false;
            }
            Object lines = ensureBlockWindow(n * m);
            MatrixTranspose.copy(array, a, (int) aAcross, lines, 0, m, m, n);
            for (int i = 0; i < n; i++) {
                wordBuffer.store(lines, i * m, b + i * (int) bStep, m);
            }
            return true;
        }

        @Override
        void end() {
            store();
            super.end();
        }

        private void store() {
            wordBuffer.store(window, 0, windowBegin, windowEnd - windowBegin);
        }
    }
}
