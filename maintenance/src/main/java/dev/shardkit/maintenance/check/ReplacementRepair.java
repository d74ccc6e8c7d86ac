package dev.shardkit.maintenance.check;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.maintenance.base.ArrayInternals;
import dev.shardkit.maintenance.base.StepCount;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.maintenance.staging.ReplacementFile;
import dev.shardkit.maintenance.staging.ReplacementRecord;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Ends an interrupted {@link Replacement} whose record a store holds, as the record says: a committed one is completed,
 * another one is rolled back. Stateless.
 */
final class ReplacementRepair {
    private ReplacementRepair() {}

    /**
     * Ends the replacement of arrays at or below a node, and tells one step for each of them. The record belongs to the
     * whole store, so it is left alone if it names other arrays too.
     *
     * @return the node, opened again if its document may have changed
     */
    static ZarrNode end(ZarrNode node, Mode mode, StepCount count) {
        StoredNode stored = stored(node);
        Store store = stored.session().store();
        try {
            Optional<ReplacementRecord> found =
                    new ReplacementFile(store).record(stored.session().options().limits());
            if (found.filter(record -> isInside(record, node)).isEmpty()) {
                return node;
            }
            ReplacementRecord record = found.get();
            ZarrOptions options = options(node, record);
            if (mode == Mode.APPLY) {
                Replacement.settle(store, options);
            }
            record.arrays().forEach(item -> count.tell(step(Kind.END_CHANGE, item.path(), reason(record))));
            return mode == Mode.APPLY ? Zarr.find(store, node.path(), options).orElse(node) : node;
        } catch (ZarrException e) {
            count.tell(step(Kind.LEFT, node.path(), "an interrupted replacement of all elements: " + e.fact()));
            return node;
        }
    }

    private static StoredNode stored(ZarrNode node) {
        return node instanceof ZarrArray array
                ? ArrayInternals.of(array).node()
                : InternalAccess.inside(node, StoredNode.class);
    }

    /** Returns the options of the node. A group does not expose them, so they come from an array below it. */
    private static ZarrOptions options(ZarrNode node, ReplacementRecord record) {
        if (node instanceof ZarrArray array) {
            return array.options();
        }
        return record.arrays().stream()
                .flatMap(item -> ((ZarrGroup) node).find(StoreKeys.relative(node.path(), item.path())).stream())
                .flatMap(found -> found instanceof ZarrArray array ? Stream.of(array.options()) : Stream.empty())
                .findFirst()
                .orElseThrow(() -> new StoreException(
                        "none of the arrays in " + ReplacementFile.KEY + " exists; delete " + ReplacementFile.KEY));
    }

    private static boolean isInside(ReplacementRecord record, ZarrNode node) {
        String below = StoreKeys.prefix(node.path());
        return record.arrays().stream()
                .allMatch(item -> item.path().equals(node.path()) || item.path().startsWith(below));
    }

    private static String reason(ReplacementRecord record) {
        return record.committed()
                ? "a replacement of all elements was committed, but not completed: the array gets its new elements"
                : "a replacement of all elements was not committed: the array keeps its old elements";
    }

    private static RepairStep step(Kind kind, String path, String reason) {
        return new RepairStep(kind, path, Optional.of(DataLocation.of(ReplacementFile.KEY)), Optional.empty(), reason);
    }
}
