package dev.shardkit.transformer.sharding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.WritePolicy.Strategy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.testkit.Edits;
import dev.shardkit.testkit.PlanProbe;
import dev.shardkit.transformer.sharding.ShardedKeys.Change;
import dev.shardkit.transformer.sharding.ShardedKeys.KeyRange;
import dev.shardkit.transformer.sharding.ShardedKeys.KeyStart;
import dev.shardkit.transformer.sharding.ShardedKeys.Listing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The draft's store interface: what it gives, and what it asks for below. 5 by 4 chunks, 2 by 2 of them a shard. */
class ShardedKeysTest {
    private static final String C = "data/root/foo/c";

    private final Map<String, byte[]> objects = new HashMap<>();
    private final Map<String, byte[]> model = new TreeMap<>();
    private final ShardedKeys keys = keys(C, '/');

    private static ShardedKeys keys(String prefix, char separator) {
        return ShardedKeys.of(ShardingTransformer.of(2, 2), Keyspace.stored(), prefix, separator, new long[] {5, 4});
    }

    private static byte[] value(int n, int seed) {
        byte[] value = new byte[n];
        new Random(seed).nextBytes(value);
        return value;
    }

    private static Map<String, Bytes> bytes(Map<String, byte[]> values) {
        Map<String, Bytes> map = new LinkedHashMap<>();
        values.forEach((k, v) -> map.put(k, Bytes.of(v)));
        return map;
    }

    private PlanProbe apply(List<Change> changes) {
        PlanProbe probe = PlanProbe.over(objects);
        for (Change change : changes) {
            Edits.apply(probe.run(change.edit()), change.storedKey(), objects);
        }
        return probe;
    }

    private void fill() {
        for (int i = 0; i < 20; i++) {
            if (i % 7 != 3) {
                model.put(C + i / 4 + "/" + i % 4, value(5 + i, i));
            }
        }
        model.put("meta/root/foo.array.json", value(9, 9));
        apply(keys.set(bytes(model)));
    }

    private void same() {
        for (int i = 0; i < 20; i++) {
            String key = C + i / 4 + "/" + i % 4;
            Optional<Bytes> found = PlanProbe.over(objects).run(keys.get(key));
            assertEquals(model.containsKey(key), found.isPresent(), key);
            found.ifPresent(bytes -> assertArrayEquals(model.get(key), bytes.toArray(), key));
        }
    }

    private List<String> under(String prefix) {
        return new TreeSet<>(objects.keySet())
                .stream().filter(k -> k.startsWith(prefix)).toList();
    }

    @Test
    void set_thenGet_isAMap() {
        fill();
        assertEquals(7, objects.size(), "3 by 2 shards and another key");
        same();
        assertArrayEquals(model.get("meta/root/foo.array.json"), objects.get("meta/root/foo.array.json"));
    }

    @Test
    void getPartialValues_takesTwoBatches() {
        fill();
        List<KeyRange> ranges = new ArrayList<>();
        List<Optional<byte[]>> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String key = C + i / 4 + "/" + i % 4;
            Optional<byte[]> value = Optional.ofNullable(model.get(key));
            ranges.add(new KeyRange(key, new ByteRange.Slice(1, 3)));
            expected.add(value.map(v -> Arrays.copyOfRange(v, 1, 4)));
            ranges.add(new KeyRange(key, new ByteRange.Suffix(2)));
            expected.add(value.map(v -> Arrays.copyOfRange(v, v.length - 2, v.length)));
        }
        PlanProbe probe = PlanProbe.over(objects).merging(1 << 20);
        List<Optional<Bytes>> found = probe.run(keys.getPartialValues(ranges));
        for (int i = 0; i < expected.size(); i++) {
            assertEquals(
                    expected.get(i).isPresent(),
                    found.get(i).isPresent(),
                    ranges.get(i).key());
            if (expected.get(i).isPresent()) {
                assertArrayEquals(
                        expected.get(i).get(),
                        found.get(i).get().toArray(),
                        ranges.get(i).toString());
            }
        }
        assertEquals(2, probe.waves());
        assertEquals(12, probe.requests(), "an index and one merged range of each of 6 shards");
    }

    @Test
    void set_ofAllChunksThatTheArrayHas_readsNothing_otherwiseTheIndex() {
        fill();
        Map<String, byte[]> edge = Map.of(C + "4/0", value(3, 1), C + "4/1", value(4, 2));
        model.putAll(edge);
        assertEquals(0, apply(keys.set(bytes(edge))).requests(), "a shard at the edge has two chunks of the array");
        Map<String, byte[]> one = Map.of(C + "0/0", value(30, 3));
        model.putAll(one);
        PlanProbe probe = apply(keys.set(bytes(one)));
        assertEquals(1, probe.requests());
        assertEquals(64, probe.bytes(), "chunks move unread");
        same();
    }

    @Test
    void setPartialValues_readsIndexesOnly() {
        fill();
        byte[] part = {90, 91, 92};
        List<KeyStart> parts = List.of(
                new KeyStart(C + "0/0", 1, Bytes.of(part)),
                new KeyStart(C + "0/0", 2, Bytes.of(part)),
                new KeyStart(C + "1/1", model.get(C + "1/1").length + 2, Bytes.of(part)),
                new KeyStart(C + "0/3", 0, Bytes.of(part)),
                new KeyStart("meta/root/foo.array.json", 4, Bytes.of(part)));
        byte[] first = model.get(C + "0/0");
        first[1] = 90;
        first[2] = 90;
        first[3] = 91;
        first[4] = 92;
        byte[] grown = Arrays.copyOf(model.get(C + "1/1"), model.get(C + "1/1").length + 5);
        System.arraycopy(part, 0, grown, grown.length - 3, 3);
        model.put(C + "1/1", grown);
        model.put(C + "0/3", part);
        PlanProbe probe = apply(keys.setPartialValues(parts));
        assertEquals(3, probe.requests());
        assertEquals(64 + 64 + 1, probe.bytes(), "two indexes, and the last byte of an object for its size");
        same();
        assertArrayEquals(part, Arrays.copyOfRange(objects.get("meta/root/foo.array.json"), 4, 7));
        assertEquals(9, objects.get("meta/root/foo.array.json").length);
    }

    @Test
    void eraseValues_rewritesOrOverwritesEntries_orRemovesUnread() {
        fill();
        int before = objects.get(C + "0/0").length;
        apply(keys.eraseValues(List.of(C + "0/0", C + "0/1"), Strategy.IN_PLACE));
        model.keySet().removeAll(List.of(C + "0/0", C + "0/1"));
        assertEquals(before, objects.get(C + "0/0").length);
        same();
        apply(keys.eraseValues(List.of(C + "1/0"), Strategy.REWRITE));
        model.remove(C + "1/0");
        assertTrue(objects.get(C + "0/0").length < before);
        same();
        PlanProbe probe =
                apply(keys.eraseValues(List.of(C + "4/0", C + "4/1", "meta/root/foo.array.json"), Strategy.REWRITE));
        model.keySet().removeAll(List.of(C + "4/0", C + "4/1"));
        assertEquals(0, probe.requests());
        assertTrue(!objects.containsKey(C + "2/0") && !objects.containsKey("meta/root/foo.array.json"));
        apply(keys.eraseValues(List.of(C + "1/1"), Strategy.IN_PLACE));
        model.remove(C + "1/1");
        assertTrue(!objects.containsKey(C + "0/0"), "a shard without chunks goes");
        assertTrue(
                keys.eraseValues(List.of(C + "0/0"), Strategy.IN_PLACE).stream()
                        .allMatch(c -> PlanProbe.over(objects).run(c.edit()) instanceof Edit.Keep),
                "nothing to erase");
        same();
    }

    @Test
    void erasePrefix_removesShardsUnread_andChunksOfOthers() {
        fill();
        assertEquals(C + "1/", keys.storedPrefix(C + "3/"));
        PlanProbe probe = apply(keys.erasePrefix(C + "3/", under(C + "1/"), Strategy.REWRITE));
        model.keySet().removeIf(k -> k.startsWith(C + "3/"));
        assertEquals(2, probe.requests(), "the indexes of two shards");
        same();
        assertEquals("data/root/", keys.storedPrefix("data/root/"));
        assertEquals(
                0,
                apply(keys.erasePrefix("data/root/", under("data/root/"), Strategy.REWRITE))
                        .requests());
        assertEquals(List.of("meta/root/foo.array.json"), List.copyOf(objects.keySet()));
    }

    @Test
    void listPrefix_givesChunksThatAreThere() {
        fill();
        for (String prefix : List.of("", "data/", C, C + "3/", C + "3/2", C + "1", "meta/", "nothing/")) {
            List<String> stored = under(keys.storedPrefix(prefix));
            PlanProbe probe = PlanProbe.over(objects);
            List<String> found = probe.run(keys.listPrefix(prefix, stored));
            assertEquals(
                    model.keySet().stream().filter(k -> k.startsWith(prefix)).toList(),
                    found.stream().sorted().toList(),
                    prefix);
            assertEquals(stored.stream().filter(k -> k.startsWith(C)).count(), probe.requests(), "an index a shard");
            assertTrue(probe.waves() <= 1);
        }
    }

    /** What a store lists directly below {@code prefix}. */
    private Listing dir(String prefix) {
        TreeSet<String> full = new TreeSet<>();
        TreeSet<String> prefixes = new TreeSet<>();
        for (String key : under(prefix)) {
            int slash = key.indexOf('/', prefix.length());
            (slash < 0 ? full : prefixes).add(slash < 0 ? key : key.substring(0, slash + 1));
        }
        return new Listing(List.copyOf(full), List.copyOf(prefixes));
    }

    private Listing listDir(ShardedKeys of, String prefix) {
        return PlanProbe.over(objects).run(of.listDir(prefix, dir(of.storedPrefix(prefix))));
    }

    @Test
    void listDir_showsChunkKeys_andPrefixesOfAllTheirShardCouldHave() {
        fill();
        assertEquals(new Listing(List.of(), List.of("data/", "meta/")), listDir(keys, ""));
        assertEquals(
                List.of(C + "0/", C + "1/", C + "2/", C + "3/", C + "4/"),
                listDir(keys, "data/root/foo/").prefixes(),
                "not " + C + "5/, which the array has not");
        assertEquals(new Listing(List.of(C + "0/0", C + "0/1", C + "0/2"), List.of()), listDir(keys, C + "0/"));
        assertEquals(new Listing(List.of(C + "4/0", C + "4/2", C + "4/3"), List.of()), listDir(keys, C + "4/"));
    }

    @Test
    void dots_makeNoDirectories() {
        ShardedKeys dots = keys("foo/c.", '.');
        apply(dots.set(Map.of("foo/c.3.1", Bytes.of(value(3, 3)), "foo/c.4.0", Bytes.of(value(4, 4)))));
        assertEquals(new TreeSet<>(List.of("foo/c.1.0", "foo/c.2.0")), new TreeSet<>(objects.keySet()));
        assertEquals(new Listing(List.of("foo/c.3.1", "foo/c.4.0"), List.of()), listDir(dots, "foo/"));
    }

    @Test
    void stacked_theInterfaceIsTheSame() {
        ShardedKeys stacked = ShardedKeys.of(
                ShardingTransformer.of(2, 2), ShardingTransformer.of(2, 1).over(Keyspace.stored()), C, '/', new long[] {
                    5, 4
                });
        fill();
        Map<String, byte[]> all = Map.copyOf(model);
        objects.clear();
        apply(stacked.set(bytes(all)));
        assertEquals(5, objects.size(), "2 by 2 objects and another key");
        PlanProbe probe = PlanProbe.over(objects).merging(1 << 20);
        assertArrayEquals(
                model.get(C + "3/2"),
                probe.run(stacked.get(C + "3/2")).orElseThrow().toArray());
        assertEquals(3, probe.waves(), "an index of each level, and the chunk");
    }
}
