package dev.shardkit.region.stream;

import dev.shardkit.engine.edit.CancelledAfterChange;
import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.threads.DeferredInterrupt;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.resize.GrowthClearing;
import dev.shardkit.region.resize.GrowthLock;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.region.write.StoredCells;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Listings;
import dev.shardkit.store.WriteOnce;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the position in the array at which a stream stores each batch of slices, and extends the array if it must grow.
 * Other streams may extend the array too. So a stream that appends reads the stored length under a lock before each
 * batch. Not thread-safe: guarded by its writer.
 */
public final class SlicePosition {
    /** The array's node in the session that reads its metadata. Calls that write have a node with another session. */
    private final StoredNode arrayNode;

    private final int dimension;
    /** The region of the slices. If the stream appends, it is empty, at the end that the array had at first. */
    private final Box region;
    /** Whether this stream may extend the array. */
    private final boolean grows;
    /** Whether slices are appended at the array's end. */
    private final boolean appends;

    /** The metadata as read last. */
    private ArrayMetadata stored;

    /** The metadata for writes: as stored, but extended to the end of a shard; see {@link #reach}. */
    private ArrayMetadata writeMetadata;

    private ChunkPlans chunks;
    /**
     * The index up to which {@link #reach} has prepared writes: the end of a shard, which may lie before the array's
     * end. 0 if {@link #writeMetadata} equals the stored metadata.
     */
    private long reachedLength;

    /** Whether this stream has extended the array, or a call that was to extend it has failed. */
    private boolean isExtended;

    /** A batch whose place in the array is reserved, but whose slices are not stored yet. */
    private @Nullable Batch reserved;
    /** The length up to which this stream has cleared elements that other programs left beyond the array's end. */
    private long cleared;

    /** Whether the elements between the array's end and the end of the last chunks are cleared. */
    private boolean edgeIsClear;

    /**
     * Creates the position of a stream.
     *
     * @param grows whether the stream may extend the array
     * @param wanted the region of the slices; null for the whole array, or for appending if the array grows
     */
    public SlicePosition(
            StoredNode arrayNode, ArrayMetadata known, int dimension, boolean grows, @Nullable Box wanted) {
        if (grows) {
            WriteOnce.refuse(arrayNode.session().store(), "a stream of slices that extends an array");
        }
        this.arrayNode = arrayNode;
        this.dimension = dimension;
        this.grows = grows;
        this.appends = grows && wanted == null;
        this.stored = arrayNode.current(known);
        refuseOtherType(known);
        this.region = region(Box.of(stored.shape()), wanted);
        JavaArrayAdapters.length(stored.dataType(), slice(0).shape()); // fails if a slice exceeds a Java array
        resetToStored();
        reach(region.origin(dimension) + 1);
    }

    /** Slices that are stored together: the position of the first, and their number. */
    public record Batch(long position, long count) {
        public long end() {
            return position + count;
        }
    }

    /** The slices of a batch. */
    interface Contents {
        /** Returns the number of slices. */
        long count();

        /**
         * Writes the first slices of the contents, as many as the batch has.
         *
         * @param metadata the metadata for the write, whose length may exceed the stored one
         * @param slab the box of the batch in the array
         */
        void write(RegionWrites writes, ChunkPlans chunks, ArrayMetadata metadata, Batch batch, Box slab);
    }

    /** Slices of fill values: stored chunks in their place are changed, others are not visited. */
    record Gap(long count) implements Contents {
        @Override
        public void write(RegionWrites writes, ChunkPlans chunks, ArrayMetadata metadata, Batch batch, Box slab) {
            writes.erase(slab);
        }
    }

    /**
     * Returns how many of {@code count} slices from {@code position} on fill whole shards; 0 if the position lies
     * inside a shard.
     */
    static long wholeShards(long position, long count, long shardDepth) {
        return position % shardDepth == 0 ? count - count % shardDepth : 0;
    }

    private void refuseOtherType(ArrayMetadata known) {
        if (!known.dataType().equals(stored.dataType()) || known.rank() != stored.rank()) {
            throw arrayNode.located(new MetadataException("the array was replaced: expected "
                    + known.dataType().json() + " " + Arrays.toString(known.shape()) + ", found "
                    + stored.dataType().json() + " " + Arrays.toString(stored.shape())));
        }
    }

    private Box region(Box domain, @Nullable Box requested) {
        if (dimension < 0 || dimension >= domain.rank()) {
            throw new IllegalArgumentException("dimension " + dimension + " of an array of " + domain.rank());
        }
        long length = domain.shape(dimension);
        Box defaultRegion = appends ? Boxes.cut(domain, dimension, length, length) : domain; // appended at the end
        Box wanted = requested != null ? requested : defaultRegion;
        refuseOutside(domain, wanted);
        return wanted;
    }

    /** Throws if a region reaches outside the array. If the array grows, only in the other dimensions. */
    private void refuseOutside(Box domain, Box wanted) {
        boolean inside = wanted.rank() == domain.rank()
                && (grows
                        ? Boxes.cut(domain, dimension, 0, 1).contains(Boxes.cut(wanted, dimension, 0, 1))
                        : domain.contains(wanted));
        if (!inside) {
            throw new IndexOutOfBoundsException("region " + wanted + " reaches outside the array " + domain);
        }
    }

    /**
     * Extends the metadata for writes to the end of the shard that contains slice {@code end - 1}. Then edits keep
     * slices that other writers store there past the array's end.
     */
    public void reach(long end) {
        if (end <= reachedLength) {
            return;
        }
        long[] shape = stored.shape();
        shape[dimension] = Math.max(shape[dimension], end);
        reachedLength = end;
        if (!Boxes.cut(region, dimension, 0, 1).isEmpty()) { // a slice has elements
            long[] last = region.origin();
            last[dimension] = end - 1;
            long[] ones = new long[shape.length];
            Arrays.fill(ones, 1);
            ChunkGrid grid = stored.withShape(shape).chunkGrid();
            reachedLength =
                    grid.chunk(grid.touched(Box.of(last, ones)).origin()).end(dimension);
            shape[dimension] = Math.max(shape[dimension], reachedLength);
        }
        writeMetadata = stored.withShape(shape);
        chunks = new ChunkPlans(writeMetadata, arrayNode);
    }

    /** Returns the number of slices in a chunk of the array; 1 if its chunks have several shapes. */
    public long chunkDepth() {
        return stored.chunkGrid() instanceof RegularGrid grid ? grid.chunkShape()[dimension] : 1;
    }

    /** Throws if the store cannot list objects, and skipped slices lie in too many chunks to look up each of them. */
    public void refuseUnlisted(long position, long count) {
        if (count > 0
                && stored.chunkGrid() instanceof RegularGrid grid
                && !arrayNode.session().store().can(Listings.class)) {
            StoredCells.refuseUnlisted(
                    arrayNode,
                    Boxes.cut(region, dimension, position, position + count).cells(grid.chunkShape()));
        }
    }

    /** Returns whether this stream has extended the array, or may have. */
    public boolean isLonger() {
        return isExtended;
    }

    /** Returns the array's metadata as read last. */
    public ArrayMetadata stored() {
        return stored;
    }

    public ChunkPlans chunks() {
        return chunks;
    }

    public Box region() {
        return region;
    }

    public Box slice(long position) {
        return Boxes.cut(region, dimension, position, position + 1);
    }

    /**
     * Stores a batch, and extends the array if it grows. Stores only the first slices if an earlier, failed call has
     * reserved positions for fewer.
     *
     * @param node the node whose session writes
     * @param position the position of the first slice, unless slices are appended
     * @param committed receives the batch as soon as its slices are stored; must not fail. It is called early because
     *     {@code store} may still fail afterwards, for example when it releases its lock: a caller that has not
     *     recorded the slices by then would append them a second time
     */
    void store(StoredNode node, long position, Contents slices, Consumer<Batch> committed) {
        Batch fixed = new Batch(position, slices.count());
        if (!appends) { // in the array, or beyond its end under the lock
            refresh();
            refuseOutside(Box.of(stored.shape()), region);
            if (fixed.end() <= stored.shape()[dimension]) {
                storeBatch(node, fixed, slices, committed);
            } else {
                storeExclusively(node, fixed, slices, committed);
            }
            return;
        }
        if (GrowthLock.isEffective(node)) {
            arrayNode.current(stored); // fails before a lock file is made if the array was deleted
            storeExclusively(node, null, slices, committed);
            return;
        }
        // Appends without locks: the array grows first, so that no other stream gets the same positions.
        refresh();
        Batch batch = reserved != null ? reserved : reserve(node, slices.count());
        reserved = batch; // kept until the slices are stored, so that a failed call can be repeated
        storeBatch(node, batch, slices, all -> {
            reserved = null;
            committed.accept(all);
        });
    }

    /**
     * Stores a batch under the lock, if the store has locks. Without {@code batch}, the slices are appended at the
     * stored end.
     */
    private void storeExclusively(StoredNode node, @Nullable Batch batch, Contents slices, Consumer<Batch> committed) {
        GrowthLock.alone(node, () -> {
            refresh();
            refuseOutside(Box.of(stored.shape()), region);
            if (batch == null) {
                storeBatch(node, new Batch(stored.shape()[dimension], slices.count()), slices, committed);
                return NoResult.INSTANCE;
            }
            clear(node, batch);
            if (!GrowthLock.isEffective(node)) {
                lengthen(node, batch.end());
            }
            storeBatch(node, batch, slices, committed);
            return NoResult.INSTANCE;
        });
    }

    /**
     * Makes the elements that the array gains beside a batch read as the fill value. A batch that covers all of them
     * costs nothing.
     */
    private void clear(StoredNode node, Batch batch) {
        while (true) {
            Box old = Box.of(stored.shape());
            reach(batch.end());
            Box slab = Boxes.cut(region, dimension, batch.position(), batch.end());
            // Whether the array gains, up to the end of the batch, only elements of the batch.
            boolean covered =
                    Boxes.minus(Boxes.cut(old, dimension, 0, Math.max(old.shape(dimension), batch.end())), old).stream()
                            .allMatch(slab::contains);
            long[] shape = writeMetadata.shape();
            if (covered || shape[dimension] <= cleared) {
                return;
            }
            if (GrowthClearing.clear(node, stored, shape)) {
                cleared = shape[dimension];
                return;
            }
            refresh(); // another writer has extended the array meanwhile
        }
    }

    /** Makes the array longer before slices are stored, so that a resize on a store without locks sees them. */
    private void lengthen(StoredNode node, long end) {
        isExtended = true;
        stored = node.changeMetadata(stored, current -> {
            long[] shape = current.shape();
            shape[dimension] = Math.max(shape[dimension], end);
            return current.withShape(shape);
        });
        resetToStored();
    }

    private void refresh() {
        ArrayMetadata before = stored;
        stored = arrayNode.current(stored);
        refuseOtherType(before);
        resetToStored();
    }

    private void resetToStored() {
        writeMetadata = stored;
        chunks = new ChunkPlans(stored, arrayNode);
        reachedLength = 0;
    }

    /**
     * Reserves slices on a store with conditional writes but without locks: the length grows before the slices are
     * stored.
     */
    private Batch reserve(StoredNode node, long count) {
        clearEdge(node);
        long[] position = {0};
        isExtended = true;
        try {
            stored = node.changeMetadata(stored, current -> {
                long[] shape = current.shape();
                position[0] = shape[dimension];
                shape[dimension] += count;
                return current.withShape(shape);
            });
        } catch (CancelledAfterChange e) {
            reserved = new Batch(position[0], count); // the next call stores the slices there
            throw e;
        }
        resetToStored();
        return new Batch(position[0], count);
    }

    /**
     * Clears, once, the elements that other programs left between the array's end and the end of the last chunks. So
     * reserved slices read as the fill value.
     */
    private void clearEdge(StoredNode node) {
        while (!edgeIsClear) {
            long[] shape = stored.shape();
            shape[dimension] = GrowthClearing.chunkEnds(stored)[dimension];
            edgeIsClear = GrowthClearing.clear(node, stored, shape);
            if (!edgeIsClear) {
                refresh();
            }
        }
    }

    private void storeBatch(StoredNode node, Batch batch, Contents slices, Consumer<Batch> committed) {
        reach(batch.end());
        Box slab = Boxes.cut(region, dimension, batch.position(), batch.end());
        slices.write(RegionWrites.beyond(node, stored, writeMetadata, chunks), chunks, writeMetadata, batch, slab);
        if (batch.end() > stored.shape()[dimension]) {
            publish(node, batch, committed);
        } else {
            committed.accept(batch);
        }
    }

    /** Makes the array longer, so that readers see a batch. */
    private void publish(StoredNode node, Batch batch, Consumer<Batch> committed) {
        boolean isPublished = false;
        try {
            isExtended = true; // also if the call fails: the document may be replaced by then
            stored = node.changeMetadata(stored, current -> {
                long[] lengths = current.shape();
                lengths[dimension] = Math.max(lengths[dimension], batch.end());
                return current.withShape(lengths);
            });
            isPublished = true;
        } finally {
            // The call may fail after it has replaced the document, for example if the thread is interrupted then.
            // A stream that appends holds the lock here, or owns the array, so only its own call changes the length.
            if (isPublished || appends && isLengthStored(batch.end())) {
                committed.accept(batch);
            }
        }
    }

    /** Returns whether the stored array has {@code length} now; false if it cannot be read, or was replaced. */
    private boolean isLengthStored(long length) {
        try {
            ArrayMetadata before = stored;
            ArrayMetadata found = DeferredInterrupt.run(() -> arrayNode.current(before));
            if (!found.dataType().equals(before.dataType()) || found.shape().length != before.shape().length) {
                return false;
            }
            stored = found;
            return found.shape()[dimension] == length;
        } catch (RuntimeException e) {
            Failures.log(System.Logger.Level.DEBUG, "the length of the array is unknown after a failure", e);
            return false;
        }
    }

    /** Throws {@code UnsupportedException} if the store or the array cannot be written. */
    public void check(StoredNode node) {
        new RegionWrites(node, stored, chunks).check("writing slices");
    }
}
