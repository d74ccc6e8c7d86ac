package dev.shardkit.maintenance.relayout;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.CountingCodec;
import dev.shardkit.maintenance.relayout.Relayout.Change;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The base of tests that change the layout of an array: collects the reported changes, and counts how often elements
 * were encoded or decoded.
 */
abstract class RelayoutTestBase {
    final CountingCodec codec = new CountingCodec();
    final ZarrOptions options = codec.options().withDurability(Durability.ATOMIC);
    final List<Change> reported = new ArrayList<>();

    ZarrArray create(Store store, String path, ArraySpec spec) {
        return Zarr.createArray(store, path, spec, IfExists.REFUSE, options);
    }

    ArraySpec unshardedSpec() {
        return ArraySpec.of("int32", 10, 12)
                .withChunkShape(3, 4)
                .withCodecs(Codecs.bytesLittleEndian(), CountingCodec.metadata());
    }

    static int[] numbers(ZarrArray array) {
        return IntStream.rangeClosed(1, (int) array.domain().count()).toArray();
    }

    ZarrArray createWritten(Store store, String path, ArraySpec spec) {
        ZarrArray array = create(store, path, spec);
        array.write(array.domain(), numbers(array), 0);
        return array;
    }

    ZarrArray open(Store store) {
        return Zarr.openArray(store, "a", options);
    }
}
