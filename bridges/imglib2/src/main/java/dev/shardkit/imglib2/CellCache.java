package dev.shardkit.imglib2;

import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import net.imglib2.img.basictypeaccess.volatiles.VolatileArrayDataAccess;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the most recently used cells (the blocks that ImgLib2 reads), up to a given number. Holds them by soft
 * references, so that the JVM may drop them when memory is short. Thread-safe.
 */
final class CellCache {
    private final CellLoader loader;
    private final int max;
    private final VolatileArrayDataAccess<?> placeholder;
    /** By the index of the cell, in the order of last use. */
    private final Map<Long, Slot> slots = new LinkedHashMap<>(16, 0.75f, true);
    /** The cells that threads load in {@link #get}. */
    private final Map<Long, CompletableFuture<PixelCell>> loading = new HashMap<>();
    /** The cells that are loaded in the background, for {@link #peek}. */
    private final Set<Long> inBackground = new HashSet<>();

    /** The state of a cell. */
    private sealed interface Slot {
        /** The cell was loaded. */
        record Loaded(SoftReference<PixelCell> cell) implements Slot {}

        /** Loading the cell in the background failed. The next call of {@link #peek} throws the error. */
        record Failed(RuntimeException error) implements Slot {}
    }

    /**
     * @param max the maximum number of cells to keep
     * @param largestCell the number of pixels of the largest cell
     */
    CellCache(CellLoader loader, int max, int largestCell) {
        this.loader = loader;
        this.max = max;
        this.placeholder = CellData.of(CellData.array(loader.type(), largestCell), false);
    }

    /**
     * Returns a cell and reads it if necessary. If several threads call this method for the same cell, one of them
     * reads it. This method does not wait for a read in the background but repeats it: that read may need the caller's
     * thread.
     */
    PixelCell get(long index) {
        while (true) {
            CompletableFuture<PixelCell> own = new CompletableFuture<>();
            CompletableFuture<PixelCell> other;
            synchronized (this) {
                PixelCell cell = find(index);
                if (cell != null) {
                    return cell;
                }
                other = loading.putIfAbsent(index, own);
            }
            if (other == null) {
                return load(index, own);
            }
            Optional<PixelCell> cell = await(other);
            if (cell.isPresent()) {
                return cell.get();
            }
        }
    }

    /** Loads a cell, and completes the future for which other threads wait. */
    private PixelCell load(long index, CompletableFuture<PixelCell> own) {
        try {
            PixelCell cell = loader.load(index);
            own.complete(cell);
            synchronized (this) {
                put(index, new Slot.Loaded(new SoftReference<>(cell)));
            }
            return cell;
        } finally {
            synchronized (this) {
                loading.remove(index);
            }
            own.cancel(false); // has no effect on a completed future
        }
    }

    /**
     * Waits for the thread that loads a cell. Returns empty if that thread failed: the error may concern that thread
     * alone, such as an interruption, so the caller tries again.
     */
    private static Optional<PixelCell> await(CompletableFuture<PixelCell> other) {
        try {
            return Optional.of(other.join());
        } catch (CompletionException | CancellationException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns a cell if it is loaded. Otherwise starts to load it in the background and returns a cell of invalid
     * pixels.
     *
     * @throws RuntimeException if the last attempt failed; the next call starts another one
     */
    PixelCell peek(long index) {
        boolean start;
        synchronized (this) {
            PixelCell cell = find(index);
            if (cell != null) {
                return cell;
            }
            if (slots.get(index) instanceof Slot.Failed failed) {
                slots.remove(index);
                throw failed.error();
            }
            start = !loading.containsKey(index) && inBackground.add(index);
        }
        if (start) {
            start(index);
        }
        return loader.placeholder(index, placeholder);
    }

    private void start(long index) {
        try {
            loader.start(index).whenComplete((cell, error) -> end(index, cell, error));
        } catch (RuntimeException | Error e) { // without end(), no later call would load the cell again
            end(index, null, e);
        }
    }

    private synchronized void end(long index, @Nullable PixelCell cell, @Nullable Throwable error) {
        inBackground.remove(index);
        if (cell != null) {
            put(index, new Slot.Loaded(new SoftReference<>(cell)));
            return;
        }
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        put(index, new Slot.Failed(cause instanceof RuntimeException e ? e : new CompletionException(cause)));
    }

    /** Returns a cell that is loaded; null if it is not, or if the JVM dropped it. */
    private @Nullable PixelCell find(long index) {
        return slots.get(index) instanceof Slot.Loaded loaded ? loaded.cell().get() : null;
    }

    private void put(long index, Slot slot) {
        slots.put(index, slot);
        if (slots.size() > max) {
            slots.remove(slots.keySet().iterator().next()); // the least recently used one
        }
    }
}
