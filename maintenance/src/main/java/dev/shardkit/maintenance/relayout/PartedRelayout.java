package dev.shardkit.maintenance.relayout;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.relayout.Relayout.Change;
import dev.shardkit.maintenance.relayout.Relayout.Summary;
import dev.shardkit.maintenance.staging.LayoutChange;
import dev.shardkit.maintenance.staging.LayoutRebuild;
import dev.shardkit.maintenance.staging.StagedParts;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import java.util.function.Consumer;

/**
 * Changes the layout of an array with several processes. Each process calls {@link #stage} for another part of the new
 * objects. When all parts are staged, one process calls {@link #finish}, which replaces the array. Until then, readers
 * see no change. No other program may write to the array meanwhile: its writes are kept, but then all parts must be
 * staged again. Immutable.
 */
public final class PartedRelayout {
    private final Relayout relayout;
    private final ZarrArray array;

    private PartedRelayout(Relayout relayout, ZarrArray array) {
        this.relayout = relayout;
        this.array = array;
    }

    /**
     * The result of a part. Immutable.
     *
     * @param objects the number of objects of the part; 0 if the array already has the layout
     * @param bytes the number of bytes that the call wrote
     */
    public record Staged(long objects, long bytes) {}

    /**
     * Prepares a change for several processes.
     *
     * @throws UnsupportedException if the node is a group, or the store has no locks or does not support writes: two
     *     parts that begin at once would remove each other's objects
     */
    public static PartedRelayout of(Relayout relayout) {
        ZarrNode node = relayout.node;
        if (node instanceof ZarrArray array) {
            Store store = ArrayInternals.of(array).store("changing the layout of an array");
            store.need(Listings.class, "changing the layout of an array");
            store.need(TreeDeletions.class, "changing the layout of an array");
            store.need(Locks.class, "changing a layout in parts");
            return new PartedRelayout(relayout, array);
        }
        throw new UnsupportedException(
                node.location() + " is a group; only an array changes in parts, so change each array by itself");
    }

    /**
     * Stages the objects of a part. Repeating the call resumes the part. Only one process at a time may stage a part.
     *
     * @throws IllegalArgumentException if the request does not fit the array
     * @throws UnsupportedException if the array cannot be changed
     * @throws StoreException if the array was changed after the first part began, or parts of another change or another
     *     number are staged
     */
    public Staged stage(Part part) {
        RelayoutRun run =
                new RelayoutRun(array, relayout.chunks, relayout.layout, relayout.progress, array.path(), () -> {});
        LayoutChange change = run.change(array);
        if (change.isUnchanged()) {
            return new Staged(0, 0);
        }
        LayoutRebuild work = new StagedParts(array).stage(change, part, relayout.progress);
        return new Staged(work.objects(), work.bytes());
    }

    /**
     * Replaces the array by the staged objects of all parts. A call after a crash completes the change.
     *
     * @param changes receives the result for the array
     * @throws StoreException if a part is missing, or if the array was changed after the first part began; the array is
     *     unchanged
     */
    public Summary finish(Consumer<? super Change> changes) {
        if (relayout.run(Mode.DRY_RUN, change -> {}).unchanged() == 0) {
            new StagedParts(array).check();
        }
        return relayout.run(Mode.APPLY, changes);
    }
}
