package dev.shardkit.store.reference;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WholeBodyBudget;
import dev.shardkit.store.objects.LocalFetches;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Reads objects of local and remote stores in the same way. Stateless. */
final class TargetReads {
    private TargetReads() {}

    /** Reads a range of an object. A local store answers at once, on the calling thread. */
    static CompletableFuture<FetchResult> fetch(
            Store store,
            String key,
            ByteRange range,
            Optional<String> pin,
            StoreListener listener,
            WholeBodyBudget budget) {
        if (store.reads() instanceof RemoteReads reads) {
            return reads.fetch(FetchRequest.of(key, range, pin, listener).withBudget(budget));
        }
        try {
            return CompletableFuture.completedFuture(fetch((LocalReads) store.reads(), key, range, pin));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static FetchResult fetch(LocalReads store, String key, ByteRange range, Optional<String> pin)
            throws IOException {
        Optional<ObjectSnapshot> snapshot = store.open(key);
        if (snapshot.isEmpty()) {
            return new FetchResult.Absent();
        }
        try (ObjectSnapshot object = snapshot.get()) {
            if (pin.isPresent() && !pin.get().equals(object.version())) {
                throw new ObjectChangedException("expected version " + pin.get() + ", found " + object.version());
            }
            return LocalFetches.read(object, range);
        }
    }

    /** Reads a range and waits for the bytes; empty if the object does not exist. */
    static Optional<Bytes> read(Store store, String key, ByteRange range) throws IOException {
        CompletableFuture<FetchResult> future =
                fetch(store, key, range, Optional.empty(), StoreListener.NONE, WholeBodyBudget.NONE);
        try {
            return future.get() instanceof FetchResult.Found found ? Optional.of(found.bytes()) : Optional.empty();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while reading " + key, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ZarrException failure) {
                throw failure;
            } else if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new StoreException("reading " + key + " failed: " + e.getCause(), e.getCause());
        }
    }
}
