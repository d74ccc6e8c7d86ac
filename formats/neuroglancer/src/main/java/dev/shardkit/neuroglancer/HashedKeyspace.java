package dev.shardkit.neuroglancer;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The keys of a sharded scale, which is one resolution of a volume: maps the key of a chunk to a slice of its shard.
 * Other keys are unchanged. Immutable.
 *
 * @param shards the chunks and their distribution over shards
 * @param below the keys of the store
 */
record HashedKeyspace(HashedShards shards, Keyspace below) implements Keyspace {
    /** A chunk, its id, and its position in a shard. */
    private record Chunk(VolumeGrid.Cell cell, long id, Sharding.Slot slot, String shardKey) {}

    /** Returns the position of the chunk with a key; empty if the key is not that of a chunk. */
    private Optional<Chunk> locate(String key) {
        return shards.grid().parseKey(key).map(cell -> {
            long id = ChunkIds.idOf(shards.grid(), cell.indexes());
            Sharding.Slot slot = shards.sharding().slot(id);
            return new Chunk(cell, id, slot, shards.sharding().shardKey(cell.path(), slot.shard()));
        });
    }

    private ShardIndexReads readerOf(Source shard) {
        return new ShardIndexReads(shards, shard);
    }

    @Override
    public Plan<Source> open(String key) {
        Optional<Chunk> chunk = locate(key);
        return chunk.isEmpty()
                ? below.open(key)
                : below.open(chunk.get().shardKey()).then(shard -> open(shard, chunk.get()));
    }

    /** Finds a chunk in the index of its minishard, and opens its slice of the shard. */
    private Plan<Source> open(Source shard, Chunk chunk) {
        return readerOf(shard).readMinishard(chunk.slot().minishard()).map(index -> slice(shard, chunk, index));
    }

    /** Returns the slice of the shard that is the chunk; an absent source if the index has no entry for the chunk. */
    private static Source slice(Source shard, Chunk chunk, Optional<Minishard> index) {
        return index.flatMap(minishard -> minishard.extent(chunk.id()))
                .map(extent -> shard.inner(chunk.cell().indexes(), extent.offset(), extent.size()))
                .orElseGet(
                        () -> Source.absent(shard.location().inner(chunk.cell().indexes())));
    }

    @Override
    public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
        Optional<Chunk> chunk = locate(key);
        return chunk.isEmpty() ? below.edit(key, change) : edit(Map.of(chunk.get(), change));
    }

    @Override
    public Optional<Plan<Edit>> editTogether(List<String> keys, List<Function<Source, Plan<Edit>>> changes) {
        Map<Chunk, Function<Source, Plan<Edit>>> members = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            Optional<Chunk> chunk = locate(keys.get(i));
            if (chunk.isEmpty()) {
                return Optional.empty();
            }
            members.put(chunk.get(), changes.get(i));
        }
        return members.keySet().stream().map(Chunk::shardKey).distinct().count() == 1
                ? Optional.of(edit(members))
                : Optional.empty();
    }

    /** Edits chunks of the same shard: plans the edit of each chunk, then writes the shard anew with the results. */
    private Plan<Edit> edit(Map<Chunk, Function<Source, Plan<Edit>>> changes) {
        List<Chunk> chunks = new ArrayList<>(changes.keySet());
        return below.edit(chunks.get(0).shardKey(), shard -> Plan.all(chunks.size(), i -> {
                    Chunk chunk = chunks.get((int) i);
                    return open(shard, chunk).then(changes.get(chunk));
                })
                .then(edits -> {
                    Map<Long, Edit> byId = new TreeMap<>();
                    for (int i = 0; i < edits.size(); i++) {
                        byId.put(chunks.get(i).id(), edits.get(i));
                    }
                    return readerOf(shard)
                            .readContent()
                            .then(content -> Plan.defer(
                                    shard.location(),
                                    scratch -> Plan.done(new ShardRewrite(shards.sharding(), shard.location(), content)
                                            .edit(byId, scratch))));
                }));
    }

    @Override
    public String storedKey(String key) {
        return below.storedKey(locate(key).map(Chunk::shardKey).orElse(key));
    }
}
