package dev.shardkit.maintenance.relayout;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Existing;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Sealed;
import dev.shardkit.maintenance.relayout.Relayout.Change;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** An array whose layout is changed, what is told of it, and how often its elements were coded. */
abstract class RelayoutScene {
    final Sealed sealed = new Sealed();
    final ZarrOptions options = sealed.options().withDurability(Durability.ATOMIC);
    final List<Change> told = new ArrayList<>();

    ZarrArray create(Store store, String path, ArraySpec spec) {
        return Zarr.createArray(store, path, spec, Existing.REFUSE, options);
    }

    ArraySpec flat() {
        return ArraySpec.of("int32", 10, 12)
                .withChunkShape(3, 4)
                .withCodecs(Codecs.bytesLittleEndian(), Sealed.named());
    }

    static int[] numbers(ZarrArray array) {
        return IntStream.rangeClosed(1, (int) array.domain().count()).toArray();
    }

    ZarrArray written(Store store, String path, ArraySpec spec) {
        ZarrArray array = create(store, path, spec);
        array.write(array.domain(), numbers(array), 0);
        return array;
    }

    ZarrArray open(Store store) {
        return Zarr.openArray(store, "a", options);
    }
}
