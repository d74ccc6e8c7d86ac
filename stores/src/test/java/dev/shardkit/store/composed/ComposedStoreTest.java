package dev.shardkit.store.composed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.store.composed.Composition.Kind;
import dev.shardkit.store.composed.Composition.StoredPart;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.LocksContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.WritesContract;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Composed stores as stores, and hostile descriptions. */
class ComposedStoreTest {
    private static Store composed() {
        Map<String, Store> mounts = Map.of("a", MemoryStore.create(), "g/h", MemoryStore.create());
        Map<String, Map<String, Store>> arrays =
                Map.of("b", Map.of("0/", MemoryStore.create()), "c/d", Map.of("0/1/", MemoryStore.create()));
        return ComposedStore.of("composed:test", "", new Routes(MemoryStore.create(), mounts, arrays));
    }

    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() {
            return composed();
        }
    }

    @Nested
    class Listing extends ListingsContract {
        @Override
        protected Store freshStore() {
            return ComposedStore.of("composed:test", "", new Routes(MemoryStore.create(), Map.of(), Map.of()));
        }
    }

    @Nested
    class Locking extends LocksContract {
        @Override
        protected Store freshStore() {
            return composed();
        }
    }

    @Nested
    class LockingBelow extends LocksContract {
        @Override
        protected Store freshStore() {
            Map<String, Store> mounts = Map.of("g", MemoryStore.create());
            return ComposedStore.of("composed:test", "g/x", new Routes(MemoryStore.create(), mounts, Map.of()));
        }
    }

    @Nested
    class WritingBelow extends WritesContract {
        @Override
        protected Store freshStore() {
            Map<String, Store> mounts = Map.of("g", MemoryStore.create());
            return ComposedStore.of("composed:test", "g/x", new Routes(MemoryStore.create(), mounts, Map.of()));
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        @Override
        protected Store freshStore() {
            return composed();
        }
    }

    /** The locations of nodes begin with it. */
    @Test
    void describe_namesThePathOfTheRoot() {
        Routes routes = new Routes(MemoryStore.create(), Map.of(), Map.of());
        assertEquals(
                "composed:test", ComposedStore.of("composed:test", "", routes).describe());
        assertEquals(
                "composed:test!g/x",
                ComposedStore.of("composed:test", "g/x", routes).describe());
    }

    private static StoredPart folder(String path) {
        return new StoredPart(Kind.FOLDER, path);
    }

    @Test
    void json_isParsedAgain() {
        Composition made = new Composition(
                folder("base.zarr"),
                Map.of("g", folder("/data/g.zarr"), "z", new StoredPart(Kind.ZIP, "z.zip")),
                Map.of("a", Map.of("0/1", folder("p/0/1.zarr"))));
        String json = made.json().toString();
        assertEquals(made, Composition.parse(json.getBytes(StandardCharsets.UTF_8)));
        assertTrue(json.contains("\"array_shard_dims\":{\"a\":2}"), json);
    }

    private static byte[] document(String base, String shards, String arrays) {
        return ("{\"name\":\"ShardedStore\",\"module\":\"shardedstore\",\"config\":{\"args\":[" + base
                        + "],\"kwargs\":{\"shards\":{" + shards + "},\"array_shards\":{" + arrays + "}}}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String store(String kind, String path) {
        return "{\"name\":\"" + kind + "\",\"module\":\"zarr.storage\",\"config\":{\"args\":[\"" + path
                + "\"],\"kwargs\":{}}}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../x", "a//b", "a/./b", "__shardkit", "a/b/../c", "g", "g/inside", ".", "a\\u0000b"})
    void mounts_atIllegalPaths_areRefused(String path) {
        String folder = store("DirectoryStore", "p.zarr");
        byte[] bytes = document(folder, "\"" + path + "\":" + folder, "\"g\":{\"0\":" + folder + "}");
        assertThrows(MetadataException.class, () -> Composition.parse(bytes));
    }

    /** Each would take minutes if the time grew with the square of the length. */
    @Test
    void pathsOfVeryManyNames_areRefused() {
        for (String path : new String[] {"/".repeat(2_000_000) + "a//b", "a/".repeat(1_000_000) + "a"}) {
            byte[] bytes =
                    document(store("DirectoryStore", "p"), "\"" + path + "\": " + store("DirectoryStore", "q"), "");
            MetadataException e = assertThrows(MetadataException.class, () -> Composition.parse(bytes));
            assertTrue(e.getMessage().length() < 200);
        }
    }

    @Test
    void descriptions_thatAreNone_areErrors() {
        String folder = store("DirectoryStore", "p.zarr");
        for (String base : List.of(
                "",
                "1",
                folder + "," + folder,
                store("DirectoryStore", ""),
                "{\"name\":1}",
                "{\"name\":\"DirectoryStore\",\"config\":{\"args\":[{}]}}")) {
            assertThrows(ZarrException.class, () -> Composition.parse(document(base, "", "")), base);
        }
        for (String kind : List.of("FSStore", "ShardedStore", "MemoryStore")) {
            UnsupportedException e = assertThrows(
                    UnsupportedException.class, () -> Composition.parse(document(store(kind, "p"), "", "")));
            assertTrue(e.getMessage().contains("found " + kind), e::getMessage);
        }
        for (String indices : List.of("x", "0/", "-1", "0//1", "99999999999999999999")) {
            byte[] bytes = document(folder, "", "\"a\":{\"" + indices + "\":" + folder + "}");
            assertThrows(MetadataException.class, () -> Composition.parse(bytes), indices);
        }
        byte[] nested = document(folder, "", "\"a\":{\"0\":" + folder + ",\"0/1\":" + folder + "}");
        assertThrows(MetadataException.class, () -> Composition.parse(nested));
    }
}
