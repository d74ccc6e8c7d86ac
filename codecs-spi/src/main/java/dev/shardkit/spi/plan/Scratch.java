package dev.shardkit.spi.plan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A worker's memory: buffers that steps borrow, and reusable codec state (such as an {@code Inflater}). Not
 * thread-safe; one per worker. Borrowed memory belongs to the step until the worker calls {@link #reset}.
 */
public final class Scratch implements AutoCloseable {
    private static final int MIN_BUFFER_BYTES = 1 << 10;
    /**
     * The limit on cached states. Codecs create one for each of their configurations, and a long-lived worker may meet
     * any number of them.
     */
    private static final int MAX_STATES = 32;

    private final List<byte[]> freeArrays = new ArrayList<>();
    private final List<ByteBuffer> freeDirect = new ArrayList<>();
    /** Borrowed arrays and direct buffers, in the order of borrowing. */
    private final List<Object> borrowed = new ArrayList<>();

    /** The states by key, in the order of their last use: the least recently used ones are closed first. */
    private final Map<Object, AutoCloseable> states = new LinkedHashMap<>(16, 0.75f, true);

    private final long maxKeptBytes;

    /** Creates a scratch that keeps up to 64 MiB of buffers between steps. */
    public Scratch() {
        this(64L << 20);
    }

    /** Creates a scratch that keeps up to {@code maxKeptBytes} bytes of buffers between steps. */
    public Scratch(long maxKeptBytes) {
        this.maxKeptBytes = maxKeptBytes;
    }

    /** Borrows an array of at least {@code size} bytes with arbitrary content until {@link #reset}. */
    public byte[] borrow(int size) {
        int best = -1;
        for (int i = 0; i < freeArrays.size(); i++) {
            int capacity = freeArrays.get(i).length;
            // Finds the smallest array that fits. An array of more than four times the size stays free for a larger
            // request.
            if (capacity >= size
                    && capacity / 4 <= Math.max(size, MIN_BUFFER_BYTES)
                    && (best < 0 || capacity < freeArrays.get(best).length)) {
                best = i;
            }
        }
        byte[] buffer = best >= 0 ? freeArrays.remove(best) : new byte[roundUp(size)];
        borrowed.add(buffer);
        return buffer;
    }

    /**
     * Borrows a buffer of {@code size} bytes with arbitrary content until {@link #reset}. It is a direct buffer, so the
     * system can read into it without a copy; if direct memory is exhausted, it is a heap buffer. Its order is
     * big-endian.
     */
    public ByteBuffer borrowDirect(int size) {
        int best = -1;
        for (int i = 0; i < freeDirect.size(); i++) {
            int capacity = freeDirect.get(i).capacity();
            if (capacity >= size && (best < 0 || capacity < freeDirect.get(best).capacity())) {
                best = i;
            }
        }
        if (best < 0) {
            freeDirect.clear(); // all are smaller, and this one replaces them
            try {
                freeDirect.add(ByteBuffer.allocateDirect(roundUp(size)));
            } catch (OutOfMemoryError e) {
                return ByteBuffer.wrap(borrow(size), 0, size).slice();
            }
            best = 0;
        }
        ByteBuffer buffer = freeDirect.remove(best);
        borrowed.add(buffer);
        return buffer.slice(0, size);
    }

    /** Rounds up by at most an eighth, so that requests of similar sizes share a buffer. */
    private static int roundUp(int size) {
        if (size <= MIN_BUFFER_BYTES) {
            return MIN_BUFFER_BYTES;
        }
        long eighth = Integer.highestOneBit(size) >> 3;
        return (int) Math.min(Integer.MAX_VALUE - 8L, (size + eighth - 1) / eighth * eighth);
    }

    /** Returns a mark of the memory borrowed so far, for {@link #reset}. */
    public int mark() {
        return borrowed.size();
    }

    /**
     * Takes back all memory that was borrowed after {@code mark}. A {@code mark} of 0 also frees buffers that exceed
     * the limits.
     */
    public void reset(int mark) {
        while (borrowed.size() > mark) {
            Object last = borrowed.remove(borrowed.size() - 1);
            if (last instanceof byte[] array) {
                freeArrays.add(array);
            } else {
                freeDirect.add((ByteBuffer) last);
            }
        }
        if (mark == 0) {
            for (long bytes = kept(); bytes > maxKeptBytes; ) {
                bytes -= freeDirect.isEmpty()
                        ? freeArrays.remove(0).length
                        : freeDirect.remove(0).capacity();
            }
            Iterator<AutoCloseable> oldest = states.values().iterator();
            while (states.size() > MAX_STATES) {
                AutoCloseable state = oldest.next();
                oldest.remove();
                close(state);
            }
        }
    }

    /** Returns the size in bytes of the buffers that are not borrowed. */
    public long kept() {
        long bytes = 0;
        for (byte[] b : freeArrays) {
            bytes += b.length;
        }
        for (ByteBuffer b : freeDirect) {
            bytes += b.capacity();
        }
        return bytes;
    }

    /**
     * Returns the state stored under {@code key}, and creates it at the first call. The state is closed when the worker
     * ends, or between steps after many other states were used.
     *
     * @param key an object that no other code can access, such as a private constant
     */
    @SuppressWarnings("unchecked")
    public <T extends AutoCloseable> T state(Object key, Supplier<T> make) {
        return (T) states.computeIfAbsent(key, k -> make.get());
    }

    /** Closes the states and frees the buffers. */
    @Override
    public void close() {
        states.values().forEach(Scratch::close);
        states.clear();
        freeArrays.clear();
        freeDirect.clear();
        borrowed.clear();
    }

    private static void close(AutoCloseable state) {
        try {
            state.close();
        } catch (Exception e) {
            throw new IllegalStateException("closing a codec's state failed", e);
        }
    }
}
