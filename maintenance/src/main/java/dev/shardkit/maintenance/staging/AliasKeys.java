package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Gives each object of an array a second key, by a link or a copy, during a change of layout. The array's document can
 * then switch from the first keys to the second ones, without a moment in which chunks are missing. Repeats this for
 * objects that writers replace or delete meanwhile.
 */
final class AliasKeys {
    /** The maximum number of repetitions. */
    private static final int MAX_ROUNDS = 20;
    /** The maximum number of keys in a message. */
    private static final int MAX_NAMED = 20;

    private final StagingArea staging;
    private final ZarrArray from;
    private final ZarrArray to;

    /**
     * Prepares to link the objects of an array.
     *
     * @param from the array with the keys that writers use
     * @param to the same array with the second keys, which no program uses yet
     */
    AliasKeys(StagingArea staging, ZarrArray from, ZarrArray to) {
        this.staging = staging;
        this.from = from;
        this.to = to;
    }

    /** Links the objects to the second keys. Repeats this until no writer has changed an object meanwhile. */
    void link() {
        String before = ArrayFingerprint.of(from);
        staging.link(links -> visitPairs(from, to, links));
        for (int i = 0; i < MAX_ROUNDS && !ArrayFingerprint.of(from).equals(before); i++) {
            Map<String, String> replaced = findReplaced();
            List<String> deleted = findDeleted();
            if (replaced.isEmpty() && deleted.isEmpty()) {
                return; // only the links themselves changed the versions of the files
            }
            before = ArrayFingerprint.of(from);
            new StoreCalls(to).run(store -> delete(store, deleted));
            staging.link(replaced::forEach);
        }
    }

    private static void delete(BlockingStore store, List<String> keys) throws IOException {
        for (String key : keys) {
            store.delete(key);
        }
    }

    /**
     * Names the second keys that do not lead to the same object as the first keys, for a message. Lists a few keys and
     * the number of the others. Empty if there are none.
     */
    String describeDifferences() {
        List<String> all = new ArrayList<>(findReplaced().values());
        all.addAll(findDeleted());
        all.sort(null);
        String named = String.join(", ", all.subList(0, Math.min(MAX_NAMED, all.size())));
        return all.size() <= MAX_NAMED ? named : named + " and " + (all.size() - MAX_NAMED) + " more";
    }

    /** Returns whether no object has a second key. */
    boolean isEmpty() {
        return StoredChunkList.of(to).count() == 0;
    }

    /** Returns the first and second keys of objects whose second key is missing or leads to another object. */
    private Map<String, String> findReplaced() {
        Map<String, String> replaced = new LinkedHashMap<>();
        visitPairs(from, to, (first, second) -> {
            if (!version(first).equals(version(second))) {
                replaced.put(first, second);
            }
        });
        return replaced;
    }

    /** Returns the second keys of objects whose first key was deleted. */
    private List<String> findDeleted() {
        List<String> deleted = new ArrayList<>();
        visitPairs(to, from, (second, first) -> {
            if (version(first).isEmpty()) {
                deleted.add(second);
            }
        });
        return deleted;
    }

    private Optional<String> version(String key) {
        return new StoreCalls(from).get(store -> StoredObjects.find(store, key, ObjectSnapshot::version));
    }

    /** Visits the objects of {@code from}: each key, and the key of the same chunk in {@code to}. */
    private static void visitPairs(ZarrArray from, ZarrArray to, BiConsumer<String, String> pair) {
        ArrayInternals.of(from).objects(key -> ArrayInternals.of(from)
                .cell(key)
                .ifPresent(cell -> pair.accept(key, ArrayInternals.of(to).key(cell))));
    }
}
