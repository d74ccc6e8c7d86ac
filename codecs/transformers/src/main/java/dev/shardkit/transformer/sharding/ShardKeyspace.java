package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The keyspace of a {@link ShardingTransformer}: maps each chunk key to a slice of a stored shard, and passes other
 * keys, such as those of documents, on unchanged. Immutable.
 *
 * @param transformer the number of chunks in each shard
 * @param inner the keys of the shards
 */
record ShardKeyspace(ShardingTransformer transformer, Keyspace inner) implements Keyspace {
    /** Returns the parsed key; empty if it is not the key of a chunk. */
    private Optional<ChunkKey> chunk(String key) {
        return ChunkKey.of(key, transformer.chunksPerShard().length);
    }

    @Override
    public Plan<Source> open(String key) {
        Optional<ChunkKey> chunk = chunk(key);
        if (chunk.isEmpty()) {
            return inner.open(key);
        }
        return inner.open(chunk.get().shardKey(transformer.chunksPerShard()))
                .then(shard ->
                        DraftIndex.read(shard, transformer.count()).map(index -> source(shard, index, chunk.get())));
    }

    /** Returns the source of a chunk: a slice of its shard, or absent. */
    private Source source(Source shard, Optional<ShardIndex> index, ChunkKey chunk) {
        long[] chunksPerShard = transformer.chunksPerShard();
        long[] indices = chunk.inShard(chunksPerShard);
        long number = chunk.number(chunksPerShard);
        index.ifPresent(entries -> entries.check(number, chunksPerShard, shard.location()));
        return ShardIndex.source(index, number, shard, indices);
    }

    @Override
    public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
        Optional<ChunkKey> chunk = chunk(key);
        if (chunk.isEmpty()) {
            return inner.edit(key, change);
        }
        return inner.edit(chunk.get().shardKey(transformer.chunksPerShard()), shard -> DraftIndex.read(
                        shard, transformer.count())
                .then(index -> change.apply(source(shard, index, chunk.get()))
                        .then(edit -> Plan.defer(
                                shard.location(), scratch -> Plan.done(edit(shard, index, chunk.get(), edit))))));
    }

    @Override
    public Optional<Plan<Edit>> editTogether(List<String> keys, List<Function<Source, Plan<Edit>>> changes) {
        Map<String, SortedMap<Long, Member>> shards = new LinkedHashMap<>();
        long[] chunksPerShard = transformer.chunksPerShard();
        for (int i = 0; i < keys.size(); i++) {
            Optional<ChunkKey> chunk = chunk(keys.get(i));
            if (chunk.isEmpty()) {
                return Optional.empty();
            }
            shards.computeIfAbsent(chunk.get().shardKey(chunksPerShard), k -> new TreeMap<>())
                    .put(chunk.get().number(chunksPerShard), new Member(chunk.get(), changes.get(i)));
        }
        List<String> shardKeys = List.copyOf(shards.keySet());
        List<Function<Source, Plan<Edit>>> edits =
                shardKeys.stream().map(k -> together(shards.get(k))).toList();
        return shardKeys.size() == 1
                ? Optional.of(inner.edit(shardKeys.get(0), edits.get(0)))
                : inner.editTogether(shardKeys, edits);
    }

    /** One of several chunks of a shard that are changed together. */
    private record Member(ChunkKey chunk, Function<Source, Plan<Edit>> change) {}

    /** Returns the plan of one edit of a shard that combines the changes of its chunks, which it plans concurrently. */
    private Function<Source, Plan<Edit>> together(SortedMap<Long, Member> members) {
        List<Map.Entry<Long, Member>> list = List.copyOf(members.entrySet());
        return shard -> DraftIndex.read(shard, transformer.count()).then(index -> Plan.all(list.size(), i -> {
                    Member member = list.get((int) i).getValue();
                    return member.change().apply(source(shard, index, member.chunk()));
                })
                .map(edits -> {
                    SortedMap<Long, Edit> editsByNumber = new TreeMap<>();
                    for (int i = 0; i < edits.size(); i++) {
                        editsByNumber.put(list.get(i).getKey(), edits.get(i));
                    }
                    return ChunkEdits.edit(transformer.chunksPerShard(), shard.location(), index, editsByNumber);
                }));
    }

    /** Converts the edit of one chunk to an edit of its shard. */
    private Edit edit(Source shard, Optional<ShardIndex> index, ChunkKey chunk, Edit edit) {
        long[] chunksPerShard = transformer.chunksPerShard();
        long number = chunk.number(chunksPerShard);
        if (edit instanceof Edit.Patch p
                && p.appended().isEmpty()
                && index.isPresent()
                && p.oldSize() == index.get().size(number)) {
            return shifted(p, index.get().offset(number), index.get().shardSize());
        }
        return ChunkEdits.edit(chunksPerShard, shard.location(), index, new TreeMap<>(Map.of(number, edit)));
    }

    /** Turns a patch of a chunk that keeps its size into a patch of the shard. */
    private static Edit shifted(Edit.Patch patch, long distance, long shardSize) {
        List<Edit.Write> writes = patch.overwritten().stream()
                .map(w -> new Edit.Write(Math.addExact(distance, w.offset()), w.bytes()))
                .toList();
        return new Edit.Patch(
                shardSize, List.of(), writes, Edit.Recovery.JOURNAL, patch.strategy(), patch.fallbackReason());
    }

    @Override
    public String storedKey(String key) {
        return inner.storedKey(
                chunk(key).map(c -> c.shardKey(transformer.chunksPerShard())).orElse(key));
    }
}
