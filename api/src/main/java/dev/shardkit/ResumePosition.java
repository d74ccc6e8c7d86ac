package dev.shardkit;

import dev.shardkit.region.FillCheck;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.store.policy.MissingChunks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * The position at which a stream of slices resumes after its last run was interrupted. Elements that were never written
 * read as the fill value, so trailing slices that hold only this value count as not written.
 *
 * @param index the index behind the last slice with an element other than the fill value
 * @param wholeEnd the index before which all slices are whole; at most {@code index}. A crash may leave the last slices
 *     in some of their inner chunks only. The slices between both indices lack the elements of some inner chunks, or
 *     these elements equal the fill value: both look the same
 */
record ResumePosition(long index, long wholeEnd) {
    /** Returns the position of a stream that has stored exactly the slices before {@code index}. */
    static ResumePosition at(long index) {
        return new ResumePosition(index, index);
    }

    /**
     * Finds the position of the stream that wrote {@code region} along dimension {@code along}; the region's origin if
     * no slice is stored. Reads the last layer of inner chunks in which a slice is stored. If an inner chunk of that
     * layer holds nothing, reads the inner chunks before it in the same shard. Earlier shards need no check: a stream
     * begins a shard only when the last one is stored.
     */
    static ResumePosition find(ZarrArray array, Box region, int along) {
        if (region.isEmpty()) {
            return at(region.origin(along));
        }
        ZarrArray filled = array.with(o -> o.withMissingChunks(MissingChunks.FILL));
        for (Box shards : layers(filled.presence(region).atLevel(0), region, along)) {
            for (Box layer : layers(filled.presence(shards), shards, along)) {
                SliceEnds ends = new SliceEnds(filled, layer, along);
                filled.read(layer, ends);
                if (ends.last() > layer.origin(along)) {
                    return new ResumePosition(ends.last(), wholeEnd(filled, shards, along, ends));
                }
            }
        }
        return at(region.origin(along));
    }

    /** Divides a region into layers, one chunk deep. Returns those in which a chunk exists, the last one first. */
    private static List<Box> layers(ChunkPresence chunks, Box region, int along) {
        TreeMap<Long, Box> layers = new TreeMap<>();
        for (PresentChunk chunk : chunks) {
            Box box = chunk.box();
            layers.computeIfAbsent(box.origin(along), origin -> Boxes.cut(region, along, origin, box.end(along))
                    .intersect(region));
        }
        return List.copyOf(layers.descendingMap().values());
    }

    /** Returns the index before which all columns of a row of shards hold the slices. */
    private static long wholeEnd(ZarrArray array, Box shards, int along, SliceEnds ends) {
        long least = ends.least();
        for (Box column : ends.emptyColumns()) {
            if (least == shards.origin(along)) {
                break;
            }
            Box before = Boxes.cut(column, along, shards.origin(along), column.origin(along));
            least = Math.min(least, find(array, before, along).index());
        }
        return least;
    }

    /**
     * Receives a layer of inner chunks. Finds in each of them the end of the slices that hold an element other than the
     * fill value.
     */
    private static final class SliceEnds implements Target {
        private final ZarrArray array;
        private final Box layer;
        private final int along;
        private final long[] chunkShape;
        /** The layer in the grid of inner chunks: one cell for each column. */
        private final Box columns;
        /** For each column, the end of its slices; the layer's origin if it has none. Guarded by this object. */
        private final long[] ends;

        SliceEnds(ZarrArray array, Box layer, int along) {
            this.array = array;
            this.layer = layer;
            this.along = along;
            this.chunkShape = array.chunkShape();
            this.columns = across(layer).cells(chunkShape);
            this.ends = new long[Math.toIntExact(columns.count())];
            Arrays.fill(ends, layer.origin(along));
        }

        private Box across(Box box) {
            return Boxes.cut(box, along, 0, 1);
        }

        @Override
        public void put(Elements source, long offset, long[] strides, Box box) {
            Box inArray = box.translate(layer.origin());
            Box touched = across(inArray).cells(chunkShape);
            for (long i = 0; i < touched.count(); i++) {
                int column =
                        Math.toIntExact(Shapes.ravel(touched.relativeTo(columns).at(i), columns.shape()));
                Box part = column(column).intersect(inArray);
                long start = offset;
                for (int d = 0; d < strides.length; d++) {
                    start += (part.origin(d) - inArray.origin(d)) * strides[d];
                }
                put(column, source, start, strides, part);
            }
        }

        /** Receives a part of one column. */
        private void put(int column, Elements source, long offset, long[] strides, Box part) {
            for (long i = part.end(along) - 1; i >= part.origin(along); i--) {
                FillCheck slice = new FillCheck(array.dataType(), array.fillValue());
                long inSource = offset + (i - part.origin(along)) * strides[along];
                slice.put(source, inSource, strides, Boxes.cut(part, along, i, i + 1));
                if (slice.foundOtherThanFill()) {
                    synchronized (this) {
                        ends[column] = Math.max(ends[column], i + 1);
                    }
                    return;
                }
            }
        }

        @Override
        public void fill(FillValue value, Box box) {
            // holds no other element
        }

        private Box column(int column) {
            Box cell = Box.cell(columns.at(column), chunkShape);
            return Boxes.cut(cell, along, layer.origin(along), layer.end(along)).intersect(layer);
        }

        synchronized long last() {
            return Arrays.stream(ends).max().orElseThrow();
        }

        synchronized long least() {
            return Arrays.stream(ends).min().orElseThrow();
        }

        /** Returns the columns that hold nothing in this layer. */
        synchronized List<Box> emptyColumns() {
            List<Box> empty = new ArrayList<>();
            for (int column = 0; column < ends.length; column++) {
                if (ends[column] == layer.origin(along)) {
                    empty.add(column(column));
                }
            }
            return empty;
        }
    }
}
