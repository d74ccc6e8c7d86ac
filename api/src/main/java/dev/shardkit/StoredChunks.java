package dev.shardkit;

import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The stored objects of an array and the layout of its shards, to be looked at: maps are drawn from it. Immutable,
 * thread-safe.
 */
public final class StoredChunks {
    private final StoredArray stored;

    StoredChunks(StoredArray stored) {
        this.stored = stored;
    }

    /** How many stored chunks (shards, where there are any) the array has in each dimension. */
    public long[] cells() {
        return stored.cells();
    }

    /** Where the chunk at {@code cell} lies in the array; it may reach past the edge. */
    public Box box(long[] cell) {
        return stored.box(cell);
    }

    /** The key of the object stored for the chunk at {@code cell}. */
    public String key(long[] cell) {
        return stored.key(cell);
    }

    /** The bound codecs of the chunk at {@code cell}. */
    public ChunkCodec codec(long[] cell) {
        return stored.codec(cell);
    }

    /** The index of the shard at {@code cell}; empty if the shard is not stored, or chunks are not shards. */
    public Optional<Partitioned.Layout> layout(long[] cell) {
        return stored.layout(cell);
    }

    /**
     * The size in bytes of the object stored for the chunk at {@code cell}, which is asked for its last byte; empty if
     * none is.
     */
    public OptionalLong storedSize(long[] cell) {
        return stored.storedSize(cell);
    }

    /**
     * Runs a plan for each of these chunks, given what is stored of it, side by side; the values come in the same
     * order. With storage transformers several chunks may lie in one object.
     */
    public <T> List<T> inspect(List<long[]> cells, BiFunction<long[], Source, Plan<T>> plan) {
        return stored.inspect(cells, plan);
    }

    /**
     * The cell of the chunk that {@code key} is the key of, in the grid or outside it; empty if it is no chunk's, or
     * the array has storage transformers, or a key encoding whose keys do not show their indices as decimal numbers.
     */
    public Optional<long[]> cell(String key) {
        return stored.cell(key);
    }

    /**
     * Names all objects below the array's node but its documents, in no order; what the store keeps for itself is left
     * out. What every read refuses is named too, so that reading it fails, and it is not taken for absent.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if the store cannot list
     */
    public void objects(Consumer<String> keys) {
        stored.objects(keys);
    }

    /** The cells whose chunks {@code region} touches. */
    public Box touched(Box region) {
        return stored.touched(region);
    }
}
