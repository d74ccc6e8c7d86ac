package dev.shardkit.maintenance.staging;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.staging.StagingArea.Record;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds, completes or discards an unfinished change of one array's layout, which was interrupted, or still runs in
 * another process. Also records that a group has lost its consolidated metadata during such a change. Stateless.
 */
public final class UnfinishedLayout {
    private UnfinishedLayout() {}

    /** Records at a group that its consolidated metadata is removed while an array below it changes. */
    public static void beginWithoutConsolidated(ZarrGroup group) {
        Publication.at(group)
                .write(
                        PublicationRecord.started(WorkKind.RELAYOUT, "", Json.object()),
                        group.options().durability());
    }

    /** Returns whether an unfinished change has left a group without its consolidated metadata. */
    public static boolean isWithoutConsolidated(ZarrGroup group) {
        return Publication.at(group).record(WorkKind.RELAYOUT).isPresent();
    }

    /** Builds the consolidated metadata of a group again, and removes the record of its removal. */
    public static void consolidate(ZarrGroup group) {
        group.consolidate();
        Publication.at(group).end(WorkKind.RELAYOUT);
    }

    /** Returns the record of the unfinished change of an array; empty if there is none. */
    public static Optional<PublicationRecord> record(ZarrArray array) {
        return Publication.at(array).record(WorkKind.RELAYOUT);
    }

    /** Waits for the lock of the change, and removes the staged objects of a change that has not staged everything. */
    public static void discard(ZarrArray array) {
        underLock(array, staging -> {
            if (staging.record().filter(record -> !record.isComplete()).isPresent()) {
                staging.discard();
            }
        });
    }

    /** Completes an interrupted change that has staged everything. Returns the array as it is stored afterwards. */
    public static ZarrArray complete(ZarrArray array) {
        underLock(array, staging -> staging.record()
                .filter(Record::isComplete)
                .ifPresent(record -> new LayoutSwap(array, staging).finish(record)));
        return reopen(array);
    }

    private static void underLock(ZarrArray array, Consumer<StagingArea> work) {
        StagingArea staging = new StagingArea(array);
        staging.publication().whileLocked(array.options().lockPatience(), () -> {
            work.accept(staging);
            return true;
        });
    }

    /** Returns the array as it is stored now. */
    public static ZarrArray reopen(ZarrArray array) {
        Optional<ZarrNode> node = Zarr.find(ArrayInternals.of(array).store(), array.path(), array.options());
        if (node.isPresent() && node.get() instanceof ZarrArray now) {
            return now;
        }
        throw new StoreException("the array was deleted during the change of its layout");
    }
}
