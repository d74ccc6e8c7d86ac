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
 * Plans that return failures as values. A decoding failure does not end the run, so that other parts are still checked.
 * Failures of the store and of the engine do end it. Results are not cached.
 */
final class FailuresAsValues {
    private FailuresAsValues() {}

    /** The outcome of a plan. */
    sealed interface Outcome<T> {}

    /** The value of a plan. */
    record Done<T>(T value) implements Outcome<T> {}

    /** The failure of a plan. */
    record Failed<T>(ZarrException failure) implements Outcome<T> {}

    private static <T> Outcome<T> failed(RuntimeException e) {
        if (e instanceof StoreException || e instanceof CancellationException) {
            throw e;
        }
        return new Failed<>(e instanceof ZarrException z ? z : new CorruptDataException("cannot be decoded: " + e, e));
    }

    /** Wraps the plan that {@code plan} returns. A failure of the supplier is wrapped too. */
    static <T> Plan<Outcome<T>> of(Supplier<Plan<T>> plan) {
        try {
            return wrap(plan.get());
        } catch (RuntimeException e) {
            return Plan.done(failed(e));
        }
    }

    private static <T> Plan<Outcome<T>> wrap(Plan<T> plan) {
        if (plan instanceof Plan.Done<T> d) {
            return Plan.done(new Done<>(d.value()));
        } else if (plan instanceof Plan.Need<?, T> n) {
            return need(n);
        } else if (plan instanceof Plan.Defer<T> d) {
            return new Plan.Defer<>(d.location(), scratch -> of(() -> d.step().apply(scratch)));
        }
        return join((Plan.Join<?, T>) plan);
    }

    private static <V, T> Plan<Outcome<T>> need(Plan.Need<V, T> need) {
        ReadRequest<V> request = need.request();
        Decoder<Outcome<V>> decoder = (answer, scratch) -> {
            try {
                return new Done<>(request.decoder().decode(answer, scratch));
            } catch (RuntimeException e) {
                return failed(e);
            }
        };
        return new Plan.Need<>(
                request.decodedBy(decoder),
                (outcome, scratch) -> outcome instanceof Failed<V> f
                        ? Plan.done(new Failed<>(f.failure()))
                        : of(() -> need.resume().run(((Done<V>) outcome).value(), scratch)));
    }

    private static <E, T> Plan<Outcome<T>> join(Plan.Join<E, T> join) {
        return new Plan.Join<>(
                join.count(),
                i -> of(() -> join.part().apply(i)),
                () -> gather(join.gather().get()));
    }

    private static <E, T> JoinCollector<Outcome<E>, Outcome<T>> gather(JoinCollector<E, T> inner) {
        return new JoinCollector<>() {
            private @Nullable ZarrException failure;

            @Override
            public void accept(long index, Outcome<E> outcome) {
                if (outcome instanceof Failed<E> f) {
                    failure = failure == null ? f.failure() : failure;
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
