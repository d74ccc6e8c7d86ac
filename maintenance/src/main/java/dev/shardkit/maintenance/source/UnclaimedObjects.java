package dev.shardkit.maintenance.source;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds objects below a node that belong to no node, such as a note beside an array. */
public final class UnclaimedObjects {
    private static final int MAX_NAMED = 3;
    private static final Set<String> DOCUMENTS =
            Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata", "attributes.json", "info", "header.wkw");
    /** The keys of chunks in all formats: numbers, with the separators, prefixes and ends that the formats have. */
    private static final Pattern CHUNK =
            Pattern.compile("c|(c[./]|[xyz])?[0-9]+([-_./xyz]+[0-9]+)*(\\.wkw)?|[0-9a-f]+\\.shard");

    /** A chunk of an unfinished tree, whose arrays are not known yet. */
    private static final Pattern CHUNK_BELOW = Pattern.compile("(.*/)?(" + CHUNK.pattern() + ")");

    private UnclaimedObjects() {}

    /**
     * Refuses an operation that would lose objects.
     *
     * @param consequence the end of the message: what would happen to the objects, and what to do
     * @throws StoreException if there are any below the node, or the unfinished node, at the root of {@code store}
     */
    public static void refuse(Store store, ZarrOptions options, String consequence) {
        if (store.can(Listings.class)) {
            Map<String, Predicate<String>> arrays = arrays(store, options).orElse(null);
            refuse(store, key -> isUnclaimed(key, arrays), name -> isInForeignFolder(name, arrays), consequence);
        }
    }

    /**
     * Refuses an operation that would lose objects, below a node that an interrupted deletion has left. Its documents
     * may be gone, so objects that look like chunks or documents belong to it, and those under the keys of chunks of
     * its copy.
     *
     * @param copy the store whose root is a complete copy of the node
     * @param consequence the end of the message: what would happen to the objects, and what to do
     * @throws StoreException if there are other objects
     */
    public static void refuseBesideRemains(Store store, Store copy, ZarrOptions options, String consequence) {
        if (store.can(Listings.class)) {
            Map<String, Predicate<String>> copied = arrays(copy, options).orElse(Map.of());
            refuse(
                    store,
                    key -> isUnclaimed(key, null) && isUnclaimed(key, copied),
                    name -> isInForeignFolder(name, copied),
                    consequence);
        }
    }

    /**
     * Refuses objects of other programs.
     *
     * @param isUnclaimed tests the keys that listings show
     * @param isForeign tests the names that listings leave out
     */
    private static void refuse(
            Store store, Predicate<String> isUnclaimed, Predicate<String> isForeign, String consequence) {
        TreeSet<String> named = new TreeSet<>();
        long[] count = {0};
        Consumer<String> add = name -> {
            count[0]++;
            named.add(name);
            if (named.size() > MAX_NAMED) {
                named.pollLast();
            }
        };
        try {
            BlockingStore.to(store).listAll("", entry -> {
                if (entry.kind() != Entry.Kind.PREFIX && isUnclaimed.test(entry.name())) {
                    add.accept(entry.name());
                }
            });
            // listings leave out shardkit's own names, but a deletion removes them
            Optional<TreeDeletions> deletions = store.find(TreeDeletions.class);
            if (deletions.isPresent()) {
                deletions.get().reserved("", name -> {
                    if (isForeign.test(name)) {
                        add.accept(name);
                    }
                });
            }
        } catch (IOException e) {
            throw new StoreException("cannot list " + store.describe() + ": " + e.getMessage(), e);
        }
        if (count[0] > 0) {
            String more = count[0] > named.size() ? " and " + (count[0] - named.size()) + " more" : "";
            throw new StoreException(store.describe() + " holds files that belong to no array or group: "
                    + String.join(", ", named) + more + "; " + consequence);
        }
    }

    /**
     * Whether the root of a store is no node, but holds objects that look like its chunks and documents, and nothing
     * else: a deletion that was interrupted can leave these.
     */
    public static boolean areRemains(Store store) {
        if (!store.can(Listings.class)) {
            return false;
        }
        boolean[] found = {false, true};
        try {
            BlockingStore.to(store).list("", entry -> {
                found[0] = true;
                found[1] &= entry.kind() == Entry.Kind.OBJECT && !isUnclaimed(entry.name(), null);
            });
            return found[0]
                    && found[1]
                    && WorkKind.at(BlockingStore.to(store), "").isEmpty();
        } catch (IOException e) {
            throw new StoreException("cannot list " + store.describe() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the paths of arrays, and of nodes that cannot be opened, with a test of names below them: which belong to
     * a chunk. Empty if the root is no node.
     */
    private static Optional<Map<String, Predicate<String>>> arrays(Store store, ZarrOptions options) {
        Map<String, Predicate<String>> arrays = new HashMap<>();
        try {
            Optional<ZarrNode> root = Zarr.find(store, "", options);
            if (root.isEmpty()) {
                return Optional.empty();
            }
            TreeWalk.visit(
                    root.get() instanceof ZarrGroup group ? group.ignoringConsolidated() : root.get(),
                    array -> arrays.put(array.path(), chunks(array)),
                    (path, failure) -> arrays.put(path, CHUNK.asMatchPredicate()));
        } catch (MetadataException | UnsupportedException e) {
            arrays.put("", CHUNK.asMatchPredicate());
        }
        return Optional.of(arrays);
    }

    /** Returns a test of names below an array: chunks have keys of its own encoding only, if these can be parsed. */
    private static Predicate<String> chunks(ZarrArray array) {
        StoredArray chunks = ArrayInternals.of(array);
        return StoredChunkList.canParseKeys(chunks, chunks.cells())
                ? name -> chunks.cell(StoreKeys.join(array.path(), name)).isPresent()
                : CHUNK.asMatchPredicate();
    }

    /**
     * Returns whether a file with one of shardkit's own names lies in a folder that shardkit did not make: one with
     * another name that begins with {@code __}, in which there is no array. Another program may keep anything there.
     *
     * @param arrays the result of {@link #arrays}; null if the root is no node, because the tree is unfinished
     */
    private static boolean isInForeignFolder(String key, @Nullable Map<String, Predicate<String>> arrays) {
        String folder = key;
        while (OwnNames.isBelowOwn(folder)) {
            folder = StoreKeys.parent(folder);
        }
        String above = folder;
        boolean isReserved = folder.startsWith("__") || folder.contains("/__");
        return isReserved
                && (arrays == null
                        || arrays.keySet().stream()
                                .noneMatch(path -> path.equals(above) || path.startsWith(above + "/")));
    }

    /**
     * Returns whether an object belongs to no node.
     *
     * @param arrays the result of {@link #arrays}; null if the root is no node, because the tree is unfinished
     */
    private static boolean isUnclaimed(String key, @Nullable Map<String, Predicate<String>> arrays) {
        if (DOCUMENTS.contains(StoreKeys.name(key))) {
            return false;
        } else if (arrays == null) {
            return !CHUNK_BELOW.matcher(key).matches();
        }
        for (String path = key; !path.isEmpty(); ) {
            path = StoreKeys.parent(path);
            Predicate<String> chunks = arrays.get(path);
            if (chunks != null) {
                return !chunks.test(StoreKeys.relative(path, key));
            }
        }
        return true;
    }
}
