package dev.shardkit;

import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The stored objects of an array and the layout of its shards, for tools that inspect or draw them. Immutable,
 * thread-safe.
 */
public final class ArrayStorage {
    private final StoredArray array;

    ArrayStorage(StoredArray array) {
        this.array = array;
    }

    /** Returns the number of stored chunks (shards, if there are any) in each dimension. */
    public long[] gridShape() {
        return array.cells();
    }

    /** Returns the box of the chunk at {@code cell}, which may reach past the edge of the array. */
    public Box box(long[] cell) {
        return array.box(cell);
    }

    /** Returns the key of the object for the chunk at {@code cell}. */
    public String key(long[] cell) {
        return array.key(cell);
    }

    /** Returns the codecs of the chunk at {@code cell}, bound to its shape and data type. */
    public ChunkCodec codec(long[] cell) {
        return array.codec(cell);
    }

    /** Reads the index of the shard at {@code cell}; empty if the shard is not stored, or the array has no shards. */
    public Optional<ShardAccess.Layout> layout(long[] cell) {
        return array.layout(cell);
    }

    /**
     * Returns the size in bytes of the object for the chunk at {@code cell}; empty if it is not stored. Reads the last
     * byte of the object.
     */
    public OptionalLong storedSize(long[] cell) {
        return array.storedSize(cell);
    }

    /**
     * Makes a plan for each of these chunks from its cell and its stored bytes, and runs the plans concurrently.
     * Returns their results in the order of the cells. With storage transformers, several chunks may be in one object.
     */
    public <T> List<T> inspect(List<long[]> cells, BiFunction<long[], Source, Plan<T>> plan) {
        return array.inspect(cells, plan);
    }

    /**
     * Returns the cell of the chunk that is stored under {@code key}, inside or outside the grid. Returns empty if the
     * key belongs to no chunk, if the array has storage transformers, or if the keys do not contain the indices as
     * decimal numbers.
     */
    public Optional<long[]> cell(String key) {
        return array.cell(key);
    }

    /**
     * Lists all objects below the array's node, except its documents and internal files of the store, in no particular
     * order. Objects that cannot be read are listed too, so that callers get the error and do not take them for absent.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support listing
     */
    public void objects(Consumer<String> keys) {
        array.objects(keys);
    }

    /** Returns the cells whose chunks {@code region} touches. */
    public Box touched(Box region) {
        return array.touched(region);
    }
}
