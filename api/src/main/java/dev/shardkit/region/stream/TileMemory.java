package dev.shardkit.region.stream;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Allocates and reuses the buffers of tiles, into which streams cut their slices: one for each inner chunk that a slice
 * crosses. The buffers lie outside the heap: tiles live for seconds, and a collector of garbage would copy them several
 * times and mark them again and again; files are written from there without a copy. Small tiles lie on the heap,
 * because each buffer outside costs more than they do. If the process may have no more memory outside, all new tiles
 * lie on the heap from then on, and a reserve is released: files that are read and written need some too.
 *
 * <p>The tiles of a closed stream serve the next one, until the garbage collector runs and frees them. So the memory of
 * streams that follow one another does not pile up. Thread-safe.
 */
final class TileMemory {
    private static final int MIN_DIRECT_BYTES = 16 << 10;

    private static final int RESERVE_BYTES = 4 << 20;

    private static final TileMemory OF_PROCESS = new TileMemory();

    /** Buffers outside the heap by their sizes. Guarded by this object. */
    private WeakReference<Map<Integer, Deque<ByteBuffer>>> idle = new WeakReference<>(null);

    /** Guarded by this object. */
    private @Nullable ByteBuffer reserve;
    /** Whether the process may have no more memory outside the heap. Guarded by this object. */
    private boolean isExhausted;

    private TileMemory() {}

    static TileMemory ofProcess() {
        return OF_PROCESS;
    }

    /** Returns a little-endian buffer of {@code size} bytes with arbitrary content. */
    ByteBuffer take(int size) {
        if (size < MIN_DIRECT_BYTES) {
            return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        }
        ByteBuffer direct = takeDirect(size);
        return (direct == null ? ByteBuffer.allocate(size) : direct).order(ByteOrder.LITTLE_ENDIAN);
    }

    private synchronized @Nullable ByteBuffer takeDirect(int size) {
        Map<Integer, Deque<ByteBuffer>> kept = idle.get();
        Deque<ByteBuffer> buffers = kept == null ? null : kept.get(size);
        if (buffers != null && !buffers.isEmpty()) {
            return buffers.pop();
        }
        if (isExhausted) {
            return null;
        }
        try {
            if (reserve == null) {
                reserve = ByteBuffer.allocateDirect(RESERVE_BYTES);
            }
            return ByteBuffer.allocateDirect(size);
        } catch (OutOfMemoryError e) { // each attempt takes half a second, because the JVM collects garbage first
            isExhausted = true;
            reserve = null;
            return null;
        }
    }

    /** Takes back buffers that no thread uses any more. */
    synchronized void release(Collection<ByteBuffer> buffers) {
        Map<Integer, Deque<ByteBuffer>> kept = idle.get();
        if (kept == null) {
            kept = new HashMap<>();
            idle = new WeakReference<>(kept);
        }
        for (ByteBuffer buffer : buffers) {
            if (buffer.isDirect()) {
                kept.computeIfAbsent(buffer.capacity(), size -> new ArrayDeque<>())
                        .push(buffer);
            }
        }
    }
}
