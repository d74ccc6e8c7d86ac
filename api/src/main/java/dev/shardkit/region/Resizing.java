package dev.shardkit.region;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.error.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Changes the shape of an array. It removes the elements outside first and writes the metadata last. If the call is
 * interrupted, the array keeps its old shape and the call can be repeated. Elements inside are never changed. From the
 * check of the shape to the change of the metadata, it holds the lock under which slice writers extend the array. So no
 * writer can store slices where this call removes elements. On stores without locks, it removes only elements inside
 * the shape that it checked. If a writer extends the array meanwhile, the call fails, and the error names the elements
 * that it has removed. Used once.
 */
public final class Resizing {
    private final StoredNode node;

    public Resizing(StoredNode node) {
        this.node = node;
    }

    /**
     * Resizes the array and returns its new metadata.
     *
     * @param known the metadata at the time when the array was opened
     * @param keepOutside whether stored elements outside the new shape are kept
     */
    public ArrayMetadata run(ArrayMetadata known, long[] shape, boolean keepOutside) {
        if (shape.length != known.rank() || Arrays.stream(shape).anyMatch(length -> length < 0)) {
            throw new IllegalArgumentException(
                    "shape " + Arrays.toString(shape) + ", expected " + known.rank() + " lengths of at least 0");
        }
        node.current(known); // fails before a lock file is made if the array was deleted
        return node.session().edits().alone(node.key(SlicePlace.GROWTH), node.writing(), () -> {
            String removed = "";
            if (!keepOutside) {
                ArrayMetadata now = node.current(known);
                refuseUnknown(known, now, shape, removed);
                removed = remove(now, shape);
            }
            String gone = removed;
            return node.changeMetadata(known, now -> {
                refuseUnknown(known, now, shape, gone);
                return now.withShape(shape);
            });
        });
    }

    /**
     * Refuses to leave elements outside that were added since the handle was opened, because the caller does not know
     * them. Elements that are kept stored would be lost too: a stream that extends the array overwrites them.
     *
     * @param removed what this call has already removed, for the error
     */
    private void refuseUnknown(ArrayMetadata known, ArrayMetadata now, long[] shape, String removed) {
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] < now.shape()[d] && known.shape()[d] < now.shape()[d]) {
                throw node.located(new StoreException("resizing to " + Arrays.toString(shape) + " an array that was "
                        + Arrays.toString(known.shape()) + " when it was opened, and is "
                        + Arrays.toString(now.shape())
                        + " now: the added elements would be lost; open it again" + removed));
            }
        }
    }

    /** Removes the elements outside, and returns a text about that; empty if no dimension becomes shorter. */
    private String remove(ArrayMetadata now, long[] shape) {
        boolean alone = SlicePlace.isAlone(node);
        // With metadata up to the ends of chunks, the edits keep slices that writers store past the array's end.
        ArrayMetadata writing = alone ? now : now.withShape(chunkEnds(now));
        Writes writes = new Writes(node, writing, new Chunks(writing, node));
        writes.check("removing elements outside a new shape");
        Box inside = Box.of(shape);
        FillFeed fill = new FillFeed(now.fillValue());
        writes.eraseCells(cells(now, shape), (i, cell) -> {
            Box chunk = now.chunkGrid().chunk(cell);
            List<WritePart> parts = new ArrayList<>();
            for (Box box : Boxes.minus(alone ? chunk : chunk.intersect(Box.of(now.shape())), inside)) {
                parts.add(new WritePart(box, fill));
            }
            return new WritePart(chunk, PartsFeed.of(parts, chunk.origin()));
        });
        return inside.contains(Box.of(now.shape()))
                ? ""
                : ". This call has already removed the elements of " + Arrays.toString(now.shape()) + " outside of "
                        + Arrays.toString(shape) + ": they read as the fill value";
    }

    /** Returns the ends of the last chunks: the shape, rounded up to whole chunks. */
    private static long[] chunkEnds(ArrayMetadata now) {
        ChunkGrid grid = now.chunkGrid();
        long[] last = grid.cells();
        if (Box.of(last).isEmpty()) {
            return now.shape();
        }
        for (int d = 0; d < last.length; d++) {
            last[d]--;
        }
        Box chunk = grid.chunk(last);
        long[] ends = new long[last.length];
        for (int d = 0; d < ends.length; d++) {
            ends[d] = Math.max(now.shape()[d], chunk.end(d));
        }
        return ends;
    }

    /** Returns the cells of chunks that reach outside {@code shape}, in disjoint boxes. */
    private static List<Box> cells(ArrayMetadata now, long[] shape) {
        ChunkGrid grid = now.chunkGrid();
        long[] all = grid.cells();
        long[] inside = new long[all.length];
        for (int d = 0; d < all.length; d++) {
            inside[d] = shape[d] >= now.shape()[d] ? all[d] : whole(grid, d, all, shape[d]);
        }
        return Boxes.minus(Box.of(all), Box.of(inside));
    }

    /** Returns the number of chunks in dimension {@code d} that end at or before {@code length}. */
    private static long whole(ChunkGrid grid, int d, long[] all, long length) {
        if (length == 0 || Box.of(all).isEmpty()) {
            return 0;
        }
        long[] at = new long[all.length];
        long[] one = new long[all.length];
        Arrays.fill(one, 1);
        at[d] = length - 1;
        long[] cell = grid.touched(Box.of(at, one)).origin();
        return cell[d] + (grid.chunk(cell).end(d) <= length ? 1 : 0);
    }
}
