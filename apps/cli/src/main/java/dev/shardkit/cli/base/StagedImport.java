package dev.shardkit.cli.base;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.StagedArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The new array of an import at the root of a store. Chunks are written to their final keys and metadata is stored
 * last; until then, a marker object says that the location holds an unfinished import. A failure or a signal removes
 * the array. Thread-safe, because the signal arrives on another thread.
 */
public final class StagedImport {
    private static final Set<StagedImport> UNFINISHED = ConcurrentHashMap.newKeySet();
    /** How long the shutdown waits for the thread that writes an array. */
    private static final int MAX_SECONDS = 10;

    private final Store store;
    private final ZarrOptions options;
    private final Destination destination;
    private final CreatedFolders createdFolders;
    private final Thread writer = Thread.currentThread();
    private final CountDownLatch writingEnded = new CountDownLatch(1);
    private @Nullable StagedArray staged;
    private boolean hasEnded;

    private StagedImport(Store store, ZarrOptions options) throws IOException {
        this.store = store;
        this.options = options;
        this.destination = Destination.of(store).ofImport();
        this.createdFolders = CreatedFolders.before(store);
    }

    /** Empties the location, or throws if that is not allowed, and stores the marker. */
    public static StagedImport begin(Store store, ArraySpec spec, IfExists existing, ZarrOptions options)
            throws IOException {
        StagedImport target = new StagedImport(store, options);
        target.destination.clear(existing);
        UNFINISHED.add(target);
        try {
            target.stage(spec);
            return target;
        } catch (RuntimeException | Error e) {
            target.fail(e);
            throw e;
        }
    }

    private synchronized void stage(ArraySpec spec) {
        destination.begin("", options.durability()); // "" is no source, because an import cannot be resumed
        staged =
                UsageException.reportingForeignFormat(() -> Zarr.stageArray(store, "", spec, IfExists.REFUSE, options));
    }

    /** Returns the array to write to. */
    public ZarrArray array() {
        return Objects.requireNonNull(staged).array();
    }

    /** Completes the import. */
    public synchronized void publish() {
        destination.requireHeld();
        Objects.requireNonNull(staged).publish();
        destination.finish(options);
        markEnded();
    }

    /**
     * Removes the array after a failure. Called by the thread that writes it.
     *
     * @param failure the failure to report, which receives that of the removal as a suppressed one
     */
    public void fail(Throwable failure) {
        writingEnded.countDown();
        if (TemporaryPaths.isEnding()) {
            return; // during shutdown, the shutdown thread removes the array
        }
        try {
            remove();
        } catch (IOException | ZarrException e) {
            failure.addSuppressed(e); // the marker remains; the next command reports the unfinished import
        }
    }

    private void markEnded() {
        hasEnded = true;
        writingEnded.countDown();
        UNFINISHED.remove(this);
    }

    /**
     * Removes the array and the folders that were created for it. Later writes to it fail. No-op after {@code publish}
     * or {@code fail}.
     */
    private synchronized void remove() throws IOException {
        if (hasEnded) {
            return;
        }
        markEnded();
        try {
            if (destination.isHeld()) { // otherwise another program has taken the place, and its objects stay
                removeArray();
            }
        } finally {
            Optional<Commits> commits = store.find(Commits.class);
            if (commits.isPresent()) {
                commits.get().discard();
            }
            createdFolders.removeEmpty();
        }
    }

    private void removeArray() {
        if (staged != null) {
            staged.array().delete();
        } else {
            destination.finish(options);
        }
    }

    /** Removes unfinished imports. Called when a signal ends the process. */
    static void removeUnfinished() {
        for (StagedImport target : UNFINISHED) {
            try {
                target.writer.interrupt();
                target.writingEnded.await(MAX_SECONDS, TimeUnit.SECONDS);
                target.remove();
            } catch (InterruptedException e) {
                return;
            } catch (IOException | ZarrException e) {
                continue; // the marker remains; the next command reports the unfinished import
            }
        }
    }
}
