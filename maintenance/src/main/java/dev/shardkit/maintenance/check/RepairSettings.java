package dev.shardkit.maintenance.check;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.ObjectBackup;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link Repair}. Immutable.
 *
 * @param corrupt the handling of chunks that do not decode
 * @param strays the handling of stray chunks
 * @param policy the policy with which shards are rewritten
 * @param backup the store for copies of objects before they are changed; null for no backup
 */
record RepairSettings(
        Corrupt corrupt,
        Strays strays,
        ShardWritePolicy policy,
        @Nullable Store backup,
        Progress progress) {
    /** The defaults, which remove no data. */
    static final RepairSettings DEFAULTS = new RepairSettings(
            Corrupt.KEEP, Strays.LIST, ShardWritePolicy.defaults(), null, (array, done, total) -> {});

    /** The handling of chunks and inner chunks that do not decode. */
    enum Corrupt {
        KEEP,
        DROP,
        DROP_WITH_SHARDS
    }

    /** The handling of stray chunks, which no reader finds. */
    enum Strays {
        LIST,
        DELETE
    }

    RepairSettings with(Corrupt other) {
        return new RepairSettings(other, strays, policy, backup, progress);
    }

    RepairSettings with(Strays other) {
        return new RepairSettings(corrupt, other, policy, backup, progress);
    }

    RepairSettings with(ShardWritePolicy other) {
        return new RepairSettings(corrupt, strays, other, backup, progress);
    }

    RepairSettings with(Store other) {
        return new RepairSettings(corrupt, strays, policy, other, progress);
    }

    RepairSettings with(Progress other) {
        return new RepairSettings(corrupt, strays, policy, backup, other);
    }

    /** Copies an object of an array to the backup, if there is one. */
    void backUp(ZarrArray array, String key) {
        Store target = backup;
        if (target != null) {
            new StoreCalls(array)
                    .run(store -> ObjectBackup.backUp(
                            store, key, target, array.options().durability()));
        }
    }

    /**
     * Refuses a backup that overlaps the data.
     *
     * @throws IllegalArgumentException if it does
     */
    void refuseOverlap(Store data, String location) {
        if (backup != null) {
            ObjectBackup.refuseOverlap(data, location, backup);
        }
    }
}
