package dev.shardkit.engine.edit;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Arrival;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.Room;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A writer's view of a far store: cached values are always confirmed, however fresh. Thread-safe. */
record ConfirmingReads(FarReads reads) implements FarReads {
    @Override
    public CompletableFuture<Fetched> fetch(String key, ByteRange range, Optional<String> pin, StoreListener listener) {
        return reads.fetch(key, range, pin, listener);
    }

    @Override
    public CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room) {
        return reads.fetch(key, range, pin, listener, room);
    }

    @Override
    public CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room, Arrival arrival) {
        return reads.fetch(key, range, pin, listener, room, arrival);
    }

    @Override
    public Duration freshFor() {
        return Duration.ZERO;
    }

    @Override
    public boolean passesBeginnings() {
        return reads.passesBeginnings();
    }

    @Override
    public int mostRequests() {
        return reads.mostRequests();
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
