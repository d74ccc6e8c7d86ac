package dev.shardkit.maintenance;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.region.ObjectCopy;
import dev.shardkit.region.SlicePlace;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reports or deletes the stray chunks of one array. It deletes only on request, because nothing in such an object says
 * who wrote it. Used once, by one thread.
 */
final class StrayRepair {
    private final ZarrArray array;
    private final RepairSettings settings;
    private final Mode mode;
    private final StepCount count;

    StrayRepair(ZarrArray array, RepairSettings settings, Mode mode, StepCount count) {
        this.array = array;
        this.settings = settings;
        this.mode = mode;
        this.count = count;
    }

    void run() {
        if (mode == Mode.DRY_RUN || settings.strays() == RepairSettings.Strays.LIST) {
            Kind kind = settings.strays() == RepairSettings.Strays.LIST ? Kind.STRAY : Kind.DROP_STRAY;
            strays(array).forEach((key, reason) -> tell(kind, key, reason));
            return;
        }
        if (strays(array).isEmpty()) {
            return; // no lock file is made
        }
        // A layout change uses such keys, and a stream stores slices before it extends the array.
        HeldLock lock = new HeldLock(array);
        try {
            lock.whileHolding(
                    new Staging(array).recordKey(),
                    () -> lock.whileHolding(growth(), () -> {
                        dropAll();
                        return true;
                    }));
        } catch (StoreException e) {
            count.tell(new RepairStep(
                    Kind.LEFT,
                    array.path(),
                    e.place(),
                    Optional.empty(),
                    "stray chunks cannot be deleted: " + e.fact()));
        }
    }

    private String growth() {
        return StoreKeys.join(array.path(), SlicePlace.GROWTH);
    }

    private void dropAll() {
        StoredArray known = ArrayInternals.of(array);
        // The array may have been extended since it was opened.
        ZarrArray now = (ZarrArray) Zarr.find(known.store(), array.path(), array.options())
                .filter(node -> node instanceof ZarrArray)
                .orElseThrow(() -> new StoreException("the array was deleted during its repair"));
        if (LayoutRun.isCutShort(now)) {
            throw new StoreException("an interrupted change of the array's layout needs them; complete it first");
        }
        strays(now).forEach((key, reason) -> {
            if (settings.backup() != null) {
                Session kept =
                        new Session(settings.backup(), known.node().session().options());
                ObjectCopy.run(known.node(), key, new StoredNode(kept, ""), key);
            }
            new StoreCalls(array).run(store -> store.delete(key));
            tell(Kind.DROP_STRAY, key, reason);
        });
    }

    private static Map<String, String> strays(ZarrArray array) {
        Map<String, String> strays = new LinkedHashMap<>();
        try {
            new StrayChunks(array).visit(strays::put);
        } catch (UnsupportedException e) {
            return Map.of(); // the store cannot list
        }
        return strays;
    }

    private void tell(Kind kind, String key, String reason) {
        count.tell(new RepairStep(kind, array.path(), Optional.of(Place.of(key)), Optional.empty(), reason));
    }
}
