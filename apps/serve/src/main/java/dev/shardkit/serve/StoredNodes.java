package dev.shardkit.serve;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Opens and describes the arrays and groups of the served store, for all handlers. Caches recently opened nodes for
 * some seconds.
 */
final class StoredNodes {
    /** The maximum number of cached nodes. */
    private static final int MAX_CACHED = 16;
    /** The maximum number of children that the description of a node names. */
    private static final int MAX_CHILDREN = 10_000;
    /** The maximum number of children that are opened to find out their kind. */
    private static final int MAX_KINDS = 500;
    /** The maximum number of notes that are reported. Further notes are dropped, because all reported ones are kept. */
    private static final int MAX_REPORTED = 10_000;

    /** How long a node stays in the cache: 5 seconds. */
    private static final long CACHE_NANOS = 5_000_000_000L;

    private final Store store;
    private final Consumer<String> notes;
    /** The notes that were reported. Guarded by itself. */
    private final Set<String> reported = new HashSet<>();
    /** The nodes by path, the one that was opened first at the start. Guarded by itself. */
    private final Map<String, CachedNode> cache = new LinkedHashMap<>();

    private record CachedNode(ZarrNode node, long openedAt) {}

    /**
     * Creates the access to the nodes of a store.
     *
     * @param notes receives a note for each node whose elements differ from the stored ones when read, once
     */
    StoredNodes(Store store, Consumer<String> notes) {
        this.store = store;
        this.notes = notes;
    }

    /**
     * Reports the reasons why the elements of a node differ from the stored ones when read. Reports each reason once.
     */
    void reportRemarks(ZarrNode node) {
        for (String remark : node.metadata().remarks()) {
            String note = "/" + node.path() + ": note: is not read exactly as it is stored: " + remark;
            synchronized (reported) {
                if (reported.size() >= MAX_REPORTED || !reported.add(note)) {
                    continue;
                }
            }
            notes.accept(note);
        }
    }

    /** Returns whether the store is local, so that opening and listing nodes is cheap. */
    boolean isStoreLocal() {
        return store.reads() instanceof LocalReads;
    }

    /** Returns an array, which may come from the cache and be some seconds old. */
    ZarrArray openArray(String path) throws HttpError {
        if (cachedNode(path) instanceof ZarrArray array) {
            return array;
        }
        throw new HttpError(422, "expected an array, found a group");
    }

    /** Returns an array or a group, which may come from the cache and be some seconds old. */
    ZarrNode cachedNode(String path) throws HttpError {
        synchronized (cache) {
            CachedNode cached = cache.get(path);
            if (cached != null && System.nanoTime() - cached.openedAt() < CACHE_NANOS) {
                return cached.node();
            }
        }
        ZarrNode node = openNode(path);
        synchronized (cache) {
            cache.remove(path);
            cache.put(path, new CachedNode(node, System.nanoTime()));
            if (cache.size() > MAX_CACHED) {
                cache.remove(cache.keySet().iterator().next());
            }
        }
        return node;
    }

    /** Opens an array or a group without the cache. */
    ZarrNode openNode(String path) throws HttpError {
        ZarrNode node = Zarr.find(store, path, ZarrOptions.defaults()).orElseThrow(HttpError::notFound);
        reportRemarks(node);
        return node;
    }

    /**
     * Describes a node, or a folder without metadata that may contain nodes, as JSON for the page that shows arrays.
     */
    Json describe(String path) throws IOException, HttpError {
        Optional<ZarrNode> node = Zarr.find(store, path, ZarrOptions.defaults());
        if (node.isEmpty()) {
            return describeFolder(path);
        }
        reportRemarks(node.get());
        Json.Obj description = Json.object();
        if (node.get().nodeFormat().isPresent()) {
            description =
                    description.with("format", Json.of(node.get().nodeFormat().get()));
        }
        return node.get() instanceof ZarrArray array
                ? describeArray(description, array)
                : describeGroup(description, (ZarrGroup) node.get());
    }

    /**
     * Returns the kinds of the first children of a node or folder: array, group, image (a group with OME-Zarr metadata)
     * or folder. Omits children that cannot be opened.
     *
     * @param description the result of {@link #describe} for the node
     */
    Json childKinds(String path, Json description) {
        Json.Obj kinds = Json.object();
        if (!(((Json.Obj) description).get("children").orElse(null) instanceof Json.Arr children)) {
            return kinds;
        }
        for (Json child :
                children.items().subList(0, Math.min(MAX_KINDS, children.items().size()))) {
            String name = ((Json.Str) child).value();
            try {
                kinds = kinds.with(
                        name, Json.of(kindOf(Zarr.find(store, StoreKeys.join(path, name), ZarrOptions.defaults()))));
            } catch (ZarrException e) {
                continue; // the page shows the failure when the user opens the child
            }
        }
        return kinds;
    }

    /** Returns the kind of a child; folder if there is no node. */
    private static String kindOf(Optional<ZarrNode> node) {
        if (node.isEmpty()) {
            return "folder";
        } else if (node.get() instanceof ZarrArray) {
            return "array";
        }
        Json.Obj attributes = node.get().attributes();
        boolean isImage = attributes.get("multiscales").isPresent()
                || attributes.get("ome").orElse(null) instanceof Json.Obj ome
                        && ome.get("multiscales").isPresent();
        return isImage ? "image" : "group";
    }

    private static Json describeArray(Json.Obj description, ZarrArray array) {
        return description
                .with("type", Json.of("array"))
                .with("shape", Json.of(array.shape()))
                .with("data_type", array.dataType().json())
                .with("sharded", Json.of(array.isSharded()))
                .with("stored_chunk_shape", Json.of(array.storedChunkShape()))
                .with("chunk_shape", Json.of(array.chunkShape()))
                .with("most_step", Json.of(Tiles.maxStep(array)))
                .with("metadata", MetadataWriter.document(array.metadata()));
    }

    private static Json describeGroup(Json.Obj description, ZarrGroup group) {
        Json.Obj withMetadata =
                description.with("type", Json.of("group")).with("metadata", MetadataWriter.document(group.metadata()));
        try {
            return withMetadata.with("children", toJsonList(group.childNames()));
        } catch (UnsupportedException e) {
            return withMetadata
                    .with("children", toJsonList(List.of()))
                    .with("note", Json.of("the store cannot list the children of this group"));
        }
    }

    private Json describeFolder(String path) throws IOException, HttpError {
        if (!store.can(Listings.class)) {
            throw HttpError.notFound();
        }
        TreeSet<String> children = new TreeSet<>();
        BlockingStore.to(store).list(path, entry -> {
            if (entry.kind() == Entry.Kind.PREFIX && !OwnNames.isOwn(entry.name()) && children.size() < MAX_CHILDREN) {
                children.add(entry.name());
            }
        });
        if (children.isEmpty() && !path.isEmpty()) {
            throw HttpError.notFound();
        }
        return Json.object().with("type", Json.of("folder")).with("children", toJsonList(children));
    }

    private static Json toJsonList(Collection<String> names) {
        return new Json.Arr(names.stream().limit(MAX_CHILDREN).map(Json::of).toList());
    }
}
