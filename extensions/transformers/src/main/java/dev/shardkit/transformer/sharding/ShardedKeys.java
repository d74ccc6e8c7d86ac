package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The store interface of the draft ("API implementation") over the shards of one array: chunk keys as if each chunk
 * were an object of its own. It does no I/O. Reads are plans; a write is a change for each stored object that it
 * touches, of which only the index is read, and not even that where all of a shard is set or erased; a listing is made
 * of what is listed below. Keys that are no chunk's pass as they are.
 *
 * <p>Immutable and thread-safe. Not for elements: arrays do that.
 */
public final class ShardedKeys {
    private final ShardedArrayKeys keys;
    private final Keyspace below;
    private final long count;

    private ShardedKeys(ShardedArrayKeys keys, Keyspace below, long count) {
        this.keys = keys;
        this.below = below;
        this.count = count;
    }

    /**
     * The keys of one array.
     *
     * @param below the store's keys, or those of the next transformer
     * @param prefix what stands before the first index: {@code data/root/foo/c}, {@code foo/c/} or {@code foo/}
     * @param separator what stands between indices: a slash or a dot
     * @param cells how many chunks the array has in each dimension
     */
    public static ShardedKeys of(
            ShardingTransformer transformer, Keyspace below, String prefix, char separator, long[] cells) {
        transformer.check(cells);
        if (separator != '/' && separator != '.') {
            throw new IllegalArgumentException("a separator / or . expected, found " + separator);
        }
        ShardedArrayKeys keys = new ShardedArrayKeys(prefix, separator, cells.clone(), transformer.chunksPerShard());
        return new ShardedKeys(keys, below, transformer.count());
    }

    /** A range of one key's value. */
    public record KeyRange(String key, ByteRange range) {}

    /** Bytes that take their place in one key's value from {@code start} on. */
    public record KeyStart(String key, long start, Bytes value) {
        /** Refuses a negative start. */
        public KeyStart {
            if (start < 0) {
                throw new IllegalArgumentException("a start of at least 0 expected, found " + start);
            }
        }
    }

    /**
     * A change of one stored object. Changes of one object are made one after the other, under its lock: each plan
     * reads what is there then.
     *
     * @param storedKey the object
     * @param edit what becomes of it
     */
    public record Change(String storedKey, Plan<Edit> edit) {}

    /**
     * What lies directly below a prefix.
     *
     * @param keys full keys
     * @param prefixes prefixes of further keys, which end with a slash
     */
    public record Listing(List<String> keys, List<String> prefixes) {
        /** Takes copies. */
        public Listing {
            keys = List.copyOf(keys);
            prefixes = List.copyOf(prefixes);
        }
    }

    /** The value of a key; empty if there is none. */
    public Plan<Optional<Bytes>> get(String key) {
        return getPartialValues(List.of(new KeyRange(key, ByteRange.whole()))).map(values -> values.get(0));
    }

    /** Ranges of values, in order: one batch of requests for indexes, a second one for chunks. */
    public Plan<List<Optional<Bytes>>> getPartialValues(List<KeyRange> ranges) {
        Map<String, List<Integer>> byObject = new LinkedHashMap<>();
        for (int i = 0; i < ranges.size(); i++) {
            byObject.computeIfAbsent(shardKey(ranges.get(i).key()), k -> new ArrayList<>())
                    .add(i);
        }
        List<Map.Entry<String, List<Integer>>> objects = List.copyOf(byObject.entrySet());
        return Plan.all(objects.size(), o -> {
                    List<Integer> members = objects.get((int) o).getValue();
                    return below.open(objects.get((int) o).getKey()).then(object -> values(object, ranges, members));
                })
                .map(found -> inOrder(ranges.size(), objects, found));
    }

    private Plan<List<Optional<Bytes>>> values(Source object, List<KeyRange> ranges, List<Integer> members) {
        boolean shard = keys.parse(ranges.get(members.get(0)).key()).isPresent();
        Plan<Optional<ShardIndex>> index = shard ? ShardIndex.read(object, count) : Plan.done(Optional.empty());
        return index.then(entries -> Plan.all(members.size(), m -> {
            KeyRange wanted = ranges.get(members.get((int) m));
            Source value =
                    shard ? chunk(object, entries, keys.parse(wanted.key()).orElseThrow()) : object;
            return value.read(
                    wanted.range(),
                    (answer, scratch) -> answer instanceof Answer.Found f
                            ? Optional.of(f.bytes().copy())
                            : Optional.empty());
        }));
    }

    private Source chunk(Source shard, Optional<ShardIndex> entries, ChunkKey chunk) {
        long[] cell = chunk.inShard(keys.per());
        return entries.map(e -> e.chunk(chunk.number(keys.per()), cell, shard))
                .orElseGet(() -> Source.absent(shard.place().inner(cell)));
    }

    private static List<Optional<Bytes>> inOrder(
            int n, List<Map.Entry<String, List<Integer>>> objects, List<List<Optional<Bytes>>> found) {
        List<Optional<Bytes>> values = new ArrayList<>(java.util.Collections.nCopies(n, Optional.empty()));
        for (int o = 0; o < found.size(); o++) {
            List<Integer> members = objects.get(o).getValue();
            for (int m = 0; m < members.size(); m++) {
                values.set(members.get(m), found.get(o).get(m));
            }
        }
        return values;
    }

    private String shardKey(String key) {
        return keys.parse(key).map(c -> c.shardKey(keys.per())).orElse(key);
    }

    /** Sets whole values. Nothing is read of a shard all of whose chunks that the array has are set. */
    public List<Change> set(Map<String, Bytes> values) {
        return changes().set(values);
    }

    /**
     * Sets parts of values. Of a shard the index is read and nothing else: what stays of a chunk moves as it is. A
     * value that ends before the start is filled up with zeros.
     */
    public List<Change> setPartialValues(List<KeyStart> parts) {
        return changes().setPartialValues(parts);
    }

    /**
     * Erases keys. A shard of which all chunks go is removed unread; of others the index is read, and with
     * {@link WritePolicy.Strategy#IN_PLACE} only its entries are overwritten, otherwise the shard is rewritten without
     * them.
     */
    public List<Change> eraseValues(Collection<String> erased, WritePolicy.Strategy strategy) {
        return changes().eraseValues(erased, strategy);
    }

    /**
     * Erases all keys with a prefix.
     *
     * @param stored the keys that are listed below under {@link #storedPrefix}
     */
    public List<Change> erasePrefix(String prefix, List<String> stored, WritePolicy.Strategy strategy) {
        return changes().erasePrefix(prefix, stored, strategy);
    }

    private ShardChanges changes() {
        return new ShardChanges(keys, below, count);
    }

    /** What to list below for the keys that begin with {@code prefix}. */
    public String storedPrefix(String prefix) {
        return keys.shardPrefix(prefix);
    }

    /**
     * All keys with a prefix; the indexes of their shards are read in one batch.
     *
     * @param stored the keys that are listed below under {@link #storedPrefix}
     */
    public Plan<List<String>> listPrefix(String prefix, List<String> stored) {
        return Plan.all(stored.size(), i -> {
                    String key = stored.get((int) i);
                    Optional<ChunkKey> shard = keys.parse(key);
                    return shard.isPresent()
                            ? chunks(key, shard.get().cell(), prefix)
                            : Plan.done(key.startsWith(prefix) ? List.of(key) : List.<String>of());
                })
                .map(lists -> lists.stream().flatMap(List::stream).toList());
    }

    private Plan<List<String>> chunks(String shardKey, long[] shard, String prefix) {
        var all = keys.all(shard);
        return below.open(shardKey)
                .then(source -> ShardIndex.read(source, count))
                .map(index -> {
                    List<String> there = new ArrayList<>();
                    for (long i = 0; index.isPresent() && i < count; i++) {
                        if (index.get().has(i) && keys.key(all.at(i)).startsWith(prefix)) {
                            there.add(keys.key(all.at(i)));
                        }
                    }
                    return there;
                });
    }

    /**
     * What lies directly below a prefix. Full keys are those of chunks that are there; a prefix of shard keys stands
     * for the prefixes of all its chunks, some of which may have none.
     *
     * @param stored what is listed below under {@link #storedPrefix}
     */
    public Plan<Listing> listDir(String prefix, Listing stored) {
        List<String> prefixes = new ArrayList<>();
        for (String p : stored.prefixes()) {
            keys.chunkPrefixes(prefix, p).ifPresentOrElse(prefixes::addAll, () -> prefixes.add(p));
        }
        return listPrefix(prefix, stored.keys()).map(there -> new Listing(there, prefixes));
    }
}
