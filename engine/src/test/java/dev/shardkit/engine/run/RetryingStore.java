package dev.shardkit.engine.run;

import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import java.util.concurrent.CompletableFuture;

/** A remote store that says it retries each request, and answers on a thread of its own. */
record RetryingStore(RemoteStore store) implements Store, RemoteReads {
    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        return CompletableFuture.supplyAsync(
                () -> {
                    request.listener().onRetry(request.key(), 1, "made up");
                    return store.fetch(request).join();
                },
                task -> new Thread(task).start());
    }

    @Override
    public String describe() {
        return "retrying:";
    }
}
