package dev.shardkit.region.selection;

import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.feed.WritePart;
import dev.shardkit.region.read.RegionReads;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.selection.Points;
import dev.shardkit.selection.ReadDivision;
import dev.shardkit.selection.Selection;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Reads and writes selections of an array. Only inner chunks with selected elements are read. Immutable, thread-safe.
 */
public final class Selections {
    private final ChunkPlans chunks;
    private final RegionReads reads;
    private final RegionWrites writes;

    public Selections(ChunkPlans chunks, RegionReads reads, RegionWrites writes) {
        this.chunks = chunks;
        this.reads = reads;
        this.writes = writes;
    }

    /** Returns the boxes of a read of {@code selection}, each with its part of the result. */
    public ReadDivision division(Selection selection) {
        return selection.division(ArrayTiling.inner(chunks));
    }

    /** Returns the boxes of a read of {@code points}, each with its part of the result. */
    public ReadDivision division(Points points) {
        return points.division(ArrayTiling.inner(chunks));
    }

    /** Reads the elements of a division. */
    public void read(ReadDivision division, Target result) {
        reads.read(division, result);
    }

    /** Starts a read of the elements of a division. The future returns {@code value} when all elements are there. */
    public <T> CompletableFuture<T> start(ReadDivision division, Target result, Supplier<T> value) {
        return reads.start(division, result, value);
    }

    /** Returns a target for elements of {@code shape} in a Java array. */
    public Target target(long[] shape, Object array, int offset) {
        return JavaArrayAdapters.target(chunks.metadata().dataType(), shape, array, offset);
    }

    /** Overwrites the selected elements. {@code values} has the shape of the selection. */
    public void write(Selection selection, Feed values) {
        if (selection.isEmpty()) {
            return;
        }
        Box bounds = selection.bounds();
        Feed feed = selection.feed(values).window(bounds);
        SelectedCells cells = new SelectedCells(selection, chunks);
        WritePart part = new WritePart(bounds, feed);
        writes.write(bounds, cells.count(), cells::at, (i, cell) -> part);
    }

    /** Overwrites the elements at {@code points}, in their order. */
    public void write(Points points, Feed values) {
        if (points.count() == 0) {
            return;
        }
        List<Points.Part> parts = points.parts(ArrayTiling.stored(chunks), values);
        writes.write(
                points.bounds(),
                parts.size(),
                i -> chunks.grid().touched(parts.get((int) i).bounds()).origin(),
                (i, cell) -> part(parts.get((int) i)));
    }

    private static WritePart part(Points.Part part) {
        return new WritePart(part.bounds(), part.feed().window(part.bounds()));
    }
}
