package dev.shardkit;

import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.selection.Selections;
import dev.shardkit.selection.Points;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.plan.NoResult;
import java.util.concurrent.CompletableFuture;

/**
 * Reads and writes single elements of an array at a list of points; see {@link ZarrView#points}. Reads and writes touch
 * only the inner chunks with points. Immutable, thread-safe.
 */
public final class ZarrPoints {
    private final StoredNode node;
    private final ArrayMetadata metadata;
    private final Selections selections;
    private final Points points;

    ZarrPoints(StoredNode node, ArrayMetadata metadata, Selections selections, Points points) {
        this.node = node;
        this.metadata = metadata;
        this.selections = selections;
        this.points = points;
    }

    /** Returns the number of points. */
    public int count() {
        return points.count();
    }

    private long[] shape() {
        return new long[] {points.count()};
    }

    private DataType type() {
        return metadata.dataType();
    }

    /** Reads the elements, as an array of one dimension in the order of the points. */
    public NdArray read() {
        Object array = JavaArrayAdapters.allocate(type(), shape());
        selections.read(selections.division(points), selections.target(shape(), array, 0));
        return NdArray.of(type(), shape(), array);
    }

    /** Reads the elements asynchronously. Cancelling the future stops the read. */
    public CompletableFuture<NdArray> readAsync() {
        Object array = JavaArrayAdapters.allocate(type(), shape());
        return selections.start(
                selections.division(points),
                selections.target(shape(), array, 0),
                () -> NdArray.of(type(), shape(), array));
    }

    /**
     * Overwrites the elements, in the order of the points. If a point is listed twice, the element of its last
     * occurrence is stored.
     *
     * @throws IllegalArgumentException if {@code values} does not have the shape {@code [count()]}
     */
    public void write(NdArray values) {
        Object array = values.filling(Box.of(shape())).as(metadata.dataType()).array();
        selections.write(points, JavaArrayAdapters.feed(type(), shape(), array, 0));
    }

    /** Asynchronous form of {@link #write}. Do not change the values before the future completes. */
    public CompletableFuture<NoResult> writeAsync(NdArray values) {
        values.filling(Box.of(shape())); // refuses another shape at once
        return node.session().async(() -> {
            write(values);
            return NoResult.INSTANCE;
        });
    }

    @Override
    public String toString() {
        return count() + " points of " + node.location();
    }
}
