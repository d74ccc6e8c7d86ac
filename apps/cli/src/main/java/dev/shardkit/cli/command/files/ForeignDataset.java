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
 * An open dataset of an HDF5 file, for the command {@code adopt}. The command writes a shard index for the file. Then
 * the file is the only shard of a Zarr array, and the chunks of the dataset are its inner chunks. No chunk is copied.
 * This class describes the array, and finds the position of each chunk in the file.
 *
 * @param store the file, as a store that shows each dataset as a Zarr array
 * @param array the dataset, as an array of that store
 * @param options the options with which both were opened
 */
record ForeignDataset(Store store, ZarrArray array, ZarrOptions options) implements AutoCloseable {
    /**
     * Opens a dataset.
     *
     * @param path the path of the dataset in the file; null for the only dataset of the file
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

    /** Returns the path of the only dataset. Throws {@link UsageException} if the file does not have exactly one. */
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

    /** Adds the paths of all datasets at and below a node. */
    private static void collectPaths(ZarrNode node, List<String> paths) {
        if (node instanceof ZarrGroup group) {
            group.children().values().forEach(child -> collectPaths(child, paths));
        } else {
            paths.add(node.path());
        }
    }

    /**
     * Returns the metadata of the array that {@code adopt} creates. It has the elements of the dataset, and one shard
     * that covers the whole array. The inner chunks of this shard are the chunks of the dataset.
     */
    ArrayMetadata describeAsShard() {
        ArrayMetadata source = array.metadata();
        Json.Obj document = MetadataWriter.document(source);
        long[] shape = source.shape();
        long[] chunk = source.chunkGrid().chunk(new long[shape.length]).shape();
        // No member "shard_shape": JsonArraySpec then makes one shard that covers the array.
        Json.Obj members = Json.object()
                .with("shape", Json.of(shape))
                .with("data_type", document.get("data_type").orElseThrow())
                .with("chunk_shape", Json.of(chunk))
                .with("codecs", document.get("codecs").orElseThrow())
                .with("fill_value", document.get("fill_value").orElseThrow())
                .with("attributes", source.attributes());
        boolean mayLackCodecs = false; // the members contain the codecs of the dataset
        ArraySpec spec = JsonArraySpec.parse(members, mayLackCodecs);
        Optional<List<Optional<String>>> names = source.dimensionNames();
        ArraySpec withNames = names.isPresent() ? spec.withDimensionNames(names.get()) : spec;
        return UsageException.reportingMetadata(() -> Zarr.describe(withNames, options));
    }

    /** Returns the positions of the stored chunks in the file. */
    List<Adoption.Chunk> chunkPositions() {
        // HDF5 stores texts of variable length in a heap of the file, and only references to them in the chunks.
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

    /**
     * Returns the position of a chunk. A shard can contain the chunk only if all its bytes are one range of the file.
     * The store assembles other chunks: it holds the elements of a compact dataset, which are in the dataset's header,
     * in memory. HDF5 may have skipped filters for some chunks of the dataset. Then the store prepends a mask of the
     * skipped filters to each chunk, and the file does not have this mask before the chunk.
     *
     * @param cell the position of the chunk in the grid of chunks
     * @param key the key of the chunk in the store
     */
    private Adoption.Chunk chunkPosition(long[] cell, String key) {
        List<ObjectPart> parts = store.reads().parts(key).orElseThrow();
        if (parts.size() != 1 || !(parts.get(0) instanceof ObjectPart.Stored part)) {
            throw new UsageException("the chunks of " + array.path() + " cannot be parts of a shard: they are in the "
                    + "header of the dataset, or HDF5 skipped filters for some of them");
        }
        return new Adoption.Chunk(cell, part.offset(), part.size());
    }

    @Override
    public void close() {
        array.close();
        store.close();
    }
}
