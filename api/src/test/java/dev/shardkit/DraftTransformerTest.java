package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testing.Log;
import dev.shardkit.transformer.sharding.ShardingTransformer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays under the sharding transformer of 2022, written and read over real stores. */
class DraftTransformerTest {
    private static final long[] SHAPE = {11, 9};

    private static ArrayMetadata metadata(String keys, String transformers) {
        String document = """
        {"zarr_format": 3, "node_type": "array", "shape": [11, 9], "data_type": "int32", "fill_value": -1,
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 2]}},
         "chunk_key_encoding": %s, "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, "crc32c"],
         "storage_transformers": [%s]}""".formatted(keys, transformers);
        return (ArrayMetadata)
                new MetadataReader(Registry.load(), Limits.defaults()).read(document.getBytes(StandardCharsets.UTF_8));
    }

    private static String sharding(String chunksPerShard) {
        return "{\"name\": \"sharding\", \"configuration\": {\"chunks_per_shard\": " + chunksPerShard + "}}";
    }

    private static final String SLASH = "{\"name\": \"default\"}";
    private static final String DOT = "{\"name\": \"v2\", \"configuration\": {\"separator\": \".\"}}";
    private static final String DRAFT = "{\"name\": \"dev.shardkit.draft2022\"}";

    private static void partsComeBack(Store store, ArrayMetadata metadata) {
        ZarrArray array = Zarr.stageArray(store, "a", metadata, IfExists.REFUSE, ZarrOptions.defaults())
                .publish();
        int[] model = new int[(int) Shapes.count(SHAPE)];
        Arrays.fill(model, -1);
        Random random = new Random(5);
        for (int n = 0; n < 25; n++) {
            Box part = random(random);
            int[] values = n % 6 == 5
                    ? new int[(int) part.count()]
                    : random.ints(part.count()).toArray();
            if (n % 6 == 5) {
                Arrays.fill(values, -1);
            }
            array.write(part, values, 0);
            for (int i = 0; i < values.length; i++) {
                model[(int) Shapes.ravel(part.at(i), SHAPE)] = values[i];
            }
            assertArrayEquals(
                    model,
                    Zarr.openArray(store, "a", ZarrOptions.defaults()).read().ints());
        }
        int[] fill = new int[model.length];
        Arrays.fill(fill, -1);
        array.write(array.domain(), fill, 0);
        assertArrayEquals(fill, array.read().ints());
    }

    private static Box random(Random random) {
        long[] origin = {random.nextInt(11), random.nextInt(9)};
        return Box.of(
                origin,
                new long[] {1 + random.nextInt((int) (11 - origin[0])), 1 + random.nextInt((int) (9 - origin[1]))});
    }

    private static TreeSet<String> names(Store store, String prefix) throws Exception {
        TreeSet<String> names = new TreeSet<>();
        BlockingStore.to(store).list(prefix, (Entry e) -> names.add(e.name()));
        return names;
    }

    @Test
    void parts_comeBack_fromMemory() throws Exception {
        for (String keys : new String[] {SLASH, DOT, DRAFT}) {
            try (MemoryStore store = MemoryStore.create()) {
                partsComeBack(store, metadata(keys, sharding("[2, 3]")));
                TreeSet<String> left = names(store, "a");
                left.remove("c");
                assertEquals(
                        new TreeSet<>(java.util.Set.of("zarr.json")), left, "shards of nothing but fill go: " + keys);
            }
        }
    }

    @Test
    void parts_comeBack_fromFiles_withTransformersStacked(@TempDir Path dir) {
        try (Store store = Zarr.openStore(dir.toString(), ZarrOptions.defaults())) {
            partsComeBack(store, metadata(SLASH, sharding("[2, 1]") + "," + sharding("[1, 3]")));
        }
    }

    @Test
    void chunksOfOneShard_areOneObject() throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            ZarrArray array = Zarr.stageArray(
                            store, "a", metadata(DOT, sharding("[2, 3]")), IfExists.REFUSE, ZarrOptions.defaults())
                    .publish();
            array.write(array.domain(), new Random(1).ints(99).toArray(), 0);
            assertEquals(
                    new TreeSet<>(java.util.Set.of("zarr.json", "0.0", "0.1", "1.0", "1.1", "2.0", "2.1")),
                    names(store, "a").stream()
                            .filter(n -> !n.startsWith("__"))
                            .collect(java.util.stream.Collectors.toCollection(TreeSet::new)));
            assertEquals("a/2.1", array.storage().key(new long[] {5, 4}));
            assertEquals(20, array.storage().storedSize(new long[] {0, 0}).orElseThrow(), "of the chunk");
        }
    }

    @Test
    void chunksOfOneShard_areWrittenTogether() throws Exception {
        Log log = new Log();
        try (MemoryStore store = MemoryStore.create()) {
            ZarrArray array = Zarr.stageArray(
                            store,
                            "a",
                            metadata(SLASH, sharding("[2, 3]")),
                            IfExists.REFUSE,
                            ZarrOptions.defaults().withListener(log).withOwnership(WriteOwnership.OWNED))
                    .publish();
            int[] values = new Random(1).ints(99).toArray();
            array.write(array.domain(), values, 0);
            assertArrayEquals(values, array.read().ints());
            assertEquals(6, log.of("write a/c/").size(), "one write a shard");
        }
    }

    /** Another's transformer, which changes one chunk at a time. */
    private record OneByOne(StorageTransformer of) implements StorageTransformer {
        @Override
        public String name() {
            return "one_by_one";
        }

        @Override
        public Json.Obj configuration() {
            return of.configuration();
        }

        @Override
        public Keyspace over(Keyspace below) {
            Keyspace keys = of.over(below);
            return new Keyspace() {
                @Override
                public Plan<Source> open(String key) {
                    return keys.open(key);
                }

                @Override
                public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
                    return keys.edit(key, change);
                }

                @Override
                public String storedKey(String key) {
                    return keys.storedKey(key);
                }
            };
        }
    }

    @Test
    void chunksOfOneShard_thatCannotBeWrittenTogether_areNeverWrittenSideBySide() throws Exception {
        Log log = new Log();
        ArrayMetadata metadata = metadata(SLASH, sharding("[2, 3]")).toBuilder()
                .storageTransformers(List.of(new OneByOne(ShardingTransformer.of(2, 3))))
                .build();
        try (MemoryStore store = MemoryStore.create()) {
            ZarrArray array = Zarr.openArray(
                    store,
                    "a",
                    metadata,
                    ZarrOptions.defaults().withListener(log).withOwnership(WriteOwnership.OWNED));
            int[] values = new Random(1).ints(99).toArray();
            array.write(array.domain(), values, 0);
            assertArrayEquals(values, array.read().ints());
            assertEquals(30, log.of("write a/c/").size());
        }
    }

    @Test
    void configurationOfAnotherRank_isRefusedWhenOpened() {
        MetadataException e = assertThrows(MetadataException.class, () -> metadata(SLASH, sharding("[2]")));
        assertTrue(
                e.getMessage().contains("/storage_transformers")
                        && e.getMessage().contains("[2]"),
                e.getMessage());
        assertThrows(MetadataException.class, () -> metadata(SLASH, sharding("[2, 0]")));
    }
}
