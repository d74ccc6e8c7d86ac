package dev.shardkit.fuzz;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.store.Store;
import dev.shardkit.store.composed.Composition;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Fuzz target for the metadata documents of other formats. The first byte of the input chooses the format: Neuroglancer
 * (0), N5 (1), WKW (2) or a composed store (3). The rest is the document; for N5, a zero byte separates the documents
 * of a group and of an array in it. Nodes that can be opened are described, and one element of each array is read.
 */
final class ForeignDocuments {
    /** The size of {@code header.wkw} in bytes. */
    private static final int HEADER = 16;

    private ForeignDocuments() {}

    static void run(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] rest = FuzzTarget.behind(input, 1);
        Store store = MemoryStore.create();
        switch (input[0] & 3) {
            case 0 -> {
                Stored.put(store, "info", rest);
                nodes(store);
            }
            case 1 -> {
                int cut = 0;
                while (cut < rest.length && rest[cut] != 0) {
                    cut++;
                }
                Stored.put(store, "attributes.json", Arrays.copyOf(rest, cut));
                Stored.put(store, "a/attributes.json", FuzzTarget.behind(rest, cut + 1));
                nodes(store);
            }
            case 2 -> {
                Stored.put(store, "header.wkw", Arrays.copyOf(rest, Math.min(rest.length, HEADER)));
                Stored.put(store, "z0/y0/x1.wkw", FuzzTarget.behind(rest, HEADER));
                MetadataDocuments.open(store, "");
            }
            default -> composition(rest);
        }
    }

    /** Opens the root, and up to eight of its children. */
    private static void nodes(Store store) {
        MetadataDocuments.open(store, "");
        FuzzTarget.declared(() -> Zarr.find(store, "", ForeignObjects.OPTIONS))
                .flatMap(node -> node)
                .filter(ZarrGroup.class::isInstance)
                .flatMap(node -> FuzzTarget.declared(((ZarrGroup) node)::children))
                .map(SortedMap::entrySet)
                .ifPresent(all -> all.stream().limit(8).map(Map.Entry::getValue).forEach(ForeignDocuments::describe));
    }

    private static void describe(ZarrNode node) {
        if (node instanceof ZarrArray array) {
            MetadataDocuments.describe(array);
        }
    }

    /** Parses the description of a composed store. Written and parsed again, it must be the same. */
    private static void composition(byte[] json) {
        FuzzTarget.declared(() -> Composition.parse(json)).ifPresent(parts -> {
            byte[] again = parts.json().toString().getBytes(StandardCharsets.UTF_8);
            FuzzTarget.check(Composition.parse(again).equals(parts), "a composition is read as it was written");
        });
    }

    /** Returns valid inputs. */
    static List<byte[]> samples() {
        String info = "{\"@type\": \"neuroglancer_multiscale_volume\", \"type\": \"image\", \"data_type\": \"uint16\", "
                + "\"num_channels\": 2, \"scales\": [{\"key\": \"8_8_40\", \"size\": [65, 64, 30], \"resolution\": [8, 8, "
                + "40], \"voxel_offset\": [5, -6, 7], \"chunk_sizes\": [[64, 32, 16]], \"encoding\": \"%s\"%s}]}";
        String sharding = ", \"sharding\": {\"@type\": \"neuroglancer_uint64_sharded_v1\", \"hash\": "
                + "\"murmurhash3_x86_128\", \"preshift_bits\": 2, \"minishard_bits\": 3, \"shard_bits\": 4, "
                + "\"minishard_index_encoding\": \"gzip\", \"data_encoding\": \"gzip\"}";
        String n5 =
                "{\"dimensions\": [30, 20], \"blockSize\": [8, 8], \"dataType\": \"int16\", \"axes\": [\"x\", \"y\"],"
                        + " \"compression\": {\"type\": \"%s\"%s}}";
        String composed =
                "{\"version\": \"0.3.1\", \"name\": \"ShardedStore\", \"module\": \"shardedstore\", \"config\": {\"args\": "
                        + "[%s], \"kwargs\": {\"dimension_separator\": \"/\", \"shards\": {\"group\": %s}, "
                        + "\"array_shard_dims\": {\"a/b\": 1}, \"array_shards\": {\"a/b\": {\"0\": %s}}}}}";
        String part =
                "{\"name\": \"DirectoryStore\", \"module\": \"zarr.storage\", \"config\": {\"args\": [\"p.zarr\"], "
                        + "\"kwargs\": {\"dimension_separator\": \"/\"}}}";
        String zip = "{\"name\": \"ZipStore\", \"config\": {\"kwargs\": {\"path\": \"p.zip\", \"mode\": \"r\"}}}";
        return List.of(
                text(0, info.formatted("raw", "")),
                text(0, info.formatted("raw", sharding)),
                text(0, info.formatted("png", ", \"png_level\": 3")),
                text(
                        0,
                        info.formatted("compressed_segmentation", ", \"compressed_segmentation_block_size\": [8, 8, 8]")
                                .replace("uint16", "uint64")),
                text(
                        0,
                        info.formatted("jpeg", ", \"jpeg_quality\": 80")
                                .replace("uint16", "uint8")
                                .replace("\"num_channels\": 2", "\"num_channels\": 1")),
                text(0, info.formatted("compresso", "")),
                text(1, n5.formatted("raw", "")),
                text(1, n5.formatted("gzip", ", \"level\": 3, \"useZlib\": true")),
                text(1, n5.formatted("bzip2", ", \"blockSize\": 3")),
                text(1, n5.formatted("xz", ", \"preset\": 2")),
                text(1, n5.formatted("lz4", ", \"blockSize\": 4096")),
                text(
                        1,
                        n5.formatted(
                                "blosc", ", \"cname\": \"zstd\", \"clevel\": 3, \"shuffle\": 2, \"blocksize\": 64")),
                text(1, "{\"n5\": \"2.5.1\", \"a\": 1}\0" + n5.formatted("zstd", ", \"level\": -3")),
                text(
                        1,
                        "{\"dimensions\": [3], \"blockSize\": [2], \"dataType\": \"uint8\", \"compressionType\": \"raw\"}"),
                header(1, 0x11, 1, 1, 1),
                header(1, 0x21, 2, 2, 6),
                header(1, 0x55, 3, 5, 4),
                text(3, composed.formatted(part, zip, part.replace("p.zarr", "q.zarr"))),
                text(3, composed.formatted(zip, part, part.replace("DirectoryStore", "NestedDirectoryStore"))));
    }

    private static byte[] text(int format, String document) {
        return ((char) format + document).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns an input with a header of WKW.
     *
     * @param lengths the lengths of a cube in blocks and of a block in voxels, as powers of two, four bits each
     * @param blocks how blocks are stored: 1 as they are, 2 compressed by LZ4, 3 by its slower encoder
     * @param type the number of the voxel type
     * @param voxel the size of a voxel in bytes
     */
    private static byte[] header(int version, int lengths, int blocks, int type, int voxel) {
        byte[] header = {2, 'W', 'K', 'W', (byte) version, (byte) lengths, (byte) blocks, (byte) type, (byte) voxel};
        return Arrays.copyOf(header, 1 + HEADER);
    }
}
