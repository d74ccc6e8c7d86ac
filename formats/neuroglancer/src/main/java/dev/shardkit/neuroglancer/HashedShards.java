package dev.shardkit.neuroglancer;

import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sharded chunks of a scale (sharded.md): the hash of a chunk's number selects a shard and a minishard in it. The
 * chunk keys above are those of {@code v2} with slashes. An immutable value.
 *
 * @param grid the chunks
 * @param sharding the sharding specification
 */
record HashedShards(VolumeGrid grid, Sharding sharding) implements StorageTransformer {
    static final String NAME = "neuroglancer.shards";

    /**
     * Creates the transformer.
     *
     * @param pointer where the configuration is, for the error
     * @throws UnsupportedException if the numbers of chunks need more than 64 bits
     */
    static HashedShards of(VolumeGrid grid, Sharding sharding, String pointer) {
        int bits = ChunkIds.bits(grid);
        if (bits > Long.SIZE) {
            throw new UnsupportedException(
                    pointer + ": expected a volume whose chunks have numbers of 64 bits, found " + bits);
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
        members.putAll(sharding.json().members());
        return new Json.Obj(members);
    }

    @Override
    public Keyspace over(Keyspace below) {
        return new HashedKeyspace(this, below);
    }
}
