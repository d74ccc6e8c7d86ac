package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.PartialResponseReceiver;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** A remote store whose requests a test takes and answers, also bit by bit. */
final class HandFedStore implements Store, RemoteReads {
    record Asked(ByteRange range, PartialResponseReceiver arrival, CompletableFuture<FetchResult> future) {}

    final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
    private final boolean reportsProgress;

    HandFedStore(boolean reportsProgress) {
        this.reportsProgress = reportsProgress;
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        Asked asking = new Asked(request.range(), request.progress(), new CompletableFuture<>());
        asked.add(asking);
        return asking.future();
    }

    @Override
    public boolean reportsProgress() {
        return reportsProgress;
    }

    @Override
    public String describe() {
        return "by hand:";
    }
}
