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
import dev.shardkit.store.Lists;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
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

/** Opens the nodes of a store for the page. Keeps recently opened nodes, with their caches, for some seconds. */
final class StoredNodes {
    private static final int MAX_KEPT = 16;
    private static final int MAX_CHILDREN = 10_000;
    private static final int MAX_KINDS = 500;
    /** Bounds the memory of notes that were told. */
    private static final int MAX_TOLD = 10_000;

    private static final long KEPT_NANOS = 5_000_000_000L;

    private final Store store;
    private final Consumer<String> notes;
    private final Set<String> told = new HashSet<>();
    private final Map<String, Kept> kept = new LinkedHashMap<>();

    private record Kept(ZarrNode node, long since) {}

    /** @param notes receives once what is not read exactly as it is stored, of each node that is served */
    StoredNodes(Store store, Consumer<String> notes) {
        this.store = store;
        this.notes = notes;
    }

    /** Tells once what of a node is not read exactly as it is stored. */
    void tellRemarks(ZarrNode node) {
        for (String remark : node.metadata().remarks()) {
            String note = "/" + node.path() + ": note: is not read exactly as it is stored: " + remark;
            synchronized (told) {
                if (told.size() >= MAX_TOLD || !told.add(note)) {
                    continue;
                }
            }
            notes.accept(note);
        }
    }

    /** Whether nodes are opened and listed without requests to other machines. */
    boolean areLocal() {
        return store.reads() instanceof NearReads;
    }

    /** Opens an array. */
    ZarrArray array(String path) throws Refused {
        if (kept(path) instanceof ZarrArray array) {
            return array;
        }
        throw new Refused(422, "expected an array, found a group");
    }

    /** Opens an array or a group, which may be that of some seconds ago. */
    ZarrNode kept(String path) throws Refused {
        synchronized (kept) {
            Kept known = kept.get(path);
            if (known != null && System.nanoTime() - known.since() < KEPT_NANOS) {
                return known.node();
            }
        }
        ZarrNode node = node(path);
        synchronized (kept) {
            kept.remove(path);
            kept.put(path, new Kept(node, System.nanoTime()));
            if (kept.size() > MAX_KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return node;
    }

    /** Opens an array or a group. */
    ZarrNode node(String path) throws Refused {
        ZarrNode node = Zarr.find(store, path, ZarrOptions.defaults()).orElseThrow(Refused::missing);
        tellRemarks(node);
        return node;
    }

    /** Returns what the page shows of a node, or of a folder without metadata that may contain nodes. */
    Json facts(String path) throws IOException, Refused {
        Optional<ZarrNode> node = Zarr.find(store, path, ZarrOptions.defaults());
        if (node.isEmpty()) {
            return folder(path);
        }
        tellRemarks(node.get());
        Json.Obj facts = Json.object();
        if (node.get().nodeFormat().isPresent()) {
            facts = facts.with("format", Json.of(node.get().nodeFormat().get()));
        }
        return node.get() instanceof ZarrArray array ? array(facts, array) : group(facts, (ZarrGroup) node.get());
    }

    /**
     * Returns the kinds of the first children of a node or folder: array, group, image (a group with OME-Zarr metadata)
     * or folder. Leaves out children that cannot be opened.
     *
     * @param facts the facts of the node
     */
    Json kinds(String path, Json facts) {
        Json.Obj kinds = Json.object();
        if (!(((Json.Obj) facts).get("children").orElse(null) instanceof Json.Arr children)) {
            return kinds;
        }
        for (Json child :
                children.items().subList(0, Math.min(MAX_KINDS, children.items().size()))) {
            String name = ((Json.Str) child).value();
            try {
                kinds = kinds.with(
                        name, Json.of(kind(Zarr.find(store, StoreKeys.join(path, name), ZarrOptions.defaults()))));
            } catch (ZarrException e) {
                continue; // choosing it says why
            }
        }
        return kinds;
    }

    private static String kind(Optional<ZarrNode> node) {
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

    private static Json array(Json.Obj facts, ZarrArray array) {
        return facts.with("type", Json.of("array"))
                .with("shape", Json.of(array.shape()))
                .with("data_type", array.dataType().json())
                .with("sharded", Json.of(array.isSharded()))
                .with("stored_chunk_shape", Json.of(array.storedChunkShape()))
                .with("chunk_shape", Json.of(array.chunkShape()))
                .with("most_step", Json.of(Tiles.maxStep(array)))
                .with("metadata", MetadataWriter.document(array.metadata()));
    }

    private static Json group(Json.Obj facts, ZarrGroup group) {
        Json.Obj known =
                facts.with("type", Json.of("group")).with("metadata", MetadataWriter.document(group.metadata()));
        try {
            return known.with("children", names(group.childNames()));
        } catch (UnsupportedException e) {
            return known.with("children", names(List.of()))
                    .with("note", Json.of("the store cannot list the children of this group"));
        }
    }

    private Json folder(String path) throws IOException, Refused {
        if (!store.can(Lists.class)) {
            throw Refused.missing();
        }
        TreeSet<String> children = new TreeSet<>();
        StoreAccess.to(store).list(path, entry -> {
            if (entry.kind() == Entry.Kind.PREFIX && !OwnNames.isOwn(entry.name()) && children.size() < MAX_CHILDREN) {
                children.add(entry.name());
            }
        });
        if (children.isEmpty() && !path.isEmpty()) {
            throw Refused.missing();
        }
        return Json.object().with("type", Json.of("folder")).with("children", names(children));
    }

    private static Json names(Collection<String> names) {
        return new Json.Arr(names.stream().limit(MAX_CHILDREN).map(Json::of).toList());
    }
}
