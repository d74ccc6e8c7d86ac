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
 * Objects of other formats: the first byte chooses the array, the rest is a chunk, a shard or a cube. A whole read and
 * the read of a part must agree: the same elements, or errors.
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

    /** A document, the path of the array that it describes, and the key of the object. */
    private record Form(String document, byte[] content, String path, String key) {}

    private final List<Form> forms;

    private ForeignObjects(List<Form> forms) {
        this.forms = forms;
    }

    private static String sharding(String hash, String index, String data) {
        return ", \"sharding\": {\"@type\": \"neuroglancer_uint64_sharded_v1\", \"hash\": \"" + hash
                + "\", \"preshift_bits\": 0, \"minishard_bits\": 1, \"shard_bits\": 0, \"minishard_index_encoding\": \""
                + index + "\", \"data_encoding\": \"" + data + "\"}";
    }

    private static Form small(String type, String encoding, String sharding, String key) {
        return volume(type, 1, 4, 4, encoding, sharding, key);
    }

    private static Form volume(
            String type, int channels, int size, int chunk, String encoding, String sharding, String key) {
        String block = encoding.startsWith("compressed") ? ", \"compressed_segmentation_block_size\": [2, 2, 2]" : "";
        String info = "{\"@type\": \"neuroglancer_multiscale_volume\", \"data_type\": \"%s\", \"num_channels\": %d, "
                        .formatted(type, channels)
                + "\"scales\": [{\"key\": \"s\", \"size\": [%1$d, %1$d, %1$d], \"chunk_sizes\": [[%2$d, %2$d, %2$d]], "
                        .formatted(size, chunk)
                + "\"encoding\": \"" + encoding + "\"" + block + sharding + "}]}";
        return new Form("info", info.getBytes(StandardCharsets.UTF_8), "s", key);
    }

    /**
     * One cube.
     *
     * @param lengths the lengths of a cube in blocks and of a block in voxels, four bits each
     */
    private static Form cubes(int lengths, int blocks, int type, int voxelSize) {
        byte[] header = Arrays.copyOf(
                new byte[] {'W', 'K', 'W', 1, (byte) lengths, (byte) blocks, (byte) type, (byte) voxelSize}, 16);
        return new Form("header.wkw", header, "", "z0/y0/x0.wkw");
    }

    /** A sound input for each form. */
    List<byte[]> samples() throws IOException {
        List<byte[]> samples = new ArrayList<>();
        for (int i = 0; i < forms.size(); i++) {
            Form form = forms.get(i);
            Store store = MemoryStore.create();
            Stored.put(store, form.document, form.content);
            Stored.put(store, form.key, new byte[0]); // the shape of cubes is the box of what is there
            ZarrArray array = (ZarrArray) Zarr.find(store, form.path, OPTIONS).orElseThrow();
            BlockingStore.to(store).delete(form.key);
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
            String key = form.key.replace(".gz", ""); // written without it
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
        Form form = forms.get((input[0] & 0xff) % forms.size());
        Store store = MemoryStore.create();
        Stored.put(store, form.document, form.content);
        Stored.put(store, form.key, FuzzTarget.behind(input, 1));
        FuzzTarget.declared(() -> Zarr.find(store, form.path, OPTIONS))
                .flatMap(found -> found)
                .ifPresent(ForeignObjects::read);
    }

    /** Reads a small array whole and in part. */
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
