package dev.shardkit.maintenance.check;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.JoinCollector;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadRequest;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wraps plans so that they return a failure to decode as a value. A check can then go on with the other parts of a
 * shard. Failures of the store, and cancellation, still end the run. Decoded values of wrapped plans are not cached.
 */
final class FailuresAsValues {
    private FailuresAsValues() {}

    /** The outcome of a plan. */
    sealed interface Outcome<T> {}

    /** The value of a plan. */
    record Done<T>(T value) implements Outcome<T> {}

    /** The failure of a plan. */
    record Failed<T>(ZarrException failure) implements Outcome<T> {}

    /** Converts an exception to a failure. Throws the exception again if it must end the run. */
    private static <T> Outcome<T> failed(RuntimeException e) {
        if (e instanceof StoreException || e instanceof CancellationException) {
            throw e;
        }
        return new Failed<>(
                e instanceof ZarrException failure ? failure : new CorruptDataException("cannot be decoded: " + e, e));
    }

    /** Wraps the plan that {@code plan} returns. If the supplier itself fails, returns that failure as a value too. */
    static <T> Plan<Outcome<T>> of(Supplier<Plan<T>> plan) {
        try {
            return wrap(plan.get());
        } catch (RuntimeException e) {
            return Plan.done(failed(e));
        }
    }

    private static <T> Plan<Outcome<T>> wrap(Plan<T> plan) {
        if (plan instanceof Plan.Done<T> done) {
            return Plan.done(new Done<>(done.value()));
        } else if (plan instanceof Plan.Need<?, T> need) {
            return need(need);
        } else if (plan instanceof Plan.Defer<T> defer) {
            return new Plan.Defer<>(
                    defer.location(), scratch -> of(() -> defer.step().apply(scratch)));
        }
        return join((Plan.Join<?, T>) plan);
    }

    private static <V, T> Plan<Outcome<T>> need(Plan.Need<V, T> need) {
        ReadRequest<V> request = need.request();
        Decoder<Outcome<V>> decoder = (response, scratch) -> {
            try {
                return new Done<>(request.decoder().decode(response, scratch));
            } catch (RuntimeException e) {
                return failed(e);
            }
        };
        return new Plan.Need<>(
                request.decodedBy(decoder),
                (outcome, scratch) -> outcome instanceof Failed<V> failed
                        ? Plan.done(new Failed<>(failed.failure()))
                        : of(() -> need.resume().run(((Done<V>) outcome).value(), scratch)));
    }

    private static <E, T> Plan<Outcome<T>> join(Plan.Join<E, T> join) {
        return new Plan.Join<>(
                join.count(),
                i -> of(() -> join.part().apply(i)),
                () -> gather(join.gather().get()));
    }

    /** Wraps the collector of a join. The first failure of a part becomes the outcome of the join. */
    private static <E, T> JoinCollector<Outcome<E>, Outcome<T>> gather(JoinCollector<E, T> inner) {
        return new JoinCollector<>() {
            private @Nullable ZarrException failure;

            @Override
            public void accept(long index, Outcome<E> outcome) {
                if (outcome instanceof Failed<E> failed) {
                    failure = failure == null ? failed.failure() : failure;
                } else {
                    inner.accept(index, ((Done<E>) outcome).value());
                }
            }

            @Override
            public Plan<Outcome<T>> finish() {
                return failure != null ? Plan.done(new Failed<>(failure)) : of(inner::finish);
            }
        };
    }

    /** Returns the data location of a failure, or {@code otherwise} if it has none. */
    static DataLocation locationOf(ZarrException failure, DataLocation otherwise) {
        return failure.locate(Optional.empty(), Optional.of(otherwise), Optional.empty())
                .location()
                .orElse(otherwise);
    }
}
