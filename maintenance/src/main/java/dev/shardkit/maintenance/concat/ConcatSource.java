package dev.shardkit.maintenance.concat;

import dev.shardkit.maintenance.concat.Concatenation.Transfer;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A source array of a concatenation. Its document may have been renamed by a run that moves it
 * ({@link ConcatAuxiliaries#RENAMED_DOCUMENT}). Immutable.
 */
record ConcatSource(StoredNode node) {
    String location() {
        return node.location();
    }

    String key(String name) {
        return node.key(name);
    }

    /** Returns the metadata of the array, from its document or its renamed document. */
    ArrayMetadata metadata() {
        NodePath.of(node.path()); // throws if the path is invalid
        Optional<NodeMetadata> found = node.call(node::metadata);
        if (found.isEmpty()) {
            found = node.call(this::readRenamedDocument);
        }
        if (found.isPresent() && found.get() instanceof ArrayMetadata array) {
            return array;
        }
        String why = found.isPresent()
                ? "it is not an array"
                : "zarr.json is not found"
                        + otherDocument()
                                .map(name -> ", but " + name + " is found: convert it first")
                                .orElse("");
        throw node.located(new MetadataException("there is no Zarr v3 array: " + why));
    }

    /** Returns the name of a document of another format, if one exists. */
    private Optional<String> otherDocument() {
        return node.session().registry().nodeFormats().stream()
                .flatMap(format -> format.documentNames().stream())
                .filter(name -> has(key(name)))
                .findFirst();
    }

    private Plan<Optional<NodeMetadata>> readRenamedDocument() {
        MetadataReader reader = new MetadataReader(
                node.session().registry(), node.session().options().limits());
        return Source.stored(key(ConcatAuxiliaries.RENAMED_DOCUMENT))
                .read(
                        ByteRange.whole(node.session().options().limits().metadataBytes()),
                        (response, scratch) -> response instanceof ReadResult.Found found
                                ? Optional.of(reader.read(found.bytes().toArray()))
                                : Optional.empty());
    }

    /** Returns the key of an object below the source that is not one of its chunks; empty if there is none. */
    Optional<String> findForeignObject() {
        ArrayMetadata metadata = metadata();
        ChunkPlans chunks = chunks(metadata);
        Box cells = Box.of(chunks.grid().gridShape());
        List<String> foreign = new ArrayList<>();
        new StoredArray(node, metadata, chunks).objects(key -> {
            boolean isChunk =
                    chunks.cell(key).filter(cell -> inside(cells, cell)).isPresent();
            if (!isChunk && foreign.isEmpty() && !key.equals(key(ConcatAuxiliaries.PROBE))) {
                foreign.add(key);
            }
        });
        return foreign.stream().findFirst();
    }

    private static boolean inside(Box cells, long[] cell) {
        long[] one = new long[cell.length];
        Arrays.fill(one, 1);
        return cells.contains(Box.of(cell, one));
    }

    /** Returns the plans of the chunks. */
    ChunkPlans chunks(ArrayMetadata metadata) {
        return new ChunkPlans(metadata, node);
    }

    /** Visits the keys of all objects below the source, chunks or not. */
    void objects(ConcatPlan.PlacedSource part, Consumer<String> keys) {
        new StoredArray(node, part.source()).objects(keys);
    }

    /** Returns whether an object exists under {@code key}. */
    boolean has(String key) {
        return ConcatAuxiliaries.has(node.session(), key);
    }

    /**
     * Throws if a source overlaps the target or another source. When sources are copied, they may overlap each other,
     * so the same array may be given twice.
     */
    static void refuseOverlap(List<ConcatSource> sources, StoredNode target, Transfer transfer) {
        List<String> locations = new ArrayList<>(List.of(target.location()));
        for (ConcatSource source : sources) {
            String sourceLocation = source.location();
            for (String location : locations) {
                boolean overlaps = LocalFolders.overlap(sourceLocation, location);
                boolean isAllowed = transfer == Transfer.COPY && !location.equals(target.location());
                if (overlaps && !isAllowed) {
                    throw new IllegalArgumentException(
                            "the arrays and the new one must not overlap: " + location + ", " + sourceLocation);
                }
            }
            locations.add(sourceLocation);
        }
    }
}
