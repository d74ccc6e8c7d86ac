package dev.shardkit.store.zip;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the directory of a remote archive. Reads it once, and again after the archive has changed. Calls do not block.
 * Thread-safe.
 */
final class FarDirectory {
    /** How often a call that pins no version is retried when the archive changes. */
    static final int ATTEMPTS = 3;

    private final FarReads store;
    private final String archive;
    private final String described;
    private final ZipLimits limits;
    private final AtomicLong generations = new AtomicLong();
    private final AtomicReference<Loaded> loaded = new AtomicReference<>(Loaded.nothing());

    /** A directory that has been read or is being read. */
    record Loaded(long generation, CompletableFuture<ArchiveDirectory> directory, AtomicLong confirmed) {
        private Loaded(long generation, CompletableFuture<ArchiveDirectory> directory) {
            this(generation, directory, new AtomicLong(System.nanoTime()));
        }

        private static Loaded nothing() {
            return new Loaded(0, CompletableFuture.completedFuture(ArchiveDirectory.none(0)));
        }

        /** Returns the directory; empty if it is still being read or could not be read. */
        Optional<ArchiveDirectory> done() {
            return directory.isDone() && !directory.isCompletedExceptionally()
                    ? Optional.of(directory.join())
                    : Optional.empty();
        }

        /** Returns whether the caller must confirm that the archive is unchanged; true for one caller at a time. */
        private boolean isDue(Duration freshFor) {
            long last = confirmed.get();
            long now = System.nanoTime();
            return now - last >= freshFor.toNanos() && confirmed.compareAndSet(last, now);
        }
    }

    FarDirectory(FarReads store, String archive, String described, ZipLimits limits) {
        this.store = store;
        this.archive = archive;
        this.described = described;
        this.limits = limits;
    }

    /** Returns the loaded directory, without loading it. */
    Loaded current() {
        return loaded.get();
    }

    /** Returns the loaded directory, or starts loading it. */
    Loaded load(StoreListener listener) {
        Loaded now = loaded.get();
        if (now.generation() > 0) {
            return now;
        }
        return replace(now, listener);
    }

    private Loaded replace(Loaded old, StoreListener listener) {
        Loaded mine = new Loaded(generations.incrementAndGet(), new CompletableFuture<>());
        if (!loaded.compareAndSet(old, mine)) {
            return load(listener);
        }
        ArchiveObject object = (range, pin) -> store.fetch(archive, range, pin, listener);
        ArchiveDirectory.load(object, limits, mine.generation()).whenComplete((read, thrown) -> {
            if (thrown != null) {
                mine.directory().completeExceptionally(cause(thrown));
            } else if (read.isEmpty()) {
                mine.directory().completeExceptionally(new StoreException("there is no archive " + described));
            } else {
                mine.directory().complete(read.get());
            }
        });
        return mine;
    }

    /** Returns the directory of the archive, confirmed within {@link FarReads#freshFor}. */
    CompletableFuture<ArchiveDirectory> confirmed() {
        return confirmed(1);
    }

    private CompletableFuture<ArchiveDirectory> confirmed(int attempt) {
        Loaded now = load(StoreListener.NONE);
        return now.directory()
                .thenCompose(directory -> confirm(now, StoreListener.NONE))
                .handle((same, thrown) -> {
                    forget(now, thrown);
                    boolean again = cause(thrown) instanceof ObjectChangedException && attempt < ATTEMPTS;
                    return again ? confirmed(attempt + 1) : now.directory();
                })
                .thenCompose(directory -> directory);
    }

    /** Fails if the archive has changed. Asks the store only when the last confirmation is too old. */
    CompletableFuture<Boolean> confirm(Loaded now, StoreListener listener) {
        ArchiveDirectory directory = now.directory().join();
        if (directory.version().isEmpty() || !now.isDue(store.freshFor())) {
            return CompletableFuture.completedFuture(true);
        }
        return store.fetch(archive, new ByteRange.Suffix(1), directory.version(), listener)
                .thenApply(found -> {
                    checked(found, directory);
                    return true;
                });
    }

    /** Returns the answer of the store, provided that it comes from the archive of {@code directory}. */
    FetchResult.Found checked(FetchResult fetched, ArchiveDirectory directory) {
        if (fetched instanceof FetchResult.Found found && found.version().equals(directory.version())) {
            return found;
        }
        throw changed();
    }

    ObjectChangedException changed() {
        return new ObjectChangedException("the archive " + described + " has changed since its directory was read");
    }

    /** Discards a directory that could not be read or is stale: the next call reads it again. */
    void forget(Loaded used, @Nullable Throwable thrown) {
        if (used.directory().isCompletedExceptionally() || cause(thrown) instanceof ObjectChangedException) {
            loaded.compareAndSet(used, Loaded.nothing());
        }
    }

    static @Nullable Throwable cause(@Nullable Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }
}
