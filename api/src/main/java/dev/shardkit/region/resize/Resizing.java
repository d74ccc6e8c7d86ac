package dev.shardkit.region.resize;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.feed.FillFeed;
import dev.shardkit.region.feed.PartsFeed;
import dev.shardkit.region.feed.WritePart;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Changes the shape of an array. First removes the stored elements outside the new shape. Then clears elements that
 * other programs have left beyond the old shape ({@link GrowthClearing}). Writes the metadata last. If the call is
 * interrupted, the array keeps its old shape and the call can be repeated. Never changes elements inside. Used once.
 *
 * <p>From the check of the shape to the change of the metadata, the call holds the lock under which slice writers
 * extend the array. So no writer can store slices where this call removes elements. On stores without locks, the call
 * removes only elements inside the shape that it checked. If a writer extends the array meanwhile, the call fails, and
 * the error names the elements that it has removed.
 */
public final class Resizing {
    /** The largest number of attempts if other writers resize the array again and again. */
    private static final int MAX_ATTEMPTS = 1000;

    private final StoredNode node;

    public Resizing(StoredNode node) {
        this.node = node;
    }

    /**
     * Resizes the array and returns its new metadata.
     *
     * @param known the metadata at the time when the array was opened
     * @param keepOutside whether stored elements outside the new or the old shape are kept
     */
    public ArrayMetadata run(ArrayMetadata known, long[] shape, boolean keepOutside) {
        if (shape.length != known.rank() || Arrays.stream(shape).anyMatch(length -> length < 0)) {
            throw new IllegalArgumentException(
                    "shape " + Arrays.toString(shape) + ", expected " + known.rank() + " lengths of at least 0");
        }
        node.current(known); // fails before a lock file is made if the array was deleted
        return GrowthLock.alone(
                node, () -> keepOutside ? change(known, shape, "", stored -> {}) : clearAndChange(known, shape));
    }

    /**
     * Removes the elements outside, clears the new ones, and changes the shape. On a store without locks, another
     * writer may resize the array meanwhile; then the call is retried with the shape of that writer.
     */
    private ArrayMetadata clearAndChange(ArrayMetadata known, long[] shape) {
        String removed = "";
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            ArrayMetadata stored = node.current(known);
            refuseUnknown(known, stored, shape, removed);
            removed = remove(stored, shape);
            if (!GrowthClearing.clear(node, stored, shape)) {
                continue;
            }
            try {
                return change(known, shape, removed, current -> {
                    boolean grows = !Box.of(current.shape()).contains(Box.of(shape));
                    if (grows && !Arrays.equals(current.shape(), stored.shape())) {
                        throw new Resized();
                    }
                });
            } catch (Resized e) {
                continue;
            }
        }
        throw node.located(new StoreException("other writers changed the shape " + MAX_ATTEMPTS
                + " times while this call resized the array to " + Arrays.toString(shape)
                + "; run it again when they have ended"));
    }

    /** Changes the shape in the stored metadata, if {@code check} accepts these. */
    private ArrayMetadata change(ArrayMetadata known, long[] shape, String removed, Consumer<ArrayMetadata> check) {
        return node.changeMetadata(known, stored -> {
            refuseUnknown(known, stored, shape, removed);
            check.accept(stored);
            return stored.withShape(shape);
        });
    }

    /** Thrown when another writer changes the shape after this call has cleared the new elements. */
    private static final class Resized extends RuntimeException {
        private static final long serialVersionUID = 1;

        Resized() {
            super("resized", null, false, false); // without a stack trace: it only ends an attempt
        }
    }

    /**
     * Refuses to leave elements outside the new shape that another writer has added since the array was opened, because
     * the caller does not know them. They would be lost even if the resize keeps stored elements, because a stream that
     * extends the array overwrites them.
     *
     * @param removed a sentence about the elements that this call has already removed, for the error; may be empty
     */
    private void refuseUnknown(ArrayMetadata known, ArrayMetadata stored, long[] shape, String removed) {
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] < stored.shape()[d] && known.shape()[d] < stored.shape()[d]) {
                throw node.located(new StoreException("resizing to " + Arrays.toString(shape) + " an array that was "
                        + Arrays.toString(known.shape()) + " when it was opened, and is "
                        + Arrays.toString(stored.shape())
                        + " now: the added elements would be lost; open it again" + removed));
            }
        }
    }

    /**
     * Removes the elements outside. Returns a sentence about them for errors; empty if no dimension becomes shorter.
     */
    private String remove(ArrayMetadata stored, long[] shape) {
        boolean isExclusive = GrowthLock.isEffective(node);
        // With metadata up to the ends of chunks, the edits keep slices that writers store past the array's end.
        ArrayMetadata writing = isExclusive ? stored : stored.withShape(GrowthClearing.chunkEnds(stored));
        RegionWrites writes = RegionWrites.beyond(node, stored, writing, new ChunkPlans(writing, node));
        writes.check("removing elements outside a new shape");
        Box inside = Box.of(shape);
        FillFeed fill = new FillFeed(stored.fillValue());
        writes.eraseCells(GrowthClearing.beyond(stored, shape), (i, cell) -> {
            Box chunk = stored.chunkGrid().chunk(cell);
            List<WritePart> parts = new ArrayList<>();
            for (Box box : Boxes.minus(isExclusive ? chunk : chunk.intersect(Box.of(stored.shape())), inside)) {
                parts.add(new WritePart(box, fill));
            }
            return new WritePart(chunk, PartsFeed.of(parts, chunk.origin()));
        });
        return inside.contains(Box.of(stored.shape()))
                ? ""
                : ". This call has already removed the elements of " + Arrays.toString(stored.shape()) + " outside of "
                        + Arrays.toString(shape) + ": they read as the fill value";
    }
}
