package dev.shardkit.store.composed;

import dev.shardkit.store.Entry;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the store of a composed store that holds a key. Immutable.
 *
 * @param mounts the parts that hold all keys below a path, by this path
 * @param arrayParts the parts that hold chunks of an array, by the path of the array and the beginning of the chunks'
 *     keys up to a separator, such as {@code 0/} or {@code 0.1.}
 */
record Routes(Store base, Map<String, Store> mounts, Map<String, Map<String, Store>> arrayParts) {
    /** A store and the key in it. */
    record Route(Store store, String key) {}

    /** Returns all stores, each once. */
    List<Store> stores() {
        List<Store> stores = new ArrayList<>(List.of(base));
        stores.addAll(mounts.values());
        arrayParts.values().forEach(parts -> stores.addAll(parts.values()));
        return stores;
    }

    /** Returns the store that holds {@code key}, and the key in this store. */
    Route routeOf(String key) {
        for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
            String path = key.substring(0, slash);
            String relative = key.substring(slash + 1);
            if (mounts.containsKey(path)) {
                return new Route(mounts.get(path), relative);
            } else if (arrayParts.containsKey(path)) {
                return ofChunk(arrayParts.get(path), key, relative);
            }
        }
        return new Route(base, key);
    }

    private Route ofChunk(Map<String, Store> parts, String key, String chunk) {
        for (int i = 1; i < chunk.length(); i++) {
            boolean isSeparator = chunk.charAt(i) == '/' || chunk.charAt(i) == '.';
            Store part = isSeparator ? parts.get(chunk.substring(0, i + 1)) : null;
            if (part != null) {
                return new Route(part, chunk.substring(i + 1));
            }
        }
        return new Route(base, key);
    }

    /** Lists the entries directly below {@code prefix}. A name may be reported twice. */
    void list(String prefix, Consumer<Entry> entries) throws IOException {
        Route route = routeOf(prefix + "/");
        String path = route.key().replaceAll("/+$", "");
        if (route.store() != base) {
            boolean isRootOfArrayPart = !mounts.containsValue(route.store()) && path.isEmpty();
            BlockingStore.to(route.store()).list(path, entry -> {
                // A part of an array may have documents of its own, which do not belong to the array. Chunks do.
                if (!isRootOfArrayPart || entry.name().matches("[0-9].*")) {
                    entries.accept(entry);
                }
            });
            return;
        }
        Children children = new Children(prefix, entries);
        BlockingStore.to(base).list(prefix, children::accept);
        for (Map.Entry<String, Store> mount : mounts.entrySet()) {
            children.reportChild(mount.getKey(), mount.getValue());
        }
        for (Map.Entry<String, Map<String, Store>> array : arrayParts.entrySet()) {
            for (Map.Entry<String, Store> part : array.getValue().entrySet()) {
                String start = part.getKey();
                boolean hasDots = start.endsWith(".");
                String folder = start.substring(0, start.length() - 1);
                // With dots, chunks lie directly below the array; with slashes, below the folder of their indices.
                children.reportChild(hasDots ? array.getKey() : array.getKey() + "/" + folder, part.getValue());
                if (hasDots && prefix.equals(array.getKey())) {
                    children.chunks(start, part.getValue());
                }
            }
        }
    }

    /** Reports the names directly below a prefix, each once. Used for one listing. */
    private static final class Children {
        private final String start;
        private final Consumer<Entry> entries;
        private final Set<String> reported = new HashSet<>();

        Children(String prefix, Consumer<Entry> entries) {
            this.start = prefix.isEmpty() ? "" : prefix + "/";
            this.entries = entries;
        }

        void accept(Entry entry) {
            if (reported.add(entry.name())) {
                entries.accept(entry);
            }
        }

        /** Reports the child on the way to {@code path}, if it lies below the prefix and its part is not empty. */
        void reportChild(String path, Store store) throws IOException {
            if (!path.startsWith(start) || path.length() == start.length()) {
                return;
            }
            String name = path.substring(start.length()).split("/", 2)[0];
            if (!reported.contains(name) && !isEmpty(store)) {
                accept(new Entry(name, Entry.Kind.PREFIX));
            }
        }

        /**
         * Reports the chunks of a part whose keys have dots: key {@code 0} of the part {@code 1.} is chunk {@code 1.0}.
         */
        void chunks(String prefix, Store store) throws IOException {
            BlockingStore.to(store).list("", entry -> {
                if (entry.kind() == Entry.Kind.OBJECT && entry.name().matches("[0-9.]+")) {
                    accept(new Entry(prefix + entry.name(), entry.kind()));
                }
            });
        }

        private static boolean isEmpty(Store store) throws IOException {
            boolean[] found = new boolean[1];
            BlockingStore.to(store).list("", entry -> found[0] = true);
            return !found[0];
        }
    }
}
