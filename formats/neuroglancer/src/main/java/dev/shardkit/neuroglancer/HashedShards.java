package dev.shardkit.neuroglancer;

import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The storage transformer of a scale with shards (sharded.md of neuroglancer). The hash of a chunk's id selects a
 * shard, and a minishard (a group of chunks with an index of its own) in the shard. The transformer maps chunk keys,
 * such as {@code 0/0/0/0}, to slices of shards. Immutable.
 *
 * @param grid the grid of chunks
 * @param sharding the sharding specification
 */
record HashedShards(VolumeGrid grid, Sharding sharding) implements StorageTransformer {
    static final String NAME = "neuroglancer.shards";

    /**
     * Creates the transformer.
     *
     * @param pointer the location of the configuration, for the error
     * @throws UnsupportedException if ids of chunks need more than 64 bits
     */
    static HashedShards create(VolumeGrid grid, Sharding sharding, String pointer) {
        int idBits = ChunkIds.bitCount(grid);
        if (idBits > Long.SIZE) {
            throw new UnsupportedException(
                    pointer + ": expected a volume whose chunks have numbers of 64 bits, found " + idBits);
        }
        return new HashedShards(grid, sharding);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        Map<String, Json> members = new LinkedHashMap<>(grid.configuration().members());
        members.putAll(sharding.toJson().members());
        return new Json.Obj(members);
    }

    @Override
    public Keyspace over(Keyspace below) {
        return new HashedKeyspace(this, below);
    }
}
