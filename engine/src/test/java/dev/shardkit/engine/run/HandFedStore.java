package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Arrival;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Room;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** A far store whose requests a test takes and answers, also bit by bit. */
final class HandFedStore implements Store, FarReads {
    record Asked(ByteRange range, Arrival arrival, CompletableFuture<Fetched> future) {}

    final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
    private final boolean passesBeginnings;

    HandFedStore(boolean passesBeginnings) {
        this.passesBeginnings = passesBeginnings;
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public CompletableFuture<Fetched> fetch(String key, ByteRange range, Optional<String> pin, StoreListener listener) {
        throw new AssertionError("the engine passes an arrival");
    }

    @Override
    public CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room, Arrival arrival) {
        Asked request = new Asked(range, arrival, new CompletableFuture<>());
        asked.add(request);
        return request.future();
    }

    @Override
    public boolean passesBeginnings() {
        return passesBeginnings;
    }

    @Override
    public String describe() {
        return "by hand:";
    }
}
