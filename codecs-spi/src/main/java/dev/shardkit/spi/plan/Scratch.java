package dev.shardkit.spi.plan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A worker's own memory: buffers that steps borrow, and codec state worth keeping (an {@code Inflater}, say). Not
 * thread-safe; one per worker. What is borrowed belongs to the step until the worker calls {@link #reset}.
 */
public final class Scratch implements AutoCloseable {
    private static final int SMALLEST = 1 << 10;
    /** Codecs make a state for each of their configurations, of which a long-lived worker may meet any number. */
    private static final int MOST_STATES = 32;

    private final List<byte[]> free = new ArrayList<>();
    private final List<ByteBuffer> freeDirect = new ArrayList<>();
    /** Arrays and direct buffers, in the order they were borrowed. */
    private final List<Object> lent = new ArrayList<>();

    private final Map<Object, AutoCloseable> states = new LinkedHashMap<>(16, 0.75f, true);
    private final long keepAtMost;

    /** A scratch that keeps up to 64 MiB of buffers between steps. */
    public Scratch() {
        this(64L << 20);
    }

    /** A scratch that keeps up to {@code keepAtMost} bytes of buffers between steps. */
    public Scratch(long keepAtMost) {
        this.keepAtMost = keepAtMost;
    }

    /** An array of at least {@code size} bytes with anything in it, until {@link #reset}. */
    public byte[] borrow(int size) {
        int best = -1;
        for (int i = 0; i < free.size(); i++) {
            int n = free.get(i).length;
            if (n >= size && n / 4 <= Math.max(size, SMALLEST) && (best < 0 || n < free.get(best).length)) {
                best = i;
            }
        }
        byte[] buffer = best >= 0 ? free.remove(best) : new byte[roundUp(size)];
        lent.add(buffer);
        return buffer;
    }

    /**
     * A buffer of {@code size} bytes with anything in them, until {@link #reset}: what the system reads into without a
     * copy, that is a direct one, but where no direct memory is left. Its order is big-endian.
     */
    public ByteBuffer borrowDirect(int size) {
        int best = -1;
        for (int i = 0; i < freeDirect.size(); i++) {
            int n = freeDirect.get(i).capacity();
            if (n >= size && (best < 0 || n < freeDirect.get(best).capacity())) {
                best = i;
            }
        }
        if (best < 0) {
            freeDirect.clear(); // all are smaller, and this one will do in their place
            try {
                freeDirect.add(ByteBuffer.allocateDirect(roundUp(size)));
            } catch (OutOfMemoryError e) {
                return ByteBuffer.wrap(borrow(size), 0, size).slice();
            }
            best = 0;
        }
        ByteBuffer buffer = freeDirect.remove(best);
        lent.add(buffer);
        return buffer.slice(0, size);
    }

    private static int roundUp(int size) {
        if (size <= SMALLEST) {
            return SMALLEST;
        }
        long eighth = Integer.highestOneBit(size) >> 3;
        return (int) Math.min(Integer.MAX_VALUE - 8L, (size + eighth - 1) / eighth * eighth);
    }

    /** How far it is lent now, for {@link #reset}. */
    public int mark() {
        return lent.size();
    }

    /** Takes back all that was borrowed since {@code mark}. A {@code mark} of 0 also drops what exceeds the limits. */
    public void reset(int mark) {
        while (lent.size() > mark) {
            Object last = lent.remove(lent.size() - 1);
            if (last instanceof byte[] array) {
                free.add(array);
            } else {
                freeDirect.add((ByteBuffer) last);
            }
        }
        if (mark == 0) {
            for (long kept = kept(); kept > keepAtMost; ) {
                kept -= freeDirect.isEmpty()
                        ? free.remove(0).length
                        : freeDirect.remove(0).capacity();
            }
            Iterator<AutoCloseable> oldest = states.values().iterator();
            while (states.size() > MOST_STATES) {
                AutoCloseable state = oldest.next();
                oldest.remove();
                close(state);
            }
        }
    }

    /** How many bytes of buffers it holds that nobody has borrowed. */
    public long kept() {
        long kept = 0;
        for (byte[] b : free) {
            kept += b.length;
        }
        for (ByteBuffer b : freeDirect) {
            kept += b.capacity();
        }
        return kept;
    }

    /**
     * The state kept under {@code key}, made at the first call. It is closed when the worker ends, or between steps
     * when many others were used since.
     *
     * @param key something only its user knows, such as a private constant
     */
    @SuppressWarnings("unchecked")
    public <T extends AutoCloseable> T state(Object key, Supplier<T> make) {
        return (T) states.computeIfAbsent(key, k -> make.get());
    }

    /** Closes the states and drops the buffers. */
    @Override
    public void close() {
        states.values().forEach(Scratch::close);
        states.clear();
        free.clear();
        freeDirect.clear();
        lent.clear();
    }

    private static void close(AutoCloseable state) {
        try {
            state.close();
        } catch (Exception e) {
            throw new IllegalStateException("closing a codec's state failed", e);
        }
    }
}
