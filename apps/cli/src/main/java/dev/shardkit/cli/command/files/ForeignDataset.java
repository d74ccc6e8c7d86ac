package dev.shardkit.cli.command.files;

import dev.shardkit.ArraySpec;
import dev.shardkit.ArrayStorage;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.adopt.Adoption;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An open dataset of an HDF5 file that {@code adopt} turns into a shard, without copying its chunks: its array and the
 * positions of its chunks in the file.
 */
record ForeignDataset(Store store, ZarrArray array, ZarrOptions options) implements AutoCloseable {
    /**
     * Opens a dataset.
     *
     * @param path its path in the file; null if the file has only one dataset
     */
    static ForeignDataset open(Path file, @Nullable String path, ZarrOptions options) {
        Store store = Zarr.openStore("hdf5:" + file.toAbsolutePath().normalize().toUri(), options);
        boolean isOpen = false;
        try {
            String datasetPath = path == null ? findOnlyPath(store, options) : path.replaceAll("^/+|/+$", "");
            ForeignDataset dataset = new ForeignDataset(store, Zarr.openArray(store, datasetPath, options), options);
            isOpen = true;
            return dataset;
        } finally {
            if (!isOpen) {
                store.close();
            }
        }
    }

    private static String findOnlyPath(Store store, ZarrOptions options) {
        List<String> paths = new ArrayList<>();
        try (ZarrNode root = Zarr.find(store, "", options).orElseThrow()) {
            collectPaths(root, paths);
        } catch (UnsupportedException e) {
            throw new UsageException(
                    "name a dataset with --dataset: the datasets of the file cannot all be read: " + e.getMessage());
        }
        if (paths.size() != 1) {
            throw new UsageException("--dataset is missing: the file has " + NodeText.count(paths.size(), "dataset")
                    + (paths.isEmpty() ? "" : ": " + String.join(", ", paths.subList(0, Math.min(10, paths.size())))));
        }
        return paths.get(0);
    }

    private static void collectPaths(ZarrNode node, List<String> paths) {
        if (node instanceof ZarrGroup group) {
            group.children().values().forEach(child -> collectPaths(child, paths));
        } else {
            paths.add(node.path());
        }
    }

    /** Returns the metadata of an array with the same elements and chunks, whose only shard contains all chunks. */
    ArrayMetadata describeAsShard() {
        ArrayMetadata source = array.metadata();
        Json.Obj document = MetadataWriter.document(source);
        long[] shape = source.shape();
        long[] chunk = source.chunkGrid().chunk(new long[shape.length]).shape();
        Json.Obj members = Json.object()
                .with("shape", Json.of(shape))
                .with("data_type", document.get("data_type").orElseThrow())
                .with("chunk_shape", Json.of(chunk))
                .with("codecs", document.get("codecs").orElseThrow())
                .with("fill_value", document.get("fill_value").orElseThrow())
                .with("attributes", source.attributes());
        ArraySpec spec = JsonArraySpec.parse(members, false);
        Optional<List<Optional<String>>> names = source.dimensionNames();
        ArraySpec withNames = names.isPresent() ? spec.withDimensionNames(names.get()) : spec;
        return UsageException.reportingMetadata(() -> Zarr.describe(withNames, options));
    }

    /** Returns the positions of the stored chunks. */
    List<Adoption.Chunk> chunkPositions() {
        if (array.dataType().elementSize().isEmpty()) {
            throw new UsageException(
                    "the chunks of " + array.path() + " cannot be parts of a shard: they are texts of variable "
                            + "length, of which the file has no chunks");
        }
        List<Adoption.Chunk> chunks = new ArrayList<>();
        ArrayStorage stored = array.storage();
        stored.objects(key -> stored.cell(key).ifPresent(cell -> chunks.add(chunkPosition(cell, key))));
        return chunks;
    }

    /** Returns the position of a chunk, whose bytes must lie in one range of the file to be a part of a shard. */
    private Adoption.Chunk chunkPosition(long[] cell, String key) {
        List<ObjectPart> parts = store.reads().parts(key).orElseThrow();
        if (parts.size() != 1 || !(parts.get(0) instanceof ObjectPart.Stored part)) {
            throw new UsageException("the chunks of " + array.path() + " cannot be parts of a shard: they are in the "
                    + "header of the dataset, or some lack filters");
        }
        return new Adoption.Chunk(cell, part.offset(), part.size());
    }

    @Override
    public void close() {
        array.close();
        store.close();
    }
}
