package dev.shardkit.maintenance.staging;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.base.ArrayInternals;
import dev.shardkit.maintenance.publish.PartMarks;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.staging.Staging.Record;
import dev.shardkit.session.PublicationRecord;
import dev.shardkit.session.PublicationRecord.Step;
import dev.shardkit.session.UnfinishedNode;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Writes;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A change of one array's layout that did not end: it was interrupted or stopped, or it runs in another process. Says
 * what it is, completes it, or removes what it has staged. Stateless.
 */
public final class UnfinishedLayout {
    private UnfinishedLayout() {}

    private static Optional<PublicationRecord> record(ZarrArray array) {
        return Publication.at(array)
                .record(UnfinishedNode.RELAYOUT, array.options().limits());
    }

    /** Whether several processes stage the parts of a change. */
    public static boolean isInParts(ZarrArray array) {
        return record(array).flatMap(PartMarks::count).isPresent();
    }

    /** Whether an interrupted change has staged everything but not yet replaced the array. */
    public static boolean isCutShort(ZarrArray array) {
        return record(array).filter(r -> r.step() != Step.STAGING).isPresent();
    }

    /** Whether a change was stopped before it had staged everything, so that the array is unchanged. */
    public static boolean isStopped(ZarrArray array) {
        return record(array).filter(r -> r.step() == Step.STAGING).isPresent();
    }

    /**
     * Describes an interrupted change, or an object in the place of its record that cannot be read, and says what to
     * do; empty if there is none. A store that cannot be written is not asked.
     */
    public static Optional<String> text(ZarrArray array) {
        if (!ArrayInternals.of(array).node().session().store().can(Writes.class)) {
            return Optional.empty();
        }
        try {
            return record(array).map(Publication.at(array)::text);
        } catch (MetadataException e) {
            return Optional.of(e.fact());
        }
    }

    /** Removes what a stopped change has staged, once no other process makes the change. */
    public static void discard(ZarrArray array) {
        underLock(array, staging -> {
            if (staging.record().filter(r -> !r.isComplete()).isPresent()) {
                staging.discard();
            }
        });
    }

    /** Completes an interrupted change that has staged everything, and returns the array afterwards. */
    public static ZarrArray complete(ZarrArray array) {
        underLock(array, staging -> staging.record()
                .filter(Record::isComplete)
                .ifPresent(record -> new LayoutSwap(array, staging).finish(record)));
        return current(array);
    }

    private static void underLock(ZarrArray array, Consumer<Staging> work) {
        Staging staging = new Staging(array);
        staging.publication().alone(array.options().lockPatience(), () -> {
            work.accept(staging);
            return true;
        });
    }

    /** Returns the array as it is stored now. */
    public static ZarrArray current(ZarrArray array) {
        Optional<ZarrNode> node = Zarr.find(ArrayInternals.of(array).store(), array.path(), array.options());
        if (node.isPresent() && node.get() instanceof ZarrArray now) {
            return now;
        }
        throw new StoreException("the array was deleted during the change of its layout");
    }
}
