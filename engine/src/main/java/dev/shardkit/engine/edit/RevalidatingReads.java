package dev.shardkit.engine.edit;

import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.RemoteReads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A writer's view of a remote store: cached values are always confirmed, however fresh. Thread-safe. */
record RevalidatingReads(RemoteReads reads) implements RemoteReads {
    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        return reads.fetch(request);
    }

    @Override
    public Duration freshFor() {
        return Duration.ZERO;
    }

    @Override
    public boolean reportsProgress() {
        return reads.reportsProgress();
    }

    @Override
    public int maxRequests() {
        return reads.maxRequests();
    }

    @Override
    public MergePolicy mergePolicy() {
        return reads.mergePolicy();
    }

    @Override
    public Optional<List<ObjectPart>> parts(String key) {
        return reads.parts(key);
    }
}
