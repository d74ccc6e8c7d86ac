package dev.shardkit.region;

import dev.shardkit.engine.Change;
import dev.shardkit.engine.WriteContext;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Plan;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/** The writing side of an array: regions become one change for each stored chunk. Immutable, thread-safe. */
public final class Writes {
    /** What an element of variable length is taken for. */
    private static final int USUAL_SIZE = 16;

    private final StoredNode node;
    private final ArrayMetadata metadata;
    private final Chunks chunks;
    /** What a handle's writes are compared with; empty for those whose caller has just looked himself. */
    private final Optional<StoredShape> stored;

    /** Refuses what would be stored after the array was deleted. */
    private final WriteContext.Guard guard;

    public Writes(StoredNode node, ArrayMetadata metadata, Chunks chunks) {
        this(node, metadata, chunks, Optional.empty(), new StoredShape(node, metadata).guard());
    }

    private Writes(
            StoredNode node,
            ArrayMetadata metadata,
            Chunks chunks,
            Optional<StoredShape> stored,
            WriteContext.Guard guard) {
        this.node = node;
        this.metadata = metadata;
        this.chunks = chunks;
        this.stored = stored;
        this.guard = guard;
    }

    /** The writes of a handle, which may be older than what is stored. */
    public static Writes ofHandle(StoredNode node, ArrayMetadata metadata, Chunks chunks) {
        StoredShape stored = new StoredShape(node, metadata);
        return new Writes(node, metadata, chunks, Optional.of(stored), stored.guard());
    }

    /** The same for the array as it is stored, where that may be another than the handle knows. */
    private Writes now(Optional<Box> region) {
        if (stored.isEmpty()) {
            return this;
        }
        ArrayMetadata now = stored.get().now();
        region.ifPresent(r -> stored.get().refuseOutside(now, r));
        boolean same = Arrays.equals(now.shape(), metadata.shape());
        return new Writes(
                node,
                same ? metadata : now,
                same ? chunks : new Chunks(now, node),
                Optional.empty(),
                stored.get().guard());
    }

    /** The same, with chunks that hold nothing but fill not stored. */
    private Writes erasing() {
        Settings options = node.session().options();
        WritePolicy dropping = options.writing().policy().withEmptyChunks(WritePolicy.EmptyChunks.DROP);
        return new Writes(node.in(node.session().with(options.with(dropping))), metadata, chunks, stored, guard);
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

    /** Overwrites {@code region} with what {@code feed} has; its index zero is the region's origin. */
    public void write(Box region, Feed feed) {
        check("writing elements");
        Box cells = chunks.grid().touched(region);
        Content content = new Content(region, feed);
        now(Optional.of(region)).changeCells(Regions.countable(cells), cells::at, (i, cell) -> content, i -> {});
    }

    /** Sets {@code region} to the fill value; chunks and inner chunks in it go. What is not stored is not visited. */
    public void erase(Box region) {
        check("erasing elements");
        now(Optional.of(region)).eraseNow(region);
    }

    private void eraseNow(Box region) {
        Content content = new Content(region, new FillFeed(metadata.fillValue()));
        eraseCells(List.of(chunks.grid().touched(region)), (i, cell) -> content);
    }

    /** Changes the chunks that are stored in boxes of the chunk grid; what holds nothing but fill then goes. */
    public void eraseCells(List<Box> boxes, ContentOf content) {
        ChangedCells cells = ChangedCells.of(node, chunks, boxes);
        erasing().changeCells(cells.count(), cells::at, content, i -> {});
    }

    /**
     * What is written.
     *
     * @param region where, in the array's coordinates
     * @param feed gives the elements; its index zero is the region's origin
     */
    public record Content(Box region, Feed feed) {}

    /** What is written to a stored chunk, by its number and cell. */
    public interface ContentOf {
        Content content(long i, long[] cell);
    }

    /** Changes {@code count} stored chunks, several side by side, each once; {@code done} is told which are changed. */
    public void changeCells(long count, LongFunction<long[]> cell, ContentOf content, LongConsumer done) {
        if (stored.isPresent()) {
            now(Optional.empty()).changeCells(count, cell, content, done);
            return;
        }
        Optional<Settings.AfterWrite> after = node.session().options().afterWrite();
        if (count == 0 || after.isEmpty()) {
            changeAll(count, cell, content, done);
            return;
        }
        Runnable keep = () -> after.get().written(node, metadata, count, cell);
        try {
            changeAll(count, cell, content, done);
        } catch (Throwable e) {
            try {
                keep.run(); // some of it may be written
            } catch (RuntimeException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
        keep.run();
    }

    private void changeAll(long count, LongFunction<long[]> cell, ContentOf content, LongConsumer done) {
        if (!metadata.storageTransformers().isEmpty()) {
            new SharedObjects(node.session(), chunks, node.writing().guarded(guard)).change(count, cell, content, done);
            return;
        }
        node.session()
                .edits()
                .changeAll(
                        count,
                        i -> chunks.storedKey(cell.apply(i)),
                        i -> change(cell.apply(i), content.content(i, cell.apply(i)), () -> done.accept(i)),
                        node.writing().guarded(guard));
    }

    private Change change(long[] cell, Content content, Runnable done) {
        return new Change() {
            @Override
            public Plan<Edit> plan(WritePolicy policy) {
                return chunks.write(cell, content.region(), content.feed(), policy);
            }

            @Override
            public Plan<OptionalLong> lastValidEnd() {
                return chunks.lastValidEnd(cell);
            }

            @Override
            public long weight() {
                return Writes.weight(metadata, content.region().intersect(chunks.inside(cell)));
            }

            @Override
            public void carriedOut() {
                done.run();
            }
        };
    }

    /** About how many bytes the elements of {@code region} take when they are encoded, at most. */
    public static long weight(ArrayMetadata metadata, Box region) {
        double bytes = metadata.dataType().elementSize().orElse(USUAL_SIZE);
        for (long n : region.shape()) {
            bytes *= n;
        }
        return (long) bytes; // the largest long where it is more
    }
}
