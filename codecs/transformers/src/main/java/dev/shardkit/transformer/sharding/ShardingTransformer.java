package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.IndexEncoding;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The {@code sharding} storage transformer (editor's draft of February 2022, version 1.0). A stored object, the shard,
 * contains a fixed number of chunks in each dimension; its key is the chunk's key with each index divided by that
 * number. A shard ends with an index of 16 bytes for each chunk, in C order, little-endian, without a checksum. An
 * immutable value.
 *
 * <p>Supports the keys of both chunk key encodings and of the draft ({@code c0/1}, {@code c/0/1}, {@code c.0.1},
 * {@code 0.1}), with any prefix; other keys pass unchanged. Arrays with this transformer are read and written like any
 * other. New arrays should use {@code sharding_indexed} instead.
 */
public final class ShardingTransformer implements StorageTransformer {
    static final String NAME = "sharding";
    static final String CHUNKS_PER_SHARD = "chunks_per_shard";

    /** The encoding of the index: pairs of little-endian numbers without a checksum, at the end of the shard. */
    private static final IndexEncoding INDEX = new IndexEncoding(
            List.of(Json.extension("bytes", Json.object().with("endian", Json.of("little")))), IndexLocation.END);

    private final long[] chunksPerShard;

    private ShardingTransformer(long[] chunksPerShard) {
        this.chunksPerShard = chunksPerShard;
    }

    /**
     * Creates a transformer.
     *
     * @param chunksPerShard the number of chunks of a shard in each dimension
     * @throws MetadataException if a number is below 1, or the index would exceed the limit for shard indexes
     */
    public static ShardingTransformer of(long... chunksPerShard) {
        long maximum = Limits.defaults().indexBytes() / DraftIndex.ENTRY_BYTES;
        long chunks = 1;
        for (long n : chunksPerShard) {
            if (n < 1 || n > maximum / chunks) {
                throw new MetadataException(
                        CHUNKS_PER_SHARD + ": expected numbers of at least 1 whose product is at most " + maximum
                                + " (limit indexBytes), found " + Arrays.toString(chunksPerShard));
            }
            chunks *= n;
        }
        return new ShardingTransformer(chunksPerShard.clone());
    }

    /** Returns the number of chunks of a shard in each dimension. */
    public long[] chunksPerShard() {
        return chunksPerShard.clone();
    }

    /** Returns the number of chunks of a shard. */
    long count() {
        return Shapes.count(chunksPerShard);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(CHUNKS_PER_SHARD, Json.of(chunksPerShard));
    }

    @Override
    public void check(long[] arrayShape) {
        if (arrayShape.length != chunksPerShard.length) {
            throw new MetadataException(CHUNKS_PER_SHARD + ": expected " + arrayShape.length
                    + " numbers, one for each dimension, found " + Arrays.toString(chunksPerShard));
        }
    }

    @Override
    public Keyspace over(Keyspace keyspace) {
        return new ShardKeyspace(this, keyspace);
    }

    @Override
    public Optional<Packing> packing() {
        return Optional.of(new Packing(chunksPerShard, INDEX));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ShardingTransformer t && Arrays.equals(chunksPerShard, t.chunksPerShard);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(chunksPerShard);
    }

    @Override
    public String toString() {
        return NAME + Arrays.toString(chunksPerShard);
    }
}
