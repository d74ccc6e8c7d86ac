package dev.shardkit.region.write;

import dev.shardkit.engine.edit.ObjectChange;
import dev.shardkit.engine.edit.ObjectEdits;
import dev.shardkit.engine.edit.WriteContext;
import dev.shardkit.engine.threads.CallSequence;
import dev.shardkit.engine.threads.PreparedCall;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.StoredArray;
import dev.shardkit.region.StoredShapeCheck;
import dev.shardkit.region.box.RegionCheck;
import dev.shardkit.region.feed.FillFeed;
import dev.shardkit.region.feed.StagedShardsFeed;
import dev.shardkit.region.feed.WritePart;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.store.StagedPuts;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Writes regions of an array, as one change per stored chunk. Immutable, thread-safe. */
public final class RegionWrites {
    /** The assumed bytes of an element of variable size, such as a string, in estimates. */
    private static final int ASSUMED_SIZE = 16;

    private final StoredNode node;
    private final ArrayMetadata metadata;
    private final ChunkPlans chunks;
    /** Checks a handle's writes against the stored shape; null if the caller has just checked. */
    private final @Nullable StoredShapeCheck shapeCheck;

    /** Refuses writes after the array was deleted. */
    private final WriteContext.Guard guard;

    /** Runs at the end of a write. Throws if the array was replaced meanwhile. */
    private final Runnable confirmation;

    /** Creates the writes for metadata that the caller has just read. */
    public RegionWrites(StoredNode node, ArrayMetadata metadata, ChunkPlans chunks) {
        this(node, metadata, chunks, null, new StoredShapeCheck(node, metadata));
    }

    /** Returns the writes for {@code metadata}, whose shape differs from the stored shape. */
    public static RegionWrites beyond(
            StoredNode node, ArrayMetadata storedMetadata, ArrayMetadata metadata, ChunkPlans chunks) {
        return new RegionWrites(node, metadata, chunks, null, new StoredShapeCheck(node, storedMetadata));
    }

    /**
     * Creates writes.
     *
     * @param shapeCheck checks the region against the stored shape before a write; null for no check
     * @param nodeCheck guards the writes against a deleted or replaced array
     */
    private RegionWrites(
            StoredNode node,
            ArrayMetadata metadata,
            ChunkPlans chunks,
            @Nullable StoredShapeCheck shapeCheck,
            StoredShapeCheck nodeCheck) {
        this(node, metadata, chunks, shapeCheck, nodeCheck.guard(), nodeCheck::refuseLost);
    }

    private RegionWrites(
            StoredNode node,
            ArrayMetadata metadata,
            ChunkPlans chunks,
            @Nullable StoredShapeCheck shapeCheck,
            WriteContext.Guard guard,
            Runnable confirmation) {
        this.node = node;
        this.metadata = metadata;
        this.chunks = chunks;
        this.shapeCheck = shapeCheck;
        this.guard = guard;
        this.confirmation = confirmation;
    }

    /** Returns the writes of a handle, whose metadata may be older than the stored ones. */
    public static RegionWrites ofHandle(StoredArray array) {
        return new RegionWrites(array.node(), array.metadata(), array.chunks(), array.shape(), array.shape());
    }

    /**
     * Returns the writes for the stored array, which may differ from the handle's metadata.
     *
     * @param region the region to be written, which must lie in the stored array; null for no check
     */
    private RegionWrites current(@Nullable Box region) {
        if (shapeCheck == null) {
            return this;
        }
        ArrayMetadata current = shapeCheck.current();
        if (region != null) {
            shapeCheck.refuseOutside(current, region);
        }
        boolean isSameShape = Arrays.equals(current.shape(), metadata.shape());
        return new RegionWrites(
                node,
                isSameShape ? metadata : current,
                isSameShape ? chunks : new ChunkPlans(current, node),
                null,
                shapeCheck.guard(),
                confirmation);
    }

    /**
     * Returns the writes that, on a store without locks, run a check after each read of a chunk and before the change
     * that depends on it.
     */
    public RegionWrites checkedBeforeEach(Runnable check) {
        WriteContext.Guard base = guard;
        WriteContext.Guard strict = new WriteContext.Guard() {
            @Override
            public void check(String generation) throws IOException {
                base.check(generation);
            }

            @Override
            public void checkAgain() {
                base.checkAgain();
                check.run();
            }

            @Override
            public boolean checksEach() {
                return true;
            }
        };
        return new RegionWrites(node, metadata, chunks, shapeCheck, strict, confirmation);
    }

    /** Returns the writes under a policy that does not store chunks of fill value only. */
    private RegionWrites erasing() {
        Settings options = node.session().options();
        ShardWritePolicy dropping = options.writing().policy().withEmptyChunks(ShardWritePolicy.EmptyChunks.DROP);
        return new RegionWrites(
                node.in(node.session().with(options.with(dropping))),
                metadata,
                chunks,
                shapeCheck,
                guard,
                confirmation);
    }

    /**
     * Throws {@code UnsupportedException} if the array or the store cannot be written.
     *
     * @param purpose the operation, for the error of a read-only store
     */
    public void check(String purpose) {
        node.session().writable(purpose);
        if (!metadata.ignoredCodecs().isEmpty()) {
            throw new UnsupportedException("the array has codecs that were skipped on reading ("
                    + metadata.ignoredCodecs() + "); without them it cannot be written");
        }
    }

    /** Overwrites {@code region} with the elements of {@code feed}, whose index zero is the region's origin. */
    public void write(Box region, Feed feed) {
        Box cells = chunks.grid().touched(region);
        WritePart part = new WritePart(region, feed);
        write(region, RegionCheck.countable(cells), cells::at, (i, cell) -> part);
    }

    /** Overwrites elements of {@code region} in {@code count} stored chunks, each of which is changed once. */
    public void write(Box region, long count, LongFunction<long[]> cell, WritePart.OfChunk parts) {
        check("writing elements");
        current(region).changeCells(count, cell, parts, i -> {});
    }

    /**
     * Does the same as {@link #write} asynchronously. In a remote store without locks, the call holds a thread only
     * while it checks the stored metadata; otherwise until it ends.
     */
    public CompletableFuture<NoResult> start(Box region, Feed feed) {
        return node.session().asyncThen(() -> {
            if (!canStart()) {
                write(region, feed);
                return PreparedCall.ended(NoResult.INSTANCE);
            }
            check("writing elements");
            Box cells = chunks.grid().touched(region);
            WritePart part = new WritePart(region, feed);
            return current(region).prepareAll(RegionCheck.countable(cells), cells::at, part);
        });
    }

    /** Returns whether a write can run without a thread that waits. */
    private boolean canStart() {
        return metadata.storageTransformers().isEmpty()
                && node.session().options().afterWrite() == null
                && ObjectEdits.canStart(node.writing());
    }

    /** Prepares the change of {@code count} stored chunks. At its end, confirms that the array still exists. */
    private PreparedCall<NoResult> prepareAll(long count, LongFunction<long[]> cell, WritePart part) {
        WriteContext writing = node.writing().guarded(guard);
        PreparedCall<NoResult> prepared = node.session()
                .edits()
                .prepareAll(
                        count,
                        i -> chunks.storedKey(cell.apply(i)),
                        i -> change(cell.apply(i), part, () -> {}),
                        writing);
        if (count == 0 || !writing.hasOtherWriters()) {
            return prepared;
        }
        CompletableFuture<NoResult> confirmed =
                CallSequence.inOrder(prepared.future(), done -> node.session().async(() -> {
                    confirmation.run();
                    return done;
                }));
        return new PreparedCall<>(confirmed, prepared.starting());
    }

    /**
     * Erases {@code region}: its elements read as the fill value. Chunks and inner chunks in it are deleted. Only
     * stored chunks are visited.
     */
    public void erase(Box region) {
        check("erasing elements");
        current(region).eraseStored(region);
    }

    private void eraseStored(Box region) {
        WritePart part = new WritePart(region, new FillFeed(metadata.fillValue()));
        eraseCells(List.of(chunks.grid().touched(region)), (i, cell) -> part);
    }

    /** Changes the stored chunks in boxes of the chunk grid, and deletes those that become empty. */
    public void eraseCells(List<Box> boxes, WritePart.OfChunk parts) {
        StoredCells cells = StoredCells.of(node, chunks, boxes);
        erasing().changeCells(cells.count(), cells::at, parts, i -> {});
    }

    /**
     * Changes {@code count} stored chunks, each once, several concurrently. Passes the number of each changed one to
     * {@code done}.
     */
    public void changeCells(long count, LongFunction<long[]> cell, WritePart.OfChunk parts, LongConsumer done) {
        if (shapeCheck != null) {
            current(null).changeCells(count, cell, parts, done);
            return;
        }
        Settings.AfterWrite after = node.session().options().afterWrite();
        if (count == 0 || after == null) {
            changeAll(count, cell, parts, done);
            return;
        }
        Runnable notification = () -> after.written(node, metadata, count, cell);
        try {
            changeAll(count, cell, parts, done);
        } catch (Throwable e) {
            try {
                notification.run(); // some chunks may be written
            } catch (RuntimeException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
        notification.run();
    }

    private void changeAll(long count, LongFunction<long[]> cell, WritePart.OfChunk parts, LongConsumer done) {
        WriteContext writing = node.writing().guarded(guard);
        if (metadata.storageTransformers().isEmpty()) {
            node.session()
                    .edits()
                    .changeAll(
                            count,
                            i -> chunks.storedKey(cell.apply(i)),
                            i -> change(cell.apply(i), parts.part(i, cell.apply(i)), () -> done.accept(i)),
                            writing);
        } else {
            new SharedObjects(node.session(), chunks, writing).change(count, cell, parts, done);
        }
        if (count > 0 && writing.hasOtherWriters()) {
            confirmation.run();
        }
    }

    private ObjectChange change(long[] cell, WritePart part, Runnable done) {
        ObjectChange change = unstagedChange(cell, part, done);
        return part.feed() instanceof StagedShardsFeed feed
                ? feed.staged(cell)
                        .<ObjectChange>map(shard -> new StagedChange(change, shard, chunks, cell, part))
                        .orElse(change)
                : change;
    }

    /**
     * A change that stores a staged shard as a whole. It falls back to {@code unstaged}, which writes the elements, if
     * they do not cover the shard and a shard is stored already, or if a failed call has stored the staged shard.
     */
    private record StagedChange(
            ObjectChange unstaged, StagedShardsFeed.Shard shard, ChunkPlans chunks, long[] cell, WritePart part)
            implements ObjectChange {
        @Override
        public Plan<Edit> plan(ShardWritePolicy policy) {
            if (shard.isStored()) {
                return unstaged.plan(policy);
            }
            Box written = part.box().intersect(chunks.grid().chunk(cell));
            // If the write does not cover the shard, a read of one byte tells whether a shard with others is stored.
            return written.equals(chunks.inside(cell))
                    ? putStaged(DataLocation.of(chunks.storedKey(cell)))
                    : chunks.change(cell, old -> old.read(
                                    new ByteRange.Suffix(1), (found, scratch) -> found instanceof ReadResult.Found)
                            .then(found -> found ? unstaged.plan(policy) : putStaged(old.location())));
        }

        private Plan<Edit> putStaged(DataLocation location) {
            return Plan.defer(location, scratch -> Plan.done(shard.edit(scratch)));
        }

        @Override
        public Optional<StagedPuts.Staged> staged(Edit edit) {
            return shard.staged(edit);
        }

        @Override
        public Plan<OptionalLong> lastValidEnd() {
            return unstaged.lastValidEnd();
        }

        @Override
        public void carriedOut() {
            unstaged.carriedOut();
        }
    }

    private ObjectChange unstagedChange(long[] cell, WritePart part, Runnable done) {
        return new ObjectChange() {
            @Override
            public Plan<Edit> plan(ShardWritePolicy policy) {
                return chunks.write(cell, part.box(), part.feed(), policy);
            }

            @Override
            public Plan<OptionalLong> lastValidEnd() {
                return chunks.lastValidEnd(cell);
            }

            @Override
            public long weight() {
                return RegionWrites.weight(metadata, part.box().intersect(chunks.inside(cell)));
            }

            @Override
            public void carriedOut() {
                done.run();
            }
        };
    }

    /** Estimates the encoded bytes of the elements of {@code region}; {@link Long#MAX_VALUE} if they are more. */
    public static long weight(ArrayMetadata metadata, Box region) {
        double bytes = metadata.dataType().elementSize().orElse(ASSUMED_SIZE);
        for (long length : region.shape()) {
            bytes *= length;
        }
        return (long) bytes;
    }
}
