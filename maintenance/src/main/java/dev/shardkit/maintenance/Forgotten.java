package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Snapshot;
import java.util.Optional;

/**
 * The mark of a group whose consolidated metadata were taken out while arrays below it change: who goes on after a
 * crash knows by it that they are to be made again. Stateless.
 */
final class Forgotten {
    private Forgotten() {}

    private static String key(ZarrGroup group) {
        return Staging.under(group.path(), Staging.FOLDER + "/consolidated");
    }

    /** Marks {@code group}; {@code array} is one below it. */
    static void mark(ZarrGroup group, ZarrArray array) {
        new StoreCalls(array)
                .run(store -> store.put(
                        key(group),
                        Staging.content(Bytes.EMPTY),
                        array.options().durability()));
    }

    /** Whether it is marked. */
    static boolean isMarked(ZarrGroup group, ZarrArray array) {
        return new StoreCalls(array).get(store -> {
            Optional<Snapshot> mark = store.open(key(group));
            if (mark.isPresent()) {
                mark.get().close();
            }
            return mark.isPresent();
        });
    }

    /** Takes the mark away. */
    static void unmark(ZarrGroup group, ZarrArray array) {
        new StoreCalls(array).run(store -> store.deleteAll(Staging.under(group.path(), Staging.FOLDER)));
    }
}
