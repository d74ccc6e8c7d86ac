package dev.shardkit.maintenance.concat;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.ListedCells;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.Store;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Concatenates arrays along a dimension without copying anything. The result is a reference document (kerchunk, version
 * 1): a Zarr v3 array whose chunks refer to the chunks of the arrays. The arrays may have any format. Their stores must
 * provide the URLs of objects ({@link ObjectLocations}): files, HTTP servers, archives, HDF5 files and other reference
 * documents. The rules for their metadata are those of {@link Concatenation}. Immutable.
 */
public final class VirtualConcatenation {
    /** The maximum number of references in a document: as many as shardkit's reference store accepts by default. */
    private static final long MAX_REFERENCES = 2_000_000;

    /** The advice in messages where references are impossible. */
    private static final String COPY = "concat --to URL makes a copy";

    private final List<ZarrArray> arrays;
    private final ConcatPlan plan;
    private final int axis;
    private final Settings settings;

    private VirtualConcatenation(List<ZarrArray> arrays, int axis, ZarrOptions options) {
        this.arrays = List.copyOf(arrays);
        this.axis = axis;
        this.settings = InternalAccess.inside(options, Settings.class);
        List<ArrayMetadata> metadata = arrays.stream().map(ZarrArray::metadata).toList();
        List<StoredNode> nodes =
                arrays.stream().map(array -> ArrayInternals.of(array).node()).toList();
        List<AncestorGroups> ancestors = AncestorGroups.of(nodes, options);
        this.plan = ConcatPlan.of(
                metadata,
                BoundsUnits.inherited(nodes, ancestors, metadata),
                arrays.stream().map(ZarrArray::location).toList(),
                axis,
                Concatenation.Times.REFUSE,
                settings);
        GridMappingComparison.check(nodes, ancestors, metadata);
        CoordinateComparison.check(ancestors, metadata, axis);
    }

    /**
     * Plans a concatenation.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the arrays do not fit together
     */
    public static VirtualConcatenation of(List<ZarrArray> arrays, int axis, ZarrOptions options) {
        return new VirtualConcatenation(arrays, axis, options);
    }

    /** Returns the metadata of the new array. */
    public ArrayMetadata describe() {
        return plan.metadata();
    }

    /**
     * Returns the reference document.
     *
     * @param url converts the URL of an object to the URL in the document
     * @throws UnsupportedException if an array other than the last ends within a stored chunk, or its store does not
     *     provide the URLs of its objects
     */
    public Json.Obj document(Function<URI, String> url) {
        Map<String, Json> references = new LinkedHashMap<>();
        references.put(
                "zarr.json", Json.of(MetadataWriter.document(plan.metadata()).toString()));
        ChunkPlans newChunks = new ChunkPlans(plan.metadata(), "", settings.limits());
        for (int i = 0; i < arrays.size(); i++) {
            StoredArray array = ArrayInternals.of(arrays.get(i));
            ConcatPlan.PlacedSource part = plan.placedSources().get(i);
            ListedCells cells = ListedCells.of(array.node(), array.chunks(), Box.of(array.cells()));
            while (cells.hasNext()) {
                long[] cell = cells.next();
                Optional<Json> reference = reference(array, array.key(cell), cell, !cells.areListed(), url);
                if (reference.isPresent()) {
                    refuseEdge(part, cell, array.key(cell));
                    references.put(newChunks.key(part.toTarget(cell, axis)), reference.get());
                }
                if (references.size() > MAX_REFERENCES) {
                    throw new UnsupportedException("a document of references has at most " + MAX_REFERENCES
                            + " chunks, found more; give the arrays shards first, or " + COPY);
                }
            }
        }
        arrays.forEach(SourceCheck::confirm);
        return Json.object().with("version", Json.of(1)).with("refs", new Json.Obj(references));
    }

    /** Throws if a chunk extends past the end of its array and another array follows. */
    private void refuseEdge(ConcatPlan.PlacedSource part, long[] cell, String key) {
        if (part.isEdge(cell, axis)) {
            throw new UnsupportedException("array " + part.location() + " ends within a chunk: its chunk " + key
                    + " is stored in full length, which is not allowed in the middle of the new array; references "
                    + "cannot change it, but concat --to URL with reencodingEdges makes a copy");
        }
    }

    /**
     * Returns the reference to a stored chunk; empty if the chunk does not exist.
     *
     * @param mayMiss whether the chunk may be missing, because its cell does not come from a listing
     */
    private static Optional<Json> reference(
            StoredArray array, String key, long[] cell, boolean mayMiss, Function<URI, String> url) {
        Store store = array.node().session().store();
        Optional<List<ObjectPart>> parts = store.reads().parts(key);
        if (parts.isPresent()) {
            return Optional.of(references(store, parts.get(), url));
        }
        if (mayMiss && array.storedSize(cell).isEmpty()) {
            return Optional.empty();
        }
        ObjectLocations.Location location = location(store, key);
        // Files and objects of HTTP servers are at offset 0 of a file or URL of their own, so they need no range. In an
        // archive, no object is at offset 0, because a header precedes it. Ranges of other files are parts, see above.
        if (location.offset() == 0) {
            return Optional.of(new Json.Arr(List.of(Json.of(url.apply(location.uri())))));
        }
        long length = array.storedSize(cell).orElse(0);
        return Optional.of(rangeReference(url.apply(location.uri()), location.offset(), length));
    }

    private static ObjectLocations.Location location(Store store, String key) {
        return store.find(ObjectLocations.class)
                .orElseThrow(() -> new UnsupportedException("the store " + store.describe()
                        + " does not tell where its objects are, so no reference can name them; " + COPY))
                .locate(key)
                .orElseThrow(() -> new UnsupportedException("the store " + store.describe()
                        + " does not have the bytes of " + key + " in one place, so no reference can name them; "
                        + COPY));
    }

    private static Json rangeReference(String url, long offset, long size) {
        return new Json.Arr(List.of(Json.of(url), Json.of(offset), Json.of(size)));
    }

    /** Returns one range in the form of kerchunk, and several ranges in the form of shardkit's extension. */
    private static Json references(Store store, List<ObjectPart> parts, Function<URI, String> url) {
        List<Json> pieces = new ArrayList<>();
        for (ObjectPart part : parts) {
            if (part instanceof ObjectPart.Stored stored) {
                ObjectLocations.Location location = location(store, stored.key());
                long offset = location.offset() + stored.offset();
                pieces.add(rangeReference(url.apply(location.uri()), offset, stored.size()));
            } else {
                Bytes bytes = ((ObjectPart.Literal) part).bytes();
                pieces.add(Json.of("base64:" + Base64.getEncoder().encodeToString(bytes.toArray())));
            }
        }
        return pieces.size() == 1 ? pieces.get(0) : new Json.Arr(pieces);
    }
}
