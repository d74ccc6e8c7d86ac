package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link Listings}, local or remote. To test a store, extend it and supply an empty store.
 * A read-only store overrides {@link #storeOf}.
 */
@Timeout(120)
public abstract class ListingsContract extends StoreSuite {
    /** More entries than a page of any object store. */
    private static final int MANY = 1100;

    private static final List<String> ODD =
            List.of("a b", "ä", "%2F", "a+b", "a&b=c", "#", "?", "~", "'", "(1)", "日本", "a.b.", "-");

    private final Map<String, byte[]> objects = new LinkedHashMap<>();
    private boolean isMade;

    /** For subclasses. */
    protected ListingsContract() {}

    /** Returns names with characters that need care. Override it to leave out names that the store cannot hold. */
    protected List<String> unusualNames() {
        return ODD;
    }

    /** Returns a store with exactly these objects; by default puts them into {@link #freshStore}. */
    protected Store storeOf(Map<String, byte[]> objects) throws Exception {
        Store store = freshStore();
        for (Map.Entry<String, byte[]> object : objects.entrySet()) {
            Content content = StoreSuiteHelpers.content(object.getValue());
            BlockingStore.to(store).put(object.getKey(), content, Durability.ATOMIC);
        }
        return store;
    }

    /** Adds an object to those of the test; the first listing creates them. */
    private void put(String key, int size) {
        assertTrue(!isMade, "declare all objects before the first listing");
        objects.put(key, StoreSuiteHelpers.bytes(size, size));
    }

    /**
     * Returns all entries of all batches by name. A duplicate name is an error, and so is an empty batch before the
     * end.
     */
    private Map<String, Entry> list(String prefix, Listings.Depth depth) throws Exception {
        if (!isMade && !objects.isEmpty()) {
            isMade = true;
            use(storeOf(objects));
        }
        Map<String, Entry> all = new HashMap<>();
        try (Listings.Names names = ability(Listings.class).list(prefix, depth)) {
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

    private static List<Entry> next(Listings.Names names) throws Exception {
        return names.next().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private static Map<String, Entry.Kind> kinds(Map<String, Entry> entries) {
        return new TreeMap<>(entries.values().stream().collect(Collectors.toMap(Entry::name, Entry::kind)));
    }

    @Test
    void nothing_hasNoNames() throws Exception {
        for (Listings.Depth depth : Listings.Depth.values()) {
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
                kinds(list("", Listings.Depth.ONE)));
        assertEquals(
                Map.of("zarr.json", Entry.Kind.OBJECT, "c", Entry.Kind.PREFIX), kinds(list("a", Listings.Depth.ONE)));
    }

    @Test
    void belowAnObject_isNothing() throws Exception {
        put("a/c/0/1", 1);
        for (Listings.Depth depth : Listings.Depth.values()) {
            assertEquals(Map.of(), list("a/c/0/1", depth));
            assertEquals(Map.of(), list("a/c/0/1/x", depth));
        }
    }

    /** A prefix ends at a slash: other names that begin with the same characters are not below it. */
    @Test
    void namesThatBeginAlike_areApart() throws Exception {
        for (String key : List.of("a/c/0/1", "a/c/1/0", "a/c.d", "a/c-d", "a/cc", "ab")) {
            put(key, 1);
        }
        assertEquals(Map.of("0", Entry.Kind.PREFIX, "1", Entry.Kind.PREFIX), kinds(list("a/c", Listings.Depth.ONE)));
        assertEquals(Set.of("0/1", "1/0"), list("a/c", Listings.Depth.ALL).keySet());
        assertEquals(
                Map.of(
                        "c",
                        Entry.Kind.PREFIX,
                        "c.d",
                        Entry.Kind.OBJECT,
                        "c-d",
                        Entry.Kind.OBJECT,
                        "cc",
                        Entry.Kind.OBJECT),
                kinds(list("a", Listings.Depth.ONE)));
    }

    @Test
    void all_namesObjectsBelow_relativeToThePrefix() throws Exception {
        put("zarr.json", 1);
        put("a/zarr.json", 2);
        put("a/c/0/0", 3);
        put("a/c/0/1", 3);
        put("ab/x", 4);
        assertEquals(
                Set.of("zarr.json", "c/0/0", "c/0/1"),
                list("a", Listings.Depth.ALL).keySet());
        Map<String, Entry> all = list("", Listings.Depth.ALL);
        assertEquals(Set.of("zarr.json", "a/zarr.json", "a/c/0/0", "a/c/0/1", "ab/x"), all.keySet());
        assertTrue(all.values().stream().allMatch(e -> e.kind() == Entry.Kind.OBJECT));
    }

    @Test
    void manyNames_allCome() throws Exception {
        for (int i = 0; i < MANY; i++) {
            put("a/" + i, 1);
        }
        put("a/deep/x", 1);
        assertEquals(MANY + 1, list("a", Listings.Depth.ONE).size());
        assertEquals(MANY + 1, list("", Listings.Depth.ALL).size());
    }

    @Test
    void oddCharacters_comeBack() throws Exception {
        for (String name : unusualNames()) {
            put("odd/" + name, 1);
            put("odd/p" + name + "/k", 1);
        }
        Map<String, Entry> names = list("odd", Listings.Depth.ONE);
        for (String name : unusualNames()) {
            assertEquals(Entry.Kind.OBJECT, kinds(names).get(name), name);
            assertEquals(Entry.Kind.PREFIX, kinds(names).get("p" + name), name);
            assertEquals(Set.of("k"), list("odd/p" + name, Listings.Depth.ALL).keySet());
        }
    }

    /** Only the names of {@code OwnNames} are left out; others that begin with underscores are ordinary names. */
    @Test
    void ownNames_areLeftOut_withAllBelow() throws Exception {
        put("a/__relayout/x", 1);
        put("a/__unfinished", 1);
        put("a/_k", 1);
        put("a/__k", 1);
        put("__access/x", 1);
        put("__categories/x", 1);
        assertEquals(Set.of("_k", "__k"), list("a", Listings.Depth.ONE).keySet());
        assertEquals(Set.of("a", "__categories"), list("", Listings.Depth.ONE).keySet());
        assertEquals(
                Set.of("a/_k", "a/__k", "__categories/x"),
                list("", Listings.Depth.ALL).keySet());
    }

    /** The size and version in a listing are correct. */
    @Test
    void sizesAndVersions_areThoseOfReads() throws Exception {
        put("a/k", 1000);
        put("a/empty", 0);
        for (Listings.Depth depth : Listings.Depth.values()) {
            assertEquals(2, list("a", depth).size());
            for (Entry entry : list("a", depth).values()) {
                try (ObjectSnapshot object = store().open("a/" + entry.name()).orElseThrow()) {
                    entry.size().ifPresent(size -> assertEquals(object.size(), size, entry.name()));
                    entry.version().ifPresent(version -> assertEquals(object.version(), version, entry.name()));
                }
            }
        }
    }

    @Test
    void prefixes_illegal_areTheCallersMistake() {
        for (String prefix : StoreSuiteHelpers.ILLEGAL_KEYS) {
            if (!prefix.isEmpty()) {
                assertThrows(IllegalArgumentException.class, () -> listed(prefix), prefix);
            }
        }
    }

    /** Lists a prefix; throws the failure itself, not the exception of the future around it. */
    private void listed(String prefix) throws Exception {
        try {
            list(prefix, Listings.Depth.ONE);
        } catch (ExecutionException | CompletionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
