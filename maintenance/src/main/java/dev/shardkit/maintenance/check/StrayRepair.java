package dev.shardkit.maintenance.check;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.publish.NodeLock;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.staging.StrayChunks;
import dev.shardkit.region.resize.GrowthLock;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Locks;
import dev.shardkit.store.WriteResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reports or deletes the stray chunks of one array: stored chunks that no reader finds. It deletes them only on
 * request, because a stray chunk does not show which program wrote it. Used once, by one thread.
 */
final class StrayRepair {
    /** The number of objects that are deleted before the shape of the array is read again. */
    private static final int BATCH = 64;

    private static final String UNPROTECTED =
            "; the store has neither locks nor conditional deletes: slices that a stream wrote to it meanwhile are lost";

    private final ZarrArray array;
    private final StoreCalls calls;
    private final RepairSettings settings;
    private final Mode mode;
    private final RepairCounter counter;

    StrayRepair(ZarrArray array, RepairSettings settings, Mode mode, RepairCounter counter) {
        this.array = array;
        this.calls = new StoreCalls(array);
        this.settings = settings;
        this.mode = mode;
        this.counter = counter;
    }

    void run() {
        if (mode == Mode.DRY_RUN || settings.strays() == RepairSettings.Strays.LIST) {
            Kind kind = settings.strays() == RepairSettings.Strays.LIST ? Kind.STRAY : Kind.DROP_STRAY;
            findStrays(array).forEach((key, reason) -> report(kind, key, reason));
            return;
        }
        if (findStrays(array).isEmpty()) {
            return; // nothing to lock for; locking could create a lock file
        }
        // Both locks are needed: a layout change stores chunks under keys that look stray until it is published, and a
        // stream stores slices outside the grid before it extends the array.
        NodeLock lock = new NodeLock(array);
        try {
            lock.whileHolding(
                    Publication.at(array).key(),
                    () -> lock.whileHolding(growthKey(), () -> {
                        deleteAll();
                        return true;
                    }));
        } catch (StoreException | MetadataException e) {
            counter.report(new RepairStep(
                    Kind.LEFT,
                    array.path(),
                    e.location(),
                    Optional.empty(),
                    "stray chunks cannot be deleted: " + e.fact()));
        }
    }

    private String growthKey() {
        return StoreKeys.join(array.path(), GrowthLock.NAME);
    }

    private void deleteAll() {
        List<String> found = List.copyOf(findStrays(reopen()).keySet());
        for (int i = 0; i < found.size(); i += BATCH) {
            delete(found.subList(i, Math.min(found.size(), i + BATCH)));
        }
    }

    /** Opens the array again, because it may have been extended. Throws if unfinished work needs the stray chunks. */
    private ZarrArray reopen() {
        ZarrArray now = (ZarrArray) Zarr.find(calls.store().store(), array.path(), array.options())
                .filter(node -> node instanceof ZarrArray)
                .orElseThrow(() -> new StoreException("the array was deleted during its repair"));
        Optional<PublicationRecord> record = Publication.at(now).record();
        if (record.filter(found -> found.work() == WorkKind.REPLACEMENT
                        || found.work() == WorkKind.RELAYOUT && found.isCommitted())
                .isPresent()) {
            throw new StoreException(record.get().work().text() + " needs them; complete it first");
        }
        return now;
    }

    /**
     * Deletes the objects that are still stray chunks. Reads the versions of the objects first, then the shape of the
     * array. In a store without locks, a stream extends the array before it writes. So if an object is outside the
     * shape and still has its version, no stream has written it.
     */
    private void delete(List<String> keys) {
        Map<String, String> versions = new LinkedHashMap<>();
        for (String key : keys) {
            calls.get(store -> store.version(key)).ifPresent(version -> versions.put(key, version));
        }
        StrayChunks strays = new StrayChunks(reopen());
        versions.forEach((key, version) -> strays.findReason(key).ifPresent(reason -> delete(key, version, reason)));
    }

    private void delete(String key, String version, String reason) {
        boolean isConditional = calls.store().putsUnderConditions();
        Condition condition = isConditional ? Condition.version(version) : Condition.ANY;
        try {
            settings.backUp(array, key);
            WriteResult outcome = calls.get(store -> store.delete(key, condition));
            if (outcome instanceof WriteResult.Done) {
                boolean isProtected = isConditional || calls.store().can(Locks.class);
                report(Kind.DROP_STRAY, key, isProtected ? reason : reason + UNPROTECTED);
            } else if (outcome instanceof WriteResult.NotMet) {
                report(Kind.STRAY, key, reason + "; kept, because it was written meanwhile");
            } else if (outcome instanceof WriteResult.Unknown unknown) {
                report(Kind.LEFT, key, reason + "; the answer to its deletion was lost: " + unknown.cause());
            }
        } catch (ZarrException e) {
            report(Kind.LEFT, key, reason + "; it cannot be deleted: " + e.fact());
        }
    }

    /** Returns the reasons why objects are stray chunks, by their keys. */
    private static Map<String, String> findStrays(ZarrArray array) {
        Map<String, String> strays = new LinkedHashMap<>();
        try {
            new StrayChunks(array).visit(strays::put);
        } catch (UnsupportedException e) {
            return Map.of(); // the store cannot list
        }
        return strays;
    }

    private void report(Kind kind, String key, String reason) {
        counter.report(new RepairStep(kind, array.path(), Optional.of(DataLocation.of(key)), Optional.empty(), reason));
    }
}
