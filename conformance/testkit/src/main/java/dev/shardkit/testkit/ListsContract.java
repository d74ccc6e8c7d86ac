package dev.shardkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.Durability;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Lists;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a store with {@link Lists} must do, beside {@link dev.shardkit.store.Writes}, by which the tests make what is
 * listed. For the author of one: extend it, give a fresh store, run it.
 */
@Timeout(120)
public abstract class ListsContract {
    /** More than a page of any object store has. */
    private static final int MANY = 1100;

    private static final List<String> ODD =
            List.of("a b", "ä", "%2F", "a+b", "a&b=c", "#", "?", "~", "'", "(1)", "日本", "a.b.", "-");

    private Optional<Store> fresh = Optional.empty();

    /** For subclasses. */
    protected ListsContract() {}

    /** A store with nothing in it, writable. */
    protected abstract Store freshStore() throws Exception;

    @BeforeEach
    final void makeStore() throws Exception {
        fresh = Optional.of(freshStore());
    }

    @AfterEach
    final void closeStore() {
        fresh.ifPresent(Store::close);
    }

    private Store store() {
        return fresh.orElseThrow();
    }

    private void put(String key, int size) throws IOException {
        StoreAccess.to(store()).put(key, StoreProbe.content(StoreProbe.bytes(size, size)), Durability.ATOMIC);
    }

    /** All batches, by name; a name that comes twice is an error, and so is an empty batch before the end. */
    private Map<String, Entry> list(String prefix, Lists.Depth depth) throws Exception {
        Map<String, Entry> all = new HashMap<>();
        try (Lists.Names names = store().need(Lists.class, "list").list(prefix, depth)) {
            List<Entry> batch = next(names);
            while (!batch.isEmpty()) {
                for (Entry entry : batch) {
                    assertEquals(Optional.empty(), Optional.ofNullable(all.put(entry.name(), entry)), "twice");
                }
                batch = next(names);
            }
            assertTrue(next(names).isEmpty(), "after the end");
        }
        return all;
    }

    private static List<Entry> next(Lists.Names names) throws Exception {
        return names.next().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private static Map<String, Entry.Kind> kinds(Map<String, Entry> entries) {
        return new TreeMap<>(entries.values().stream().collect(Collectors.toMap(Entry::name, Entry::kind)));
    }

    @Test
    void nothing_hasNoNames() throws Exception {
        for (Lists.Depth depth : Lists.Depth.values()) {
            assertEquals(Map.of(), list("", depth));
            assertEquals(Map.of(), list("a/b", depth));
        }
    }

    @Test
    void one_namesObjectsAndPrefixes() throws Exception {
        put("zarr.json", 1);
        put("a/zarr.json", 2);
        put("a/c/0/0", 3);
        put("ab/x", 4);
        assertEquals(
                Map.of("zarr.json", Entry.Kind.OBJECT, "a", Entry.Kind.PREFIX, "ab", Entry.Kind.PREFIX),
                kinds(list("", Lists.Depth.ONE)));
        assertEquals(Map.of("zarr.json", Entry.Kind.OBJECT, "c", Entry.Kind.PREFIX), kinds(list("a", Lists.Depth.ONE)));
    }

    @Test
    void all_namesObjectsBelow_relativeToThePrefix() throws Exception {
        put("zarr.json", 1);
        put("a/zarr.json", 2);
        put("a/c/0/0", 3);
        put("a/c/0/1", 3);
        put("ab/x", 4);
        assertEquals(
                java.util.Set.of("zarr.json", "c/0/0", "c/0/1"),
                list("a", Lists.Depth.ALL).keySet());
        Map<String, Entry> all = list("", Lists.Depth.ALL);
        assertEquals(java.util.Set.of("zarr.json", "a/zarr.json", "a/c/0/0", "a/c/0/1", "ab/x"), all.keySet());
        assertTrue(all.values().stream().allMatch(e -> e.kind() == Entry.Kind.OBJECT));
    }

    @Test
    void manyNames_allCome() throws Exception {
        for (int i = 0; i < MANY; i++) {
            put("a/" + i, 1);
        }
        put("a/deep/x", 1);
        assertEquals(MANY + 1, list("a", Lists.Depth.ONE).size());
        assertEquals(MANY + 1, list("", Lists.Depth.ALL).size());
    }

    @Test
    void oddCharacters_comeBack() throws Exception {
        for (String name : ODD) {
            put("odd/" + name, 1);
            put("odd/p" + name + "/k", 1);
        }
        Map<String, Entry> names = list("odd", Lists.Depth.ONE);
        for (String name : ODD) {
            assertEquals(Entry.Kind.OBJECT, names.get(name).kind(), name);
            assertEquals(Entry.Kind.PREFIX, names.get("p" + name).kind(), name);
            assertEquals(
                    java.util.Set.of("k"), list("odd/p" + name, Lists.Depth.ALL).keySet());
        }
    }

    @Test
    void reservedNames_areLeftOut_withAllBelow() throws Exception {
        put("a/__own/x", 1);
        put("a/__k", 1);
        put("a/_k", 1);
        assertEquals(java.util.Set.of("_k"), list("a", Lists.Depth.ONE).keySet());
        assertEquals(java.util.Set.of("a/_k"), list("", Lists.Depth.ALL).keySet());
    }

    /** What a listing tells of an object beside its name is true. */
    @Test
    void sizesAndVersions_areThoseOfReads() throws Exception {
        put("a/k", 1000);
        put("a/empty", 0);
        for (Lists.Depth depth : Lists.Depth.values()) {
            for (Entry entry : list("a", depth).values()) {
                try (Snapshot object =
                        StoreAccess.to(store()).open("a/" + entry.name()).orElseThrow()) {
                    entry.size().ifPresent(size -> assertEquals(object.size(), size, entry.name()));
                    entry.version().ifPresent(version -> assertEquals(object.version(), version, entry.name()));
                }
            }
        }
    }

    @Test
    void prefixes_illegal_areTheCallersMistake() {
        for (String prefix : StoreProbe.ILLEGAL_KEYS) {
            if (!prefix.isEmpty()) {
                assertThrows(IllegalArgumentException.class, () -> listed(prefix), prefix);
            }
        }
    }

    private void listed(String prefix) throws Exception {
        try {
            list(prefix, Lists.Depth.ONE);
        } catch (ExecutionException | CompletionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
