package dev.shardkit.serve;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.ome.metadata.OmeAttributes;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Entry;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Answers requests below {@code /__v3/}, where nodes of every format appear as nodes of Zarr v3. Its arrays are each a
 * {@link VirtualArray}. This path hides no object of the store, because names that begin with two underscores are
 * reserved. Thread-safe.
 */
final class VirtualNodeHandler {
    static final String ROOT = "/__v3/";
    private static final String DOCUMENT = "zarr.json";
    /** The maximum number of nodes whose documents are collected for consolidated metadata. */
    private static final int MAX_LISTED = 1_000;

    private final StoredNodes nodes;
    private final BoundedWork work;

    VirtualNodeHandler(StoredNodes nodes, BoundedWork work) {
        this.nodes = nodes;
        this.work = work;
    }

    /** Returns whether a path lies below {@link #ROOT}. */
    static boolean isBelow(URI uri) {
        return uri.getRawPath() != null && uri.getRawPath().startsWith(ROOT);
    }

    /** Sends a listing, a document or a chunk. */
    void send(URI uri, HttpResponse response) throws IOException, HttpError {
        RequestPath path = RequestPath.parse(uri.getRawPath().substring(ROOT.length() - 1));
        try {
            if (path.isListing()) {
                ListingHandler.send(path.key(), listEntries(path.key()), response);
                return;
            }
            byte[] object = readObject(path.key()).orElseThrow(HttpError::notFound);
            ObjectHandler.send(path.key(), new EncodedObject(object), response, object.length);
        } catch (MetadataException | UnsupportedException e) {
            throw new HttpError(422, e.fact());
        }
    }

    /** Returns the entries of a node's listing: its document, and the children of a group. Chunks are not listed. */
    private Map<String, Entry> listEntries(String path) throws HttpError {
        Map<String, Entry> entries = new TreeMap<>();
        entries.put(DOCUMENT, new Entry(DOCUMENT, Entry.Kind.OBJECT));
        if (nodes.openNode(path) instanceof ZarrGroup group) {
            for (String child : group.childNames()) {
                entries.put(child, new Entry(child, Entry.Kind.PREFIX));
            }
        }
        return entries;
    }

    /** Returns the bytes of a document or a chunk; empty for a chunk whose elements all equal the fill value. */
    private Optional<byte[]> readObject(String key) throws HttpError {
        if (StoreKeys.name(key).equals(DOCUMENT)) {
            return Optional.of(encodeDocument(StoreKeys.parent(key)));
        }
        ChunkPath chunk = ChunkPath.parse(key).orElseThrow(HttpError::notFound);
        VirtualArray array = VirtualArray.of(nodes.openArray(chunk.node()));
        if (!array.contains(chunk.cell())) {
            throw HttpError.notFound();
        }
        byte[] encoded = work.run(
                array.memory(chunk.cell()),
                () -> array.encodeChunk(chunk.cell()).map(Bytes::toArray).orElseGet(() -> new byte[0]));
        return encoded.length == 0 ? Optional.empty() : Optional.of(encoded);
    }

    /** Returns {@code zarr.json} of the node at a path. That of a group has consolidated metadata if possible. */
    private byte[] encodeDocument(String path) throws HttpError {
        ZarrNode node = nodes.openNode(path);
        ImageAxes images = new ImageAxes(nodes);
        Json.Obj document = encodeDocument(node, images);
        if (node instanceof ZarrGroup group) {
            Optional<Map<String, Json>> documents =
                    group.metadata().consolidated().isPresent()
                            ? Optional.of(consolidatedDocuments(group, images))
                            : allDocuments(group, images);
            if (documents.isPresent()) {
                document = document.with(
                        "consolidated_metadata",
                        Json.object()
                                .with("kind", Json.of("inline"))
                                .with("must_understand", Json.of(false))
                                .with("metadata", new Json.Obj(documents.get())));
            }
        }
        return document.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns {@code zarr.json} of a node, without consolidated metadata. */
    private Json.Obj encodeDocument(ZarrNode node, ImageAxes images) {
        nodes.reportRemarks(node);
        if (node instanceof ZarrArray array) {
            Json.Obj document = MetadataWriter.document(VirtualArray.of(array).metadata());
            return images.axisNames(array)
                    .map(names -> document.with("dimension_names", Json.of(names)))
                    .orElse(document);
        }
        images.add((ZarrGroup) node);
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("group"))
                .with("attributes", OmeAttributes.upgrade(node.attributes(), StoreKeys.name(node.path())));
    }

    /** Returns the documents of the nodes in the consolidated metadata. Opening them needs no further request. */
    private Map<String, Json> consolidatedDocuments(ZarrGroup group, ImageAxes images) {
        Map<String, Json> documents = new TreeMap<>();
        // Sorted, so that images.add() receives the group of an image before axisNames() needs it for its arrays.
        for (String name :
                new TreeSet<>(group.metadata().consolidated().orElseThrow().keySet())) {
            group.find(name).ifPresent(node -> documents.put(name, encodeDocument(node, images)));
        }
        return documents;
    }

    /**
     * Returns the documents of all nodes below a group, because clients cannot list over HTTP. Empty if the store is
     * remote, if there are more than {@value #MAX_LISTED} nodes, or if one of them cannot be opened.
     */
    private Optional<Map<String, Json>> allDocuments(ZarrGroup group, ImageAxes images) {
        Map<String, Json> documents = new TreeMap<>();
        try {
            return nodes.isStoreLocal() && collectDocuments(group, "", images, documents)
                    ? Optional.of(documents)
                    : Optional.empty();
        } catch (ZarrException e) {
            return Optional.empty();
        }
    }

    /** Adds the documents of all nodes below a group. Returns false if there are too many. */
    private boolean collectDocuments(ZarrGroup group, String path, ImageAxes images, Map<String, Json> documents) {
        SortedSet<String> names = group.childNames();
        if (documents.size() + names.size() > MAX_LISTED) {
            return false;
        }
        for (String name : names) {
            Optional<ZarrNode> node = group.find(name);
            if (node.isPresent()) {
                String childPath = StoreKeys.join(path, name);
                documents.put(childPath, encodeDocument(node.get(), images));
                if (node.get() instanceof ZarrGroup childGroup
                        && !collectDocuments(childGroup, childPath, images, documents)) {
                    return false;
                }
            }
        }
        return true;
    }
}
