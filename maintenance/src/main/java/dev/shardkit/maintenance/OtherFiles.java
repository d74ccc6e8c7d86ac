package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Lists;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Finds objects below a node that belong to no node, such as a note beside an array. */
final class OtherFiles {
    private static final int MOST_NAMED = 3;
    private static final Set<String> DOCUMENTS =
            Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata", "attributes.json", "info", "header.wkw");
    /** The keys of chunks in all formats: numbers, with the separators, prefixes and ends that the formats have. */
    private static final Pattern CHUNK =
            Pattern.compile("c|(c[./]|[xyz])?[0-9]+([-_./xyz]+[0-9]+)*(\\.wkw)?|[0-9a-f]+\\.shard");

    private OtherFiles() {}

    /**
     * Refuses to lose objects.
     *
     * @throws StoreException if there are any that a copy of the node would not have
     */
    static void refuse(Store store, ZarrNode node) {
        if (!store.can(Lists.class)) {
            return;
        }
        Set<String> arrays = arrays(node);
        TreeSet<String> others = new TreeSet<>();
        try {
            StoreAccess.to(store).listAll("", entry -> {
                if (entry.kind() != Entry.Kind.PREFIX && others.size() <= MOST_NAMED && isOther(entry.name(), arrays)) {
                    others.add(entry.name());
                }
            });
        } catch (IOException e) {
            throw new StoreException("cannot list " + store.describe() + ": " + e.getMessage(), e);
        }
        if (!others.isEmpty()) {
            throw new StoreException(store.describe() + " holds files that belong to no array or group, such as "
                    + others.first() + "; a move to another file system or store would lose them: move them elsewhere "
                    + "first, or copy the node and remove it");
        }
    }

    private static Set<String> arrays(ZarrNode node) {
        Set<String> arrays = new HashSet<>();
        if (node instanceof ZarrArray) {
            arrays.add("");
        } else {
            ((ZarrGroup) node).descendants().forEach((path, metadata) -> {
                if (metadata instanceof ArrayMetadata) {
                    arrays.add(path);
                }
            });
        }
        return arrays;
    }

    private static boolean isOther(String key, Set<String> arrays) {
        if (key.startsWith("__") || key.contains("/__") || DOCUMENTS.contains(StoreKeys.name(key))) {
            return false;
        }
        for (String path = key; !path.isEmpty(); ) {
            path = StoreKeys.parent(path);
            if (arrays.contains(path)) {
                return !CHUNK.matcher(StoreKeys.relative(path, key)).matches();
            }
        }
        return true;
    }
}
