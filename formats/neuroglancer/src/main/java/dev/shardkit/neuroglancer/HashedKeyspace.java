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
 * Maps chunk keys to slices of shards; other keys pass unchanged. Immutable.
 *
 * @param shards the chunks and how they are distributed
 * @param below the keys of the store
 */
record HashedKeyspace(HashedShards shards, Keyspace below) implements Keyspace {
    /** A chunk, its number, and its place. */
    private record Chunk(VolumeGrid.Cell cell, long id, Sharding.Slot slot, String shardKey) {}

    private Optional<Chunk> chunk(String key) {
        return shards.grid().cell(key).map(cell -> {
            long id = ChunkIds.id(shards.grid(), cell.at());
            Sharding.Slot slot = shards.sharding().slot(id);
            return new Chunk(cell, id, slot, shards.sharding().key(cell.path(), slot.shard()));
        });
    }

    private ShardReading reading(Source shard) {
        return new ShardReading(shards, shard);
    }

    @Override
    public Plan<Source> open(String key) {
        Optional<Chunk> chunk = chunk(key);
        return chunk.isEmpty()
                ? below.open(key)
                : below.open(chunk.get().shardKey()).then(shard -> open(shard, chunk.get()));
    }

    private Plan<Source> open(Source shard, Chunk chunk) {
        return reading(shard).minishard(chunk.slot().minishard()).map(index -> index.flatMap(
                        found -> found.extent(chunk.id()))
                .map(extent -> shard.inner(chunk.cell().at(), extent.offset(), extent.size()))
                .orElseGet(
                        () -> Source.absent(shard.location().inner(chunk.cell().at()))));
    }

    @Override
    public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
        Optional<Chunk> chunk = chunk(key);
        return chunk.isEmpty() ? below.edit(key, change) : edit(Map.of(chunk.get(), change));
    }

    @Override
    public Optional<Plan<Edit>> editTogether(List<String> keys, List<Function<Source, Plan<Edit>>> changes) {
        Map<Chunk, Function<Source, Plan<Edit>>> members = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            Optional<Chunk> chunk = chunk(keys.get(i));
            if (chunk.isEmpty()) {
                return Optional.empty();
            }
            members.put(chunk.get(), changes.get(i));
        }
        return members.keySet().stream().map(Chunk::shardKey).distinct().count() == 1
                ? Optional.of(edit(members))
                : Optional.empty();
    }

    /** Edits chunks of one shard. */
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
                    return reading(shard)
                            .whole()
                            .then(content -> Plan.defer(
                                    shard.location(),
                                    scratch -> Plan.done(new ShardRewrite(shards.sharding(), shard.location(), content)
                                            .edit(byId, scratch))));
                }));
    }

    @Override
    public String storedKey(String key) {
        return below.storedKey(chunk(key).map(Chunk::shardKey).orElse(key));
    }
}
