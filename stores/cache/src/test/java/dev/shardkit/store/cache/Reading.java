package dev.shardkit.store.cache;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/** Reads of tests. */
final class Reading {
    private Reading() {}

    static byte[] bytes(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static FetchResult fetch(Store store, String key, ByteRange range, Optional<String> pin) {
        try {
            return ((RemoteReads) store.reads())
                    .fetch(key, range, pin, StoreListener.NONE)
                    .get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException r) {
                throw r;
            }
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static FetchResult.Found found(Store store, String key, ByteRange range) {
        return (FetchResult.Found) fetch(store, key, range, Optional.empty());
    }

    static byte[] whole(Store store, String key) {
        return found(store, key, ByteRange.whole()).bytes().toArray();
    }

    static byte[] slice(Store store, String key, long offset, long length) {
        return found(store, key, new ByteRange.Slice(offset, length)).bytes().toArray();
    }

    static byte[] pinned(Store store, String key, long offset, long length, Optional<String> pin) {
        return ((FetchResult.Found) fetch(store, key, new ByteRange.Slice(offset, length), pin))
                .bytes()
                .toArray();
    }
}
