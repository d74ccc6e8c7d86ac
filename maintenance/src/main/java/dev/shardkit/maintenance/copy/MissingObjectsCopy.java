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
 * Completes the copy of an array: copies the stored chunks that the copy does not have yet, without decoding them.
 * Requests several objects of a remote store at once. Used by one thread.
 */
final class MissingObjectsCopy {
    /** The maximum number of requests in flight. */
    private static final int MAX_REQUESTS = 16;
    /**
     * The largest object that is requested as a whole. Larger objects are copied one after the other, in pieces. All
     * requests together take at most a quarter of the heap.
     */
    private static final long MAX_BYTES =
            Math.min(16L << 20, Runtime.getRuntime().maxMemory() / (4L * MAX_REQUESTS));

    /** A chunk that was requested from the remote source. */
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
        // One listing of a remote target replaces a request for each chunk. In a local target, each chunk is looked up.
        boolean isRemoteTarget = !missing.target.node().session().isLocal();
        Optional<StoredChunkList> copied = isRemoteTarget
                ? Optional.of(StoredChunkList.of(to)).filter(StoredChunkList::areListed)
                : Optional.empty();
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

    /** Returns whether the copy has a chunk. */
    private boolean exists(long[] cell) {
        return target.node().store(store -> StoredObjects.has(store, target.key(cell)));
    }

    /** Copies a chunk, or requests it from a remote source. */
    private void copy(long[] cell) {
        Store from = source.node().session().store();
        // Only bytes that this program fetches from a remote store need requests in parallel. ObjectCopy copies a chunk
        // of a local store, and a chunk that the target's server can copy by itself.
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
                        StoreListener.NONE))); // no retry is reported: the caller only follows the progress
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

    /** Stores a chunk whose response has arrived. If it is larger than {@link #MAX_BYTES}, copies it in pieces. */
    private void put(long[] cell, FetchResult.Found found) {
        boolean isTooLarge = found.bytes().size() < found.objectSize(); // the response has only the size then
        if (isTooLarge) {
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
