package dev.shardkit.store.zip;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The cached directory of an archive in a remote store. It is read once, and again after the archive has changed. Calls
 * do not block. Thread-safe.
 */
final class RemoteDirectory {
    /** How often a call that pins no version is retried when the archive changes. */
    static final int ATTEMPTS = 3;

    private final RemoteReads store;
    private final String archive;
    private final String described;
    private final ZipLimits limits;
    private final AtomicLong generations = new AtomicLong();
    private final AtomicReference<Loaded> loaded = new AtomicReference<>(Loaded.notLoaded());

    /**
     * A directory that has been read or is being read.
     *
     * @param generation the number of the directory; 0 if none was requested yet
     * @param directory the directory, or the running request for it
     * @param confirmed the time of the last confirmation that the archive is unchanged, in nanoseconds
     */
    record Loaded(long generation, CompletableFuture<ArchiveDirectory> directory, AtomicLong confirmed) {
        private Loaded(long generation, CompletableFuture<ArchiveDirectory> directory) {
            this(generation, directory, new AtomicLong(System.nanoTime()));
        }

        private static Loaded notLoaded() {
            return new Loaded(0, CompletableFuture.completedFuture(ArchiveDirectory.none(0)));
        }

        /** Returns the directory; empty if it is still being read or could not be read. */
        Optional<ArchiveDirectory> directoryIfRead() {
            return directory.isDone() && !directory.isCompletedExceptionally()
                    ? Optional.of(directory.join())
                    : Optional.empty();
        }

        /** Returns whether the caller must confirm that the archive is unchanged; true for one caller at a time. */
        private boolean isDue(Duration freshFor) {
            long lastConfirmed = confirmed.get();
            long nanos = System.nanoTime();
            return nanos - lastConfirmed >= freshFor.toNanos() && confirmed.compareAndSet(lastConfirmed, nanos);
        }
    }

    RemoteDirectory(RemoteReads store, String archive, String described, ZipLimits limits) {
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
        Loaded current = loaded.get();
        if (current.generation() > 0) {
            return current;
        }
        return replace(current, listener);
    }

    /** Starts loading a directory, unless another caller has already replaced {@code stale}. */
    private Loaded replace(Loaded stale, StoreListener listener) {
        Loaded created = new Loaded(generations.incrementAndGet(), new CompletableFuture<>());
        if (!loaded.compareAndSet(stale, created)) {
            return load(listener);
        }
        StoredArchive object = (range, pin) -> store.fetch(archive, range, pin, listener);
        ArchiveDirectory.load(object, limits, created.generation()).whenComplete((read, thrown) -> {
            if (thrown != null) {
                created.directory().completeExceptionally(unwrap(thrown));
            } else if (read.isEmpty()) {
                created.directory().completeExceptionally(new StoreException("there is no archive " + described));
            } else {
                created.directory().complete(read.get());
            }
        });
        return created;
    }

    /** Returns the directory of the archive, whose version was confirmed at most {@link RemoteReads#freshFor} ago. */
    CompletableFuture<ArchiveDirectory> confirmed() {
        return confirmed(1);
    }

    private CompletableFuture<ArchiveDirectory> confirmed(int attempt) {
        Loaded current = load(StoreListener.NONE);
        return current.directory()
                .thenCompose(directory -> confirm(current, StoreListener.NONE))
                .handle((unchanged, thrown) -> {
                    forget(current, thrown);
                    boolean isRetried = unwrap(thrown) instanceof ObjectChangedException && attempt < ATTEMPTS;
                    return isRetried ? confirmed(attempt + 1) : current.directory();
                })
                .thenCompose(directory -> directory);
    }

    /** Fails if the archive has changed. Asks the store only when the last confirmation is too old. */
    CompletableFuture<Boolean> confirm(Loaded current, StoreListener listener) {
        ArchiveDirectory directory = current.directory().join();
        if (directory.version().isEmpty() || !current.isDue(store.freshFor())) {
            return CompletableFuture.completedFuture(true);
        }
        // Reads one byte in the expected version. An archive is never empty, so it has a last byte.
        return store.fetch(archive, new ByteRange.Suffix(1), directory.version(), listener)
                .thenApply(found -> {
                    checked(found, directory);
                    return true;
                });
    }

    /** Returns the response of the store. Throws if it is not from the version of the archive with this directory. */
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
        if (used.directory().isCompletedExceptionally() || unwrap(thrown) instanceof ObjectChangedException) {
            loaded.compareAndSet(used, Loaded.notLoaded());
        }
    }

    static @Nullable Throwable unwrap(@Nullable Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }
}
