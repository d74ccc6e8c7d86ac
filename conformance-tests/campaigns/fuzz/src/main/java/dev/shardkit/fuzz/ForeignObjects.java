package dev.shardkit.fuzz;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Fuzz targets for stored objects of other formats. The first byte of the input chooses an array of Neuroglancer or
 * WKW; the rest is its only stored object: a chunk, a shard, or a cube (a file of WKW). If the whole array can be read,
 * its first element can be read too.
 */
final class ForeignObjects {
    static final ZarrOptions OPTIONS = ZarrOptions.defaults()
            .withParallelism(1)
            .withLimits(Limits.defaults().withChunkBytes(1 << 20));

    static final ForeignObjects NEUROGLANCER = new ForeignObjects(List.of(
            small("uint8", "raw", sharding("murmurhash3_x86_128", "gzip", "raw"), "s/0.shard"),
            small("uint32", "compressed_segmentation", "", "s/0-4_0-4_0-4"),
            small("uint64", "compressed_segmentation", "", "s/0-4_0-4_0-4"),
            small("uint16", "png", "", "s/0-4_0-4_0-4"),
            small("uint8", "jpeg", "", "s/0-4_0-4_0-4"),
            small("uint8", "raw", "", "s/0-4_0-4_0-4.gz"),
            volume("uint16", 1, 16, 8, "raw", sharding("identity", "raw", "gzip"), "s/0.shard"),
            volume("uint64", 2, 8, 8, "compressed_segmentation", "", "s/0-8_0-8_0-8"),
            volume("uint8", 3, 16, 16, "png", "", "s/0-16_0-16_0-16"),
            volume("uint8", 3, 16, 16, "jpeg", "", "s/0-16_0-16_0-16")));

    static final ForeignObjects WKW =
            new ForeignObjects(List.of(cubes(0x11, 1, 1, 1), cubes(0x11, 2, 1, 1), cubes(0x13, 2, 2, 6)));

    /**
     * An array of another format.
     *
     * @param document the key of the metadata document
     * @param content the metadata document
     * @param path the path of the array that it describes
     * @param key the key of the stored object
     */
    private record ForeignArray(String document, byte[] content, String path, String key) {}

    private final List<ForeignArray> arrays;

    private ForeignObjects(List<ForeignArray> arrays) {
        this.arrays = arrays;
    }

    /** Returns the member {@code sharding} of a Neuroglancer document, with encodings of the index and the data. */
    private static String sharding(String hash, String index, String data) {
        return ", \"sharding\": {\"@type\": \"neuroglancer_uint64_sharded_v1\", \"hash\": \"" + hash
                + "\", \"preshift_bits\": 0, \"minishard_bits\": 1, \"shard_bits\": 0, \"minishard_index_encoding\": \""
                + index + "\", \"data_encoding\": \"" + data + "\"}";
    }

    /** Returns a Neuroglancer volume of one chunk of 4^3 elements. */
    private static ForeignArray small(String type, String encoding, String sharding, String key) {
        return volume(type, 1, 4, 4, encoding, sharding, key);
    }

    /** Returns a Neuroglancer volume: a cube of {@code size}^3 elements in chunks of {@code chunk}^3. */
    private static ForeignArray volume(
            String type, int channels, int size, int chunk, String encoding, String sharding, String key) {
        String block = encoding.startsWith("compressed") ? ", \"compressed_segmentation_block_size\": [2, 2, 2]" : "";
        String info = "{\"@type\": \"neuroglancer_multiscale_volume\", \"data_type\": \"%s\", \"num_channels\": %d, "
                        .formatted(type, channels)
                + "\"scales\": [{\"key\": \"s\", \"size\": [%1$d, %1$d, %1$d], \"chunk_sizes\": [[%2$d, %2$d, %2$d]], "
                        .formatted(size, chunk)
                + "\"encoding\": \"" + encoding + "\"" + block + sharding + "}]}";
        return new ForeignArray("info", info.getBytes(StandardCharsets.UTF_8), "s", key);
    }

    /**
     * Returns a WKW array of one cube.
     *
     * @param lengths the lengths of a cube in blocks and of a block in voxels, as powers of two, four bits each
     * @param blocks how blocks are stored: 1 as they are, 2 compressed by LZ4, 3 by its slower encoder
     * @param type the number of the voxel type
     * @param voxelSize the size of a voxel in bytes
     */
    private static ForeignArray cubes(int lengths, int blocks, int type, int voxelSize) {
        byte[] header = Arrays.copyOf(
                new byte[] {'W', 'K', 'W', 1, (byte) lengths, (byte) blocks, (byte) type, (byte) voxelSize}, 16);
        return new ForeignArray("header.wkw", header, "", "z0/y0/x0.wkw");
    }

    /** Returns a valid input for each array. */
    List<byte[]> samples() throws IOException {
        List<byte[]> samples = new ArrayList<>();
        for (int i = 0; i < arrays.size(); i++) {
            ForeignArray foreign = arrays.get(i);
            Store store = MemoryStore.create();
            Stored.put(store, foreign.document, foreign.content);
            // An array of WKW has the extent of its files, so the file must exist when the array is opened.
            Stored.put(store, foreign.key, new byte[0]);
            ZarrArray array =
                    (ZarrArray) Zarr.find(store, foreign.path, OPTIONS).orElseThrow();
            BlockingStore.to(store).delete(foreign.key);
            Object carrier = array.read().array();
            for (int k = 0; k < Array.getLength(carrier); k++) {
                int value = k % 7 * (k / 100 + 1);
                if (carrier instanceof byte[] b) {
                    b[k] = (byte) value;
                } else if (carrier instanceof short[] s) {
                    s[k] = (short) value;
                } else if (carrier instanceof int[] n) {
                    n[k] = value;
                } else if (carrier instanceof long[] n) {
                    n[k] = value;
                }
            }
            array.write(array.domain(), NdArray.of(array.dataType(), array.shape(), carrier));
            String key = foreign.key.replace(".gz", ""); // shardkit reads compressed chunks, but writes plain ones
            try (ObjectSnapshot object = BlockingStore.to(store).open(key).orElseThrow()) {
                ByteBuffer input = ByteBuffer.allocate(Math.toIntExact(object.size()) + 1);
                object.read(0, input.put((byte) i).slice());
                samples.add(input.array());
            }
        }
        return samples;
    }

    void run(byte[] input) {
        if (input.length == 0) {
            return;
        }
        ForeignArray foreign = arrays.get((input[0] & 0xff) % arrays.size());
        Store store = MemoryStore.create();
        Stored.put(store, foreign.document, foreign.content);
        Stored.put(store, foreign.key, FuzzTarget.behind(input, 1));
        FuzzTarget.declared(() -> Zarr.find(store, foreign.path, OPTIONS))
                .flatMap(found -> found)
                .ifPresent(ForeignObjects::read);
    }

    /** Reads an array whole and its first element, if no length exceeds 64. */
    static void read(ZarrNode node) {
        if (!(node instanceof ZarrArray array) || Arrays.stream(array.shape()).anyMatch(n -> n > 64 || n == 0)) {
            return;
        }
        long[] one = new long[array.shape().length];
        Arrays.fill(one, 1);
        Optional<NdArray> whole = FuzzTarget.declared(array::read);
        Optional<NdArray> first = FuzzTarget.declared(() -> array.read(Box.of(new long[one.length], one)));
        FuzzTarget.check(whole.isEmpty() || first.isPresent(), "an array that reads whole reads in parts");
    }
}
