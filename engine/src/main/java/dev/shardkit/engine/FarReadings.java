package dev.shardkit.engine;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import dev.shardkit.store.ObjectChangedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the parts of a plan have read from a far store in one run. If an object changes, the parts that have
 * read it are dropped, and run again when the others have ended ({@link Readings}). Without recorded reads, a change
 * ends the run. Guarded by the run's monitor where a method says so.
 */
final class FarReadings {
    private final @Nullable Readings readings;
    private final AnswerReceiver execution;
    private final ReadContext context;
    private final Pins pins;
    /** The failure of a part whose objects are known to be unchanged. */
    private volatile @Nullable Throwable genuine;

    FarReadings(@Nullable Readings readings, AnswerReceiver execution, ReadContext context, Pins pins) {
        this.readings = readings;
        this.execution = execution;
        this.context = context;
        this.pins = pins;
    }

    /**
     * Records reads and returns those that are still of use; the parts of the others are dropped. Under the monitor.
     */
    List<ReadTask> note(List<ReadTask> batch, Deque<Work> units) {
        if (readings == null) {
            return batch;
        }
        List<ReadTask> useful = new ArrayList<>(batch.size());
        for (ReadTask task : batch) {
            readings.note(task);
            ObjectChangedException change = readings.changeOf(task.request().key());
            if (change == null) {
                useful.add(task);
            } else {
                units.add(scratch -> {
                    throw new Work.Failed(change, List.of(task));
                });
            }
        }
        return useful;
    }

    /**
     * Records that the object of a request has changed, and drops the parts that wait for it.
     *
     * @return false if the change ends the run
     */
    boolean changed(MergedRead merged, Throwable failure, Outbox outbox) {
        if (readings == null || !(failure instanceof ObjectChangedException change)) {
            return false;
        }
        synchronized (execution) {
            readings.changed(merged.key(), change);
            List<ReadTask> dropped = outbox.remove(merged.key());
            dropped.addAll(merged.tasks());
            execution.drop(dropped);
        }
        return true;
    }

    /** See {@link Requests#mustRunAgain}. */
    boolean mustRunAgain(List<? extends Task> tasks, Throwable failure) {
        if (readings == null) {
            return false;
        }
        if (failure instanceof ObjectChangedException change && tasks.get(0) instanceof ReadTask read) {
            readings.changed(read.request().key(), change);
            return true;
        }
        if (!(failure instanceof CorruptDataException corrupt)) {
            return false;
        }
        Set<String> keys = readings.keysOf(tasks);
        Collection<String> doubtful;
        synchronized (execution) {
            doubtful =
                    pins.unconfirmed().keySet().stream().filter(keys::contains).toList();
        }
        doubtful.forEach(key -> {
            context.cache().forget(key);
            readings.changed(key, outOfDate(corrupt));
        });
        boolean again = readings.isAnyChanged(keys);
        genuine = again ? genuine : failure;
        return again;
    }

    /** Whether an object is known to have changed in this run: it needs no further look. */
    boolean isChanged(String key) {
        return readings != null && readings.changeOf(key) != null;
    }

    /** Ends a run that had its value: throws if parts of it must run again. */
    void confirm() {
        if (readings != null) {
            readings.firstChange().ifPresent(e -> {
                throw e;
            });
        }
    }

    /** Ends a run that failed: all parts run again, if any. */
    Throwable judge(Throwable failure) {
        if (readings != null) {
            readings.cut();
        }
        if (!(failure instanceof CorruptDataException corrupt)
                || genuine == failure
                || pins.unconfirmed().isEmpty()) {
            return failure;
        }
        pins.unconfirmed().keySet().forEach(context.cache()::forget);
        return outOfDate(corrupt);
    }

    private static ObjectChangedException outOfDate(CorruptDataException corrupt) {
        ObjectChangedException change =
                new ObjectChangedException("cached values may be out of date: " + corrupt.fact());
        return (ObjectChangedException) change.locate(corrupt.array(), corrupt.place(), Optional.empty());
    }
}
