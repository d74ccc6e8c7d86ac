package dev.shardkit.region.stream;

import dev.shardkit.region.feed.StagedShardsFeed;
import dev.shardkit.region.stream.SliceLayer.Encoded;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAssembly;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.StagedPuts;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of shards of a stream ("slab"): the shards, side by side, that the same slices cross. Encoded inner chunks
 * are appended at once to staged objects in the store, so that they need no memory. A shard is published when all its
 * slices have come. Used by one thread at a time.
 */
final class StagedShards implements AutoCloseable {
    private final SliceColumns columns;
    private final ShardAccess codec;
    private final long first;
    private final long position;
    /** The shards by their indexes in the chunk grid, with 0 in the stream's dimension. */
    private final Map<List<Long>, Shard> shards = new HashMap<>();

    /**
     * Creates a slab without bytes.
     *
     * @param first the number of the first slice in the stream
     * @param position the index of the first slice in the array
     */
    StagedShards(SliceColumns columns, ShardAccess codec, long first, long position) {
        this.columns = columns;
        this.codec = codec;
        this.first = first;
        this.position = position;
    }

    /** A shard whose inner chunks are staged: a staged object with the encoded bytes, in the order of their arrival. */
    static final class Shard implements StagedShardsFeed.Shard {
        private final StagedPuts.Staged object;
        private final ShardAssembly framing;
        /** The size of each inner chunk in bytes; -1 if it is absent. */
        private final long[] sizes;
        /** The edit that was planned last; only this edit may use the staged object. */
        private @Nullable Edit edit;

        private Shard(StagedPuts.Staged object, ShardAssembly framing, long count) {
            this.object = object;
            this.framing = framing;
            this.sizes = new long[Math.toIntExact(count)];
            Arrays.fill(sizes, -1);
        }

        @Override
        public boolean isStored() {
            return object.isStored();
        }

        @Override
        public synchronized Edit edit(Scratch scratch) {
            boolean isEmpty = Arrays.stream(sizes).allMatch(size -> size < 0);
            edit = isEmpty
                    ? new Edit.Delete()
                    : new Edit.Replace(List.of(new Piece.Literal(framing.frame(sizes, ShardWritePolicy.Order.C, scratch)
                            .tail())));
            return edit;
        }

        @Override
        public synchronized Optional<StagedPuts.Staged> staged(Edit planned) {
            return planned == edit ? Optional.of(object) : Optional.empty();
        }
    }

    /** The state to which {@link #restore} returns: the size of each staged object, and the layer that comes next. */
    record Mark(Map<List<Long>, Long> sizes, long layer) {}

    long first() {
        return first;
    }

    long position() {
        return position;
    }

    /** Stages the shard of a column, if it is not staged yet. Only for shards that the slices cover completely. */
    void begin(int column, StagedPuts stages, String key) throws IOException {
        List<Long> cell = cell(columns.shardOf(column));
        if (!shards.containsKey(cell)) {
            shards.put(cell, new Shard(stages.stage(key), ShardAssembly.of(codec), Shapes.count(codec.gridShape())));
        }
    }

    private static List<Long> cell(long[] cell) {
        return Arrays.stream(cell).boxed().toList();
    }

    /** Returns the shard at an index of the chunk grid. Ignores the index in the stream's dimension. */
    Optional<Shard> shard(long[] cell) {
        long[] across = cell.clone();
        across[columns.dimension()] = 0;
        return Optional.ofNullable(shards.get(cell(across)));
    }

    /**
     * Appends an inner chunk.
     *
     * @param layer the index of the inner chunk in its shard, in the stream's dimension
     * @return the location of the bytes; empty if the column's shard is not staged or is stored already
     */
    Optional<Encoded> append(int column, long layer, Bytes bytes) throws IOException {
        Optional<Shard> shard = shard(columns.shardOf(column));
        if (shard.isEmpty() || shard.get().isStored()) {
            return Optional.empty();
        }
        StagedPuts.Staged object = shard.get().object;
        long offset = object.size();
        object.append(bytes);
        long[] cell = columns.cellInShard(column);
        cell[columns.dimension()] = layer;
        shard.get().sizes[Math.toIntExact(Shapes.ravel(cell, codec.gridShape()))] = bytes.size();
        return Optional.of(new Encoded.Staged(object, offset, bytes.size()));
    }

    /** Returns whether no inner chunk of {@code layer} is missing in the staged shards. */
    boolean holds(SliceLayer layer) {
        for (int column = 0; column < columns.count(); column++) {
            Encoded form = layer.encoded(column);
            boolean isMissing = form == null || form instanceof Encoded.InMemory;
            if (isMissing && shard(columns.shardOf(column)).isPresent()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the state before the inner chunks of {@code layer} are appended. */
    Mark mark(long layer) {
        Map<List<Long>, Long> sizes = new HashMap<>();
        shards.forEach((cell, shard) -> sizes.put(cell, shard.object.size()));
        return new Mark(sizes, layer);
    }

    /** Removes all inner chunks that were appended after a mark. */
    void restore(Mark mark) throws IOException {
        long[] cells = codec.gridShape();
        for (Map.Entry<List<Long>, Shard> entry : shards.entrySet()) {
            Shard shard = entry.getValue();
            if (shard.isStored()) {
                continue;
            }
            shard.object.truncate(mark.sizes().getOrDefault(entry.getKey(), 0L));
            for (int i = 0; i < shard.sizes.length; i++) {
                if (Shapes.unravel(i, cells)[columns.dimension()] >= mark.layer()) {
                    shard.sizes[i] = -1;
                }
            }
        }
    }

    /** Discards the staged objects that were not stored. */
    @Override
    public void close() throws IOException {
        for (Shard shard : shards.values()) {
            shard.object.close();
        }
    }
}
