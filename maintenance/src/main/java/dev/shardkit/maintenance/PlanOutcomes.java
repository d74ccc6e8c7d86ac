package dev.shardkit.maintenance;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Gather;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Request;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/**
 * Plans that return failures as values. A decoding failure does not end the run, so that other parts are still checked.
 * Failures of the store and of the engine do end it. Results are not cached.
 */
final class PlanOutcomes {
    private PlanOutcomes() {}

    /** The outcome of a plan: the value, or the failure. */
    record Outcome<T>(Optional<T> value, Optional<ZarrException> failure) {
        static <T> Outcome<T> of(T value) {
            return new Outcome<>(Optional.of(value), Optional.empty());
        }

        private static <T> Outcome<T> failed(RuntimeException e) {
            if (e instanceof StoreException || e instanceof CancellationException) {
                throw e;
            }
            return new Outcome<>(
                    Optional.empty(),
                    Optional.of(
                            e instanceof ZarrException z ? z : new CorruptDataException("cannot be decoded: " + e, e)));
        }

        private <R> Outcome<R> retyped() {
            return new Outcome<>(Optional.empty(), failure);
        }
    }

    /** Wraps the plan that {@code plan} returns; {@code plan} may throw itself. */
    static <T> Plan<Outcome<T>> of(Supplier<Plan<T>> plan) {
        try {
            return wrap(plan.get());
        } catch (RuntimeException e) {
            return Plan.done(Outcome.failed(e));
        }
    }

    private static <T> Plan<Outcome<T>> wrap(Plan<T> plan) {
        if (plan instanceof Plan.Done<T> d) {
            return Plan.done(Outcome.of(d.value()));
        } else if (plan instanceof Plan.Need<?, T> n) {
            return need(n);
        } else if (plan instanceof Plan.Defer<T> d) {
            return new Plan.Defer<>(d.place(), scratch -> of(() -> d.step().apply(scratch)));
        }
        return join((Plan.Join<?, T>) plan);
    }

    private static <V, T> Plan<Outcome<T>> need(Plan.Need<V, T> need) {
        Request<V> request = need.request();
        Decoder<Outcome<V>> decoder = (answer, scratch) -> {
            try {
                return Outcome.of(request.decoder().decode(answer, scratch));
            } catch (RuntimeException e) {
                return Outcome.failed(e);
            }
        };
        return new Plan.Need<>(
                new Request<>(request.key(), request.range(), request.place(), decoder),
                (outcome, scratch) -> outcome.failure().isPresent()
                        ? Plan.done(outcome.retyped())
                        : of(() -> need.resume().run(outcome.value().orElseThrow(), scratch)));
    }

    private static <E, T> Plan<Outcome<T>> join(Plan.Join<E, T> join) {
        return new Plan.Join<>(
                join.count(),
                i -> of(() -> join.part().apply(i)),
                () -> gather(join.gather().get()));
    }

    private static <E, T> Gather<Outcome<E>, Outcome<T>> gather(Gather<E, T> inner) {
        return new Gather<>() {
            private Optional<ZarrException> failure = Optional.empty();

            @Override
            public void accept(long index, Outcome<E> outcome) {
                if (outcome.failure().isPresent()) {
                    failure = failure.or(outcome::failure);
                } else {
                    inner.accept(index, outcome.value().orElseThrow());
                }
            }

            @Override
            public Plan<Outcome<T>> finish() {
                return failure.isPresent() ? Plan.done(new Outcome<>(Optional.empty(), failure)) : of(inner::finish);
            }
        };
    }

    /** Returns the place of a failure, or {@code otherwise} if it has none. */
    static Place place(ZarrException failure, Place otherwise) {
        return failure.locate(Optional.empty(), Optional.of(otherwise), Optional.empty())
                .place()
                .orElse(otherwise);
    }
}
