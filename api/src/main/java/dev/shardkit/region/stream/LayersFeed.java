package dev.shardkit.region.stream;

import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.feed.StagedShardsFeed;
import dev.shardkit.region.stream.SliceLayer.Encoded;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the elements of buffered layers of slices to the write that stores them. A layer is a run of slices that lie
 * in the same inner chunks, which may be encoded already. Position zero of the feed is slice {@code first} of the
 * stream, at the origin of the slices' region. The layers must not change while the feed is in use.
 *
 * @param inner the codec of the encoded inner chunks; no other codec gets encoded bytes
 * @param slab a row of shards, staged in the store, that holds exactly these slices; null if no shards are staged
 */
record LayersFeed(
        SliceColumns columns,
        List<SliceLayer> layers,
        long first,
        ChunkCodec inner,
        @Nullable StagedShards slab) implements StagedShardsFeed {
    @Override
    public Optional<Shard> staged(long[] cell) {
        return slab == null ? Optional.empty() : slab.shard(cell).map(shard -> shard); // map() widens the type
    }

    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        visit(part, (layer, column, box) -> {
            long start = offset;
            for (int d = 0; d < strides.length; d++) {
                start += (box.origin(d) - part.origin(d)) * strides[d];
            }
            get(layer, column, box, destination, start, strides);
        });
    }

    /** Copies a box that lies in one column of one layer: fills it, decodes an encoded inner chunk, or copies tiles. */
    private void get(SliceLayer layer, int column, Box box, Elements destination, long offset, long[] strides) {
        int d = columns.dimension();
        Encoded encoded = layer.encoded(column);
        if (encoded instanceof Encoded.Fill) {
            ElementCopy.fill(columns.fill(), destination, offset, strides, box.shape());
            return;
        }
        Box inColumn = box.translate(columns.region().origin()).relativeTo(columns.across(column));
        long firstInLayer = first + box.origin(d) - layer.first();
        if (encoded != null) {
            Box part = Boxes.cut(inColumn, d, firstInLayer, firstInLayer + box.shape(d));
            decode(bytes(encoded), part, destination, offset, strides);
            return;
        }
        for (int slice = 0; slice < box.shape(d); slice++) {
            layer.copy(
                    columns,
                    column,
                    (int) firstInLayer + slice,
                    Boxes.cut(inColumn, d, 0, 1),
                    destination,
                    offset + slice * strides[d],
                    strides);
        }
    }

    private void decode(Bytes encoded, Box part, Elements destination, long offset, long[] strides) {
        DenseChunk chunk = DenseChunk.filled(inner.type());
        try (Scratch scratch = new Scratch(0)) {
            inner.decode(encoded, inner.type().box(), chunk.target(), scratch);
        }
        chunk.feed().get(part, destination, offset, strides);
    }

    private static Bytes bytes(Encoded encoded) {
        if (encoded instanceof Encoded.Staged staged) {
            try {
                return staged.object().read(staged.offset(), staged.size());
            } catch (IOException e) {
                throw new StoreException("reading staged bytes failed: " + e.getMessage(), e);
            }
        }
        return ((Encoded.InMemory) encoded).bytes();
    }

    /** Receives the part of a box that lies in one column of one layer. */
    private interface Visit {
        void visit(SliceLayer layer, int column, Box box);
    }

    /** Splits a box along columns and layers, and visits each part. */
    private void visit(Box part, Visit visit) {
        int d = columns.dimension();
        Box across = part.translate(columns.region().origin());
        int[] touched = part.isEmpty() ? new int[0] : columns.touched(across);
        for (SliceLayer layer : layers) {
            long begin = Math.max(part.origin(d), layer.first() - first);
            long end = Math.max(begin, Math.min(part.end(d), layer.end() - first));
            Box inLayer = Boxes.cut(part, d, begin, end);
            if (inLayer.isEmpty()) {
                continue;
            }
            for (int column : touched) {
                Box inColumn = columns.across(column).relativeTo(columns.region());
                visit.visit(
                        layer, column, inLayer.intersect(Boxes.cut(inColumn, d, inLayer.origin(d), inLayer.end(d))));
            }
        }
    }

    @Override
    public Coverage coverage(Box part) {
        boolean[] hasValues = new boolean[1];
        visit(part, (layer, column, box) -> hasValues[0] |= !(layer.encoded(column) instanceof Encoded.Fill));
        return hasValues[0] || part.isEmpty() ? Coverage.ALL : Coverage.FILL;
    }

    @Override
    public EncodedFeed window(Box box) {
        return new Window(this, box);
    }

    @Override
    public Optional<Bytes> encoded(ChunkCodec codec) {
        return Optional.empty();
    }

    /** Returns the encoded inner chunk, if the box is exactly one column of one layer and is encoded by this codec. */
    private Optional<Bytes> encoded(Box box, ChunkCodec codec) {
        if (box.isEmpty() || codec != inner) {
            return Optional.empty();
        }
        int d = columns.dimension();
        for (SliceLayer layer : layers) {
            if (layer.first() - first == box.origin(d) && layer.end() - first == box.end(d)) {
                int[] touched = columns.touched(box.translate(columns.region().origin()));
                Box inColumn = columns.across(touched[0]).relativeTo(columns.region());
                Encoded encoded = layer.encoded(touched[0]);
                boolean isReady = touched.length == 1
                        && Boxes.cut(inColumn, d, box.origin(d), box.end(d)).equals(box)
                        && (encoded instanceof Encoded.InMemory || encoded instanceof Encoded.Staged);
                return isReady ? Optional.of(bytes(encoded)) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** A part of the feed, with the origin of {@code box} at zero. */
    private record Window(LayersFeed feed, Box box) implements EncodedFeed {
        @Override
        public void get(Box part, Elements destination, long offset, long[] strides) {
            feed.get(part.translate(box.origin()), destination, offset, strides);
        }

        @Override
        public Coverage coverage(Box part) {
            return feed.coverage(part.translate(box.origin()));
        }

        @Override
        public EncodedFeed window(Box part) {
            return new Window(feed, part.translate(box.origin()));
        }

        @Override
        public Optional<Bytes> encoded(ChunkCodec codec) {
            return feed.encoded(box, codec);
        }
    }
}
