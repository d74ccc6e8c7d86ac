package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.transformer.sharding.ShardedKeys.Change;
import dev.shardkit.transformer.sharding.ShardedKeys.KeyStart;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** What becomes of stored objects when keys of {@link ShardedKeys} are set or erased. Immutable. */
record ShardChanges(ShardedArrayKeys keys, Keyspace below, long count) {
    /** Sets whole values. */
    List<Change> set(Map<String, Bytes> values) {
        Map<String, SortedMap<Long, Function<Long, Edit>>> shards = new LinkedHashMap<>();
        List<Change> changes = new ArrayList<>();
        values.forEach((key, value) -> {
            Optional<ChunkKey> chunk = keys.parse(key);
            if (chunk.isPresent()) {
                shards.computeIfAbsent(chunk.get().shardKey(keys.per()), k -> new TreeMap<>())
                        .put(chunk.get().number(keys.per()), size -> Edit.replace(value));
            } else {
                changes.add(change(key, old -> Plan.done(Edit.replace(value))));
            }
        });
        shards.forEach((key, edits) -> changes.add(change(key, edits, isAll(key, edits.keySet()))));
        return changes;
    }

    /** Whether {@code numbers} are all chunks that the array has in a shard. */
    private boolean isAll(String shardKey, Collection<Long> numbers) {
        var available = keys.available(keys.parse(shardKey).orElseThrow().cell());
        for (long i = 0; i < available.count(); i++) {
            if (!numbers.contains(keys.number(available.at(i)))) {
                return false;
            }
        }
        return true;
    }

    private Change change(String key, Function<Source, Plan<Edit>> edit) {
        return new Change(below.storedKey(key), below.edit(key, edit));
    }

    /** A change of a shard; edits are made of the sizes of chunks, -1 for those that are missing. */
    private Change change(String shardKey, SortedMap<Long, Function<Long, Edit>> edits, boolean all) {
        return change(shardKey, shard -> (all ? Plan.done(Optional.<ShardIndex>empty()) : ShardIndex.read(shard, count))
                .map(before -> {
                    SortedMap<Long, Edit> made = new TreeMap<>();
                    edits.forEach((number, edit) -> made.put(
                            number, edit.apply(before.map(b -> b.size(number)).orElse(ShardIndex.NONE))));
                    return Assembly.edit(keys.per(), shard.place(), before, made);
                }));
    }

    /** Sets parts of values. */
    List<Change> setPartialValues(List<KeyStart> parts) {
        Map<String, List<KeyStart>> byKey = new LinkedHashMap<>();
        parts.forEach(
                p -> byKey.computeIfAbsent(p.key(), k -> new ArrayList<>()).add(p));
        Map<String, SortedMap<Long, Function<Long, Edit>>> shards = new LinkedHashMap<>();
        List<Change> changes = new ArrayList<>();
        byKey.forEach((key, ofKey) -> {
            Optional<ChunkKey> chunk = keys.parse(key);
            if (chunk.isPresent()) {
                shards.computeIfAbsent(chunk.get().shardKey(keys.per()), k -> new TreeMap<>())
                        .put(chunk.get().number(keys.per()), size -> changed(size, ofKey));
            } else {
                changes.add(change(key, old -> old.read(
                                new ByteRange.Suffix(1),
                                (answer, scratch) ->
                                        answer instanceof Answer.Found f ? f.sourceSize() : ShardIndex.NONE)
                        .map(size -> changed(size, ofKey))));
            }
        });
        shards.forEach((key, edits) -> changes.add(change(key, edits, false)));
        return changes;
    }

    private static Edit changed(long size, List<KeyStart> parts) {
        List<Piece> pieces = size > 0 ? List.of(new Piece.Moved(0, size)) : List.of();
        for (KeyStart part : parts) {
            pieces = Overlay.written(pieces, part.start(), part.value());
        }
        return new Edit.Replace(pieces);
    }

    /** Erases keys. */
    List<Change> eraseValues(Collection<String> erased, WritePolicy.Strategy strategy) {
        Map<String, SortedMap<Long, Function<Long, Edit>>> shards = new LinkedHashMap<>();
        List<Change> changes = new ArrayList<>();
        for (String key : erased) {
            Optional<ChunkKey> chunk = keys.parse(key);
            if (chunk.isPresent()) {
                shards.computeIfAbsent(chunk.get().shardKey(keys.per()), k -> new TreeMap<>())
                        .put(chunk.get().number(keys.per()), size -> new Edit.Absent());
            } else {
                changes.add(change(key, old -> Plan.done(new Edit.Absent())));
            }
        }
        shards.forEach((key, edits) -> changes.add(erase(key, edits, strategy)));
        return changes;
    }

    private Change erase(String key, SortedMap<Long, Function<Long, Edit>> edits, WritePolicy.Strategy strategy) {
        if (isAll(key, edits.keySet())) {
            return change(key, old -> Plan.done(new Edit.Absent()));
        } else if (strategy != WritePolicy.Strategy.IN_PLACE) {
            return change(key, edits, false);
        }
        return change(key, shard -> ShardIndex.read(shard, count)
                .map(before -> before.map(b -> b.without(edits.keySet())).orElseGet(Edit.Keep::new)));
    }

    /** Erases all keys with a prefix, of those that are stored. */
    List<Change> erasePrefix(String prefix, List<String> stored, WritePolicy.Strategy strategy) {
        List<String> erased = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (String key : stored) {
            Optional<ChunkKey> shard = keys.parse(key);
            if (shard.isEmpty() && key.startsWith(prefix)) {
                erased.add(key);
            } else if (shard.isPresent() && keys.prefix().startsWith(prefix)) {
                changes.add(change(key, old -> Plan.done(new Edit.Absent())));
            } else if (shard.isPresent()) {
                var all = keys.all(shard.get().cell());
                keys.startingWith(shard.get().cell(), prefix).forEach(i -> erased.add(keys.key(all.at(i))));
            }
        }
        changes.addAll(eraseValues(erased, strategy));
        return changes;
    }
}
