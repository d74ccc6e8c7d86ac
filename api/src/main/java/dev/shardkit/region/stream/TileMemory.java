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
 * Allocates and reuses the buffers of tiles. A stream cuts each slice into tiles, one for each inner chunk that the
 * slice crosses. The buffers are direct, outside the heap: tiles live for seconds, so the garbage collector would copy
 * and mark them several times; and files are written from direct buffers without a copy. Small tiles are on the heap,
 * because a direct buffer has a fixed cost that exceeds theirs. If the JVM has no more direct memory, all new tiles are
 * on the heap from then on. A reserve of direct memory is then released, because reading and writing files needs some.
 *
 * <p>The tiles of a closed stream serve the next one, until the garbage collector runs and frees them. So the memory of
 * streams that follow one another does not pile up. Thread-safe.
 */
final class TileMemory {
    /** Tiles below 16 KiB are on the heap. */
    private static final int MIN_DIRECT_BYTES = 16 << 10;

    /** Direct memory that is held back for the files of the process, 4 MiB. */
    private static final int RESERVE_BYTES = 4 << 20;

    private static final TileMemory OF_PROCESS = new TileMemory();

    /** Direct buffers that no tile uses, by their sizes. Guarded by this object. */
    private WeakReference<Map<Integer, Deque<ByteBuffer>>> idle = new WeakReference<>(null);

    /** The reserve; null before the first direct tile is allocated, and after its release. Guarded by this object. */
    private @Nullable ByteBuffer reserve;
    /** Whether an allocation of direct memory has failed. Guarded by this object. */
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

    /** Returns a direct buffer; null if the JVM has no more direct memory. */
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
        } catch (OutOfMemoryError e) {
            // No further attempts: each takes half a second, because the JVM collects garbage before it fails.
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
