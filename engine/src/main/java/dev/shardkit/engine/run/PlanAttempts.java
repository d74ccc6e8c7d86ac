package dev.shardkit.engine.run;

import dev.shardkit.engine.threads.Workers;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectChangedException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The successive runs of one plan: it is retried until no object changes during the run. Each retry repeats the whole
 * plan, or only the parts that have read a changed object. Used by one thread at a time.
 */
final class PlanAttempts<T> {
    /** The largest number of attempts in a remote store. */
    private static final int MAX_REMOTE_ATTEMPTS = 5;
    /** The same for a local store. A writer that keeps changing a file in place often collides with its readers. */
    private static final int MAX_LOCAL_ATTEMPTS = 200;

    private final Supplier<Plan<T>> plan;
    private final ReadContext context;
    /** Whether the runs share no reads with other runs ({@link InFlightReads#unshared}). */
    private final boolean unshared = InFlightReads.isUnshared();
    /** Records which parts have read which objects; null if the plan is repeated as a whole. */
    private @Nullable ReadDependencies tracker;

    private int attempts;
    /** The number of changes of each object. */
    private final Map<String, Integer> changes = new HashMap<>(0);

    /** Creates the attempts of a plan that is repeated as a whole. */
    PlanAttempts(Supplier<Plan<T>> plan, ReadContext context) {
        this.plan = plan;
        this.context = context;
    }

    /** Returns the attempts of a read in parts. Each further attempt repeats only the parts whose objects changed. */
    static <T> PlanAttempts<T> ofParts(Supplier<PartedRead<T>> factory, ReadContext context) {
        PartedRead<T> parts = located(factory, context);
        if (parts.count() <= 1) {
            return new PlanAttempts<>(parts::plan, context);
        }
        ReadDependencies tracker = new ReadDependencies();
        PlanAttempts<T> attempts =
                new PlanAttempts<>(() -> tracker.round().map(parts::plan).orElseGet(parts::plan), context);
        attempts.tracker = tracker;
        return attempts;
    }

    /** Returns the next run, not yet begun. */
    PlanExecution<T> next(Workers workers) {
        Supplier<PlanExecution<T>> run = () -> new PlanExecution<>(located(plan, context), context, workers, tracker);
        return unshared ? InFlightReads.unshared(run) : run.get();
    }

    /** Calls a factory, and adds the array to its failures. */
    private static <V> V located(Supplier<V> factory, ReadContext context) {
        try {
            return factory.get();
        } catch (ZarrException e) {
            throw e.locate(Optional.of(context.array()), Optional.empty(), Optional.empty());
        }
    }

    /** Prepares the next attempt after an object has changed. Throws {@code thrown} if there are no more attempts. */
    void retry(ObjectChangedException thrown) {
        Map<String, ObjectChangedException> changed = tracker != null ? tracker.next() : Map.of();
        if (tracker == null || tracker.round().isEmpty()) {
            countChange(thrown.location().flatMap(DataLocation::key).orElse(""), ++attempts, thrown);
            return;
        }
        changed.forEach((key, e) -> countChange(key, changes.merge(key, 1, Integer::sum), e));
    }

    private void countChange(String key, int times, ObjectChangedException thrown) {
        if (times == (context.reads() instanceof LocalReads ? MAX_LOCAL_ATTEMPTS : MAX_REMOTE_ATTEMPTS)) {
            throw thrown;
        }
        context.listener().onChanged(key, times);
    }
}
