package dev.shardkit.maintenance.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.concat.Concatenation.Source;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Source arrays for concatenations, and checks of the results. */
final class ConcatenationSamples {
    static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);
    static final int WIDTH = 7;

    private ConcatenationSamples() {}

    /** Whether the sources are copied or moved. */
    enum Transfer {
        COPY,
        MOVE;

        Concatenation of(List<Source> sources, int axis) {
            return this == COPY
                    ? Concatenation.copying(sources, axis, OPTIONS)
                    : Concatenation.moving(sources, axis, OPTIONS);
        }
    }

    static ArraySpec unshardedSpec(long length) {
        return ArraySpec.of("int32", length, WIDTH).withFillValue(-1).withCodecs(Codecs.zstd(1));
    }

    static ArraySpec shardedSpec(long length, long shard) {
        return unshardedSpec(length).withShardShape(shard, 8).withChunkShape(2, 4);
    }

    static ZarrArray create(Store store, String path, ArraySpec spec, int seed) {
        ZarrArray array = Zarr.createArray(store, path, spec, IfExists.REFUSE, OPTIONS);
        Random random = new Random(seed);
        array.write(array.domain(), random.ints(array.domain().count(), 0, 1000).toArray(), 0);
        if (array.shape()[0] > 4) {
            array.erase(Box.of(new long[] {1, 0}, new long[] {3, WIDTH}));
        }
        return array;
    }

    static List<Source> sources(Store store, ArraySpec... specs) {
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < specs.length; i++) {
            create(store, "s" + i, specs[i], i);
            sources.add(new Source(store, "s" + i));
        }
        return sources;
    }

    static int[] expectedElements(List<Source> sources) {
        return sources.stream()
                .map(s -> Zarr.openArray(s.store(), s.path(), OPTIONS).read().ints())
                .flatMapToInt(Arrays::stream)
                .toArray();
    }

    static Map<String, byte[]> objects(Store store) throws IOException {
        Map<String, byte[]> all = new HashMap<>();
        collect(BlockingStore.to(store), "", all);
        return all;
    }

    /** Collects all objects below a prefix. */
    static void collect(BlockingStore store, String prefix, Map<String, byte[]> all) throws IOException {
        List<Entry> entries = new ArrayList<>();
        store.list(prefix, entries::add);
        for (Entry entry : entries) {
            String key = prefix.isEmpty() ? entry.name() : prefix + "/" + entry.name();
            if (entry.kind() == Entry.Kind.PREFIX) {
                collect(store, key, all);
            } else {
                try (ObjectSnapshot object = store.open(key).orElseThrow()) {
                    java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate((int) object.size());
                    object.read(0, bytes);
                    all.put(key, bytes.array());
                }
            }
        }
    }

    static ZarrArray openResult(Store store) {
        ZarrArray array = Zarr.openArray(store, "out", OPTIONS);
        assertEquals(0, Verification.of(array).run(f -> {}).errors());
        return array;
    }
}
