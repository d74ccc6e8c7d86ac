package dev.shardkit.fuzz;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Fuzz target for metadata documents of Zarr v3, v2 and the draft of v3. The first byte of the input chooses the
 * format: {@code zarr.json} and a chunk (0), {@code .zarray} and {@code .zattrs} (1), {@code .zgroup} and
 * {@code .zmetadata} (2), or the documents of an array and a group of the draft (3). A zero byte separates the two
 * objects. A node that can be opened is described, and one element of an array is read.
 */
final class MetadataDocuments {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withParallelism(1);
    private static final byte[] DRAFT_ROOT = ("{\"zarr_format\": \"https://purl.org/zarr/spec/protocol/core/3.0\", "
                    + "\"metadata_key_suffix\": \".json\"}")
            .getBytes(StandardCharsets.UTF_8);

    private MetadataDocuments() {}

    static void run(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] rest = FuzzTarget.behind(input, 1);
        int cut = 0;
        while (cut < rest.length && rest[cut] != 0) {
            cut++;
        }
        byte[] first = Arrays.copyOf(rest, cut);
        byte[] second = FuzzTarget.behind(rest, cut + 1);
        Store store = MemoryStore.create();
        String path = "";
        switch (input[0] & 3) {
            case 0 -> {
                Stored.put(store, "zarr.json", first);
                Stored.put(store, "c/0", second);
            }
            case 1 -> {
                Stored.put(store, ".zarray", first);
                Stored.put(store, ".zattrs", second);
            }
            case 2 -> {
                Stored.put(store, ".zgroup", first);
                Stored.put(store, ".zmetadata", second);
            }
            default -> {
                Stored.put(store, "zarr.json", DRAFT_ROOT);
                Stored.put(store, "meta/root/a.array.json", first);
                Stored.put(store, "meta/root/a.group.json", second);
                path = "a";
            }
        }
        open(store, path);
    }

    /** Opens a node. Lists the children of a group, describes an array. */
    static void open(Store store, String path) {
        Optional<ZarrNode> found =
                FuzzTarget.declared(() -> Zarr.find(store, path, OPTIONS)).flatMap(node -> node);
        if (found.isEmpty()) {
            return;
        }
        if (found.get() instanceof ZarrGroup group) {
            FuzzTarget.declared(() -> group.children());
        } else if (found.get() instanceof ZarrArray array) {
            describe(array);
        }
    }

    /** Formats the metadata of an array, reads its first element, and counts its stored chunks. */
    static void describe(ZarrArray array) {
        FuzzTarget.check(!array.metadata().toString().isEmpty(), "metadata has words");
        long[] shape = array.shape();
        long[] one = new long[shape.length];
        Arrays.fill(one, 1);
        if (Arrays.stream(shape).allMatch(n -> n > 0)) {
            FuzzTarget.declared(() -> array.read(Box.of(new long[shape.length], one)));
        }
        FuzzTarget.declared(() -> array.presence().count());
    }
}
