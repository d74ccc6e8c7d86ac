package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A far store that says it retries each request, and answers on a thread of its own. */
record RetryingStore(FarStore store) implements Store, FarReads {
    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public CompletableFuture<Fetched> fetch(String key, ByteRange range, Optional<String> pin, StoreListener listener) {
        return CompletableFuture.supplyAsync(
                () -> {
                    listener.onRetry(key, 1, "made up");
                    return store.fetch(key, range, pin, listener).join();
                },
                task -> new Thread(task).start());
    }

    @Override
    public String describe() {
        return "retrying:";
    }
}
