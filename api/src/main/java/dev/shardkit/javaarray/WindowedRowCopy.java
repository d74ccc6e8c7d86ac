package dev.shardkit.javaarray;

import dev.shardkit.spi.array.Carrier;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Copies rows of words (elements, or the parts of complex ones) between a buffer and a Java array. Short rows go
 * through a window: a small Java array with the words of several rows. A bulk copy out of a buffer costs about 20 ns
 * before its first word, and swapping bytes in short rows costs much more. With a window, many rows share one bulk
 * copy, and each row needs only a copy between Java arrays. Used by one thread, for one walk over rows.
 */
abstract class WindowedRowCopy {
    /** The largest size of a window. */
    private static final int WINDOW_BYTES = 2 << 10;

    /** The Java array that the words are copied to or from. */
    final Object array;

    final WordBuffer wordBuffer;
    /** The number of words in the buffer. */
    final int limit;
    /** The number of words in the window; 0 if it is not used, because bytes need no swapping. */
    final int size;
    /** The window; until its first use, {@link #array}. */
    Object window;
    /** The window for {@link #copyBlock}; until its first use, {@link #array}. */
    private Object blockWindow;

    /** Holds a window between walks, for reuse. */
    private final AtomicReference<Object> idleWindow;
    /** The position in the buffer of the window's first word. */
    int windowBegin;

    /** The position in the buffer after the window's last word. */
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
     * Copies {@code count} words, from index {@code a} with step {@code aStep} to index {@code b} with step
     * {@code bStep}.
     */
    abstract void copy(int a, int aStep, int b, int bStep, int count);

    /**
     * Copies a block of {@code rows} rows of {@code length} words, if the array is contiguous along the rows and the
     * buffer along the columns. Copies each column in bulk between the buffer and a window, and transposes the window.
     * The first row begins at {@code a} and {@code b}, each further row {@code aAcross} and {@code bAcross} words
     * later.
     *
     * @return whether the block was copied; false if the array or the buffer is not contiguous in this way
     */
    abstract boolean copyBlock(int a, long aStep, long aAcross, int b, long bStep, long bAcross, int length, int rows);

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
     * Returns an object that copies rows from {@code words} to {@code array}, at most {@code maxWords} words in total.
     * The caller must call {@link #end}.
     *
     * @param idleWindow holds a window between walks over rows of {@code array}
     */
    static WindowedRowCopy fromBuffer(
            Carrier carrier, ByteBuffer words, Object array, long maxWords, AtomicReference<Object> idleWindow) {
        return new FromBuffer(carrier, array, words, maxWords, idleWindow);
    }

    /**
     * Returns an object that copies rows from {@code array} to {@code words}, at most {@code maxWords} words in total.
     * The caller must call {@link #end}.
     *
     * @param idleWindow holds a window between walks over rows of {@code array}
     */
    static WindowedRowCopy toBuffer(
            Carrier carrier, Object array, ByteBuffer words, long maxWords, AtomicReference<Object> idleWindow) {
        return new ToBuffer(carrier, array, words, maxWords, idleWindow);
    }

    private static final class FromBuffer extends WindowedRowCopy {
        /** The index after the last copied row. A row that begins there is its neighbour in the buffer. */
        private int expected = -1;

        FromBuffer(Carrier carrier, Object array, ByteBuffer words, long maxWords, AtomicReference<Object> idleWindow) {
            super(carrier, array, words, maxWords, idleWindow);
        }

        @Override
        void copy(int a, int aStep, int b, int bStep, int count) {
            if (aStep != 1 || bStep != 1) {
                wordBuffer.loadStrided(a, aStep, b, bStep, count);
                return;
            }
            boolean isConsecutive = a == expected;
            expected = a + count;
            if (a < windowBegin || a + count > windowEnd) {
                // A window saves time only if it holds several rows. One row after its neighbour suggests that more
                // neighbours follow.
                if (!isConsecutive || count > size / 2) {
                    wordBuffer.load(a, array, b, count);
                    return;
                }
                ensureWindow();
                windowBegin = a;
                windowEnd = Math.min(a + size, limit);
                wordBuffer.load(windowBegin, window, 0, windowEnd - windowBegin);
            }
            System.arraycopy(window, a - windowBegin, array, b, count);
        }

        @Override
        boolean copyBlock(int a, long aStep, long aAcross, int b, long bStep, long bAcross, int length, int rows) {
            if (aAcross != 1 || bStep != 1) {
                return false;
            }
            Object columns = ensureBlockWindow(length * rows);
            for (int i = 0; i < length; i++) {
                wordBuffer.load(a + i * (int) aStep, columns, i * rows, rows);
            }
            MatrixTranspose.copy(columns, 0, rows, array, b, (int) bAcross, length, rows);
            return true;
        }
    }

    private static final class ToBuffer extends WindowedRowCopy {
        ToBuffer(Carrier carrier, Object array, ByteBuffer words, long maxWords, AtomicReference<Object> idleWindow) {
            super(carrier, array, words, maxWords, idleWindow);
        }

        @Override
        void copy(int a, int aStep, int b, int bStep, int count) {
            if (aStep != 1 || bStep != 1) {
                wordBuffer.storeStrided(a, aStep, b, bStep, count);
            } else if (count > size / 2) {
                wordBuffer.store(array, a, b, count);
            } else {
                // the window collects rows that are neighbours in the buffer
                if (b != windowEnd || windowEnd + count - windowBegin > size) {
                    store();
                    windowBegin = b;
                    windowEnd = b;
                }
                ensureWindow();
                System.arraycopy(array, a, window, windowEnd - windowBegin, count);
                windowEnd += count;
            }
        }

        @Override
        boolean copyBlock(int a, long aStep, long aAcross, int b, long bStep, long bAcross, int length, int rows) {
            if (bAcross != 1 || aStep != 1) {
                return false;
            }
            Object columns = ensureBlockWindow(length * rows);
            MatrixTranspose.copy(array, a, (int) aAcross, columns, 0, rows, rows, length);
            for (int i = 0; i < length; i++) {
                wordBuffer.store(columns, i * rows, b + i * (int) bStep, rows);
            }
            return true;
        }

        @Override
        void end() {
            store();
            super.end();
        }

        /** Stores the words that the window has collected. */
        private void store() {
            wordBuffer.store(window, 0, windowBegin, windowEnd - windowBegin);
        }
    }
}
