package dev.shardkit.fuzz;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
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
    private static final String SHARDING = ", \"sharding\": {\"@type\": \"neuroglancer_uint64_sharded_v1\", "
            + "\"hash\": \"murmurhash3_x86_128\", \"preshift_bits\": 0, \"minishard_bits\": 1, \"shard_bits\": 0, "
            + "\"minishard_index_encoding\": \"gzip\", \"data_encoding\": \"raw\"}";

    static final ForeignObjects NEUROGLANCER = new ForeignObjects(List.of(
            volume("uint8", "raw", SHARDING, "s/0.shard"),
            volume("uint32", "compressed_segmentation", "", "s/0-4_0-4_0-4"),
            volume("uint64", "compressed_segmentation", "", "s/0-4_0-4_0-4"),
            volume("uint16", "png", "", "s/0-4_0-4_0-4"),
            volume("uint8", "jpeg", "", "s/0-4_0-4_0-4"),
            volume("uint8", "raw", "", "s/0-4_0-4_0-4.gz")));

    static final ForeignObjects WKW = new ForeignObjects(List.of(cubes(1), cubes(2)));

    /** A document, the path of the array that it describes, and the key of the object. */
    private record Form(String document, byte[] content, String path, String key) {}

    private final List<Form> forms;

    private ForeignObjects(List<Form> forms) {
        this.forms = forms;
    }

    private static Form volume(String type, String encoding, String sharding, String key) {
        String block = encoding.startsWith("compressed") ? ", \"compressed_segmentation_block_size\": [2, 2, 2]" : "";
        String info = "{\"@type\": \"neuroglancer_multiscale_volume\", \"data_type\": \"" + type
                + "\", \"num_channels\": 1, \"scales\": [{\"key\": \"s\", \"size\": [4, 4, 4], \"chunk_sizes\": "
                + "[[4, 4, 4]], \"encoding\": \"" + encoding + "\"" + block + sharding + "}]}";
        return new Form("info", info.getBytes(StandardCharsets.UTF_8), "s", key);
    }

    /** Cubes of 2 x 2 x 2 blocks of 2 x 2 x 2 voxels of uint8. */
    private static Form cubes(int blocks) {
        byte[] header = new byte[16];
        System.arraycopy(new byte[] {'W', 'K', 'W', 1, 0x11, (byte) blocks, 1, 1}, 0, header, 0, 8);
        return new Form("header.wkw", header, "", "z0/y0/x0.wkw");
    }

    void run(byte[] input) {
        if (input.length == 0) {
            return;
        }
        Form form = forms.get((input[0] & 0xff) % forms.size());
        Store store = MemoryStore.create();
        Stored.put(store, form.document, form.content);
        Stored.put(store, form.key, Target.behind(input, 1));
        Target.declared(() -> Zarr.find(store, form.path, OPTIONS))
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
        Optional<NdArray> whole = Target.declared(array::read);
        Optional<NdArray> first = Target.declared(() -> array.read(Box.of(new long[one.length], one)));
        Target.check(whole.isEmpty() || first.isPresent(), "an array that reads whole reads in parts");
    }
}
