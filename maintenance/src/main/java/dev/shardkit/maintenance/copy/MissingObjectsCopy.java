package dev.shardkit.maintenance.copy;

import dev.shardkit.ZarrArray;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.region.ObjectCopy;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Content;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Copies the stored chunks of one array that its copy does not have yet, without decoding them. Requests several
 * objects of a remote store at once. Used by one thread.
 */
final class MissingObjectsCopy {
    private static final int MAX_REQUESTS = 16;
    /**
     * The largest object that is requested as a whole. Larger objects are copied one after the other, in pieces. All
     * requests together take at most a quarter of the heap.
     */
    private static final long MAX_BYTES =
            Math.min(16L << 20, Runtime.getRuntime().maxMemory() / (4L * MAX_REQUESTS));

    /** A chunk that was requested. */
    private record Requested(long[] cell, CompletableFuture<FetchResult> response) {}

    private final StoredArray source;
    private final StoredArray target;
    private final Deque<Requested> requested = new ArrayDeque<>();

    private MissingObjectsCopy(StoredArray source, StoredArray target) {
        this.source = source;
        this.target = target;
    }

    /** Copies the chunks that {@code to}, an array of the same encoding, lacks. */
    static void copy(ZarrArray from, ZarrArray to, String path, Progress progress) {
        MissingObjectsCopy missing = new MissingObjectsCopy(ArrayInternals.of(from), ArrayInternals.of(to));
        StoredChunkList cells = StoredChunkList.of(from);
        boolean isRemote = !missing.target.node().session().isLocal();
        Optional<StoredChunkList> copied =
                isRemote ? Optional.of(StoredChunkList.of(to)).filter(StoredChunkList::areListed) : Optional.empty();
        try {
            for (long i = 0; i < cells.count(); i++) {
                Engine.refuseInterrupted();
                progress.at(path, i, cells.count());
                long[] cell = cells.cell(i);
                if (copied.isPresent() ? !copied.get().contains(cell) : !missing.exists(cell)) {
                    missing.copy(cell);
                }
            }
            missing.awaitAtMost(0);
            progress.at(path, cells.count(), cells.count());
        } finally {
            missing.requested.forEach(request -> request.response().cancel(true));
        }
    }

    private boolean exists(long[] cell) {
        return target.node().store(store -> StoredObjects.has(store, target.key(cell)));
    }

    private void copy(long[] cell) {
        Store from = source.node().session().store();
        if (!(from.reads() instanceof RemoteReads remote)
                || ObjectCopy.isInside(from, target.node().session().store())) {
            ObjectCopy.run(source.node(), source.key(cell), target.node(), target.key(cell));
            return;
        }
        requested.add(new Requested(
                cell,
                remote.fetch(
                        source.key(cell),
                        ByteRange.wholeUnlessLarger(MAX_BYTES),
                        Optional.empty(),
                        StoreListener.NONE)));
        awaitAtMost(Math.min(MAX_REQUESTS, remote.maxRequests()) - 1);
    }

    /** Waits until at most {@code max} requests are in flight, and stores the responses. */
    private void awaitAtMost(int max) {
        while (requested.size() > max) {
            Requested next = requested.remove();
            FetchResult response = Engine.await(next.response(), "reading " + source.key(next.cell()));
            if (response instanceof FetchResult.Found found) {
                put(next.cell(), found);
            }
        }
    }

    private void put(long[] cell, FetchResult.Found found) {
        if (found.bytes().size() < found.objectSize()) { // larger than MAX_BYTES
            ObjectCopy.run(source.node(), source.key(cell), target.node(), target.key(cell));
            return;
        }
        target.node().store(store -> {
            store.put(
                    target.key(cell),
                    Content.of(found.bytes()),
                    target.node().session().options().writing().durability());
            return NoResult.INSTANCE;
        });
    }
}
