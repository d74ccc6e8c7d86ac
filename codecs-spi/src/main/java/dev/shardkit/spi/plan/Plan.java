package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Work that has been described but not performed: which bytes are needed and what becomes of them. Whoever runs it
 * decides when and on which thread bytes arrive; see {@link PlanRun}. A plan may be run again from its start, so steps
 * may write to targets but keep no state of their own.
 *
 * <p>Not a general future: there is no error handling inside a plan, a step that throws ends the run.
 *
 * @param <T> the value in the end
 */
public sealed interface Plan<T> {
    /** The value is here. */
    record Done<T>(T value) implements Plan<T> {}

    /** Bytes are needed; {@code resume} goes on with the value that the request's decoder made of them. */
    record Need<V, T>(Request<V> request, Step<V, T> resume) implements Plan<T> {}

    /**
     * Parts that do not depend on each other. They are made lazily, by index, each when there is room for it, so a
     * million of them costs no more than those under way.
     */
    record Join<E, T>(long count, LongFunction<Plan<E>> part, Supplier<Gather<E, T>> gather) implements Plan<T> {}

    /** Work without reading, which any worker may take. */
    record Defer<T>(Place place, Function<Scratch, Plan<T>> step) implements Plan<T> {}

    /**
     * What follows an answered need; {@code scratch} is the worker's and what is borrowed from it is gone on return.
     */
    @FunctionalInterface
    interface Step<V, T> {
        /** Goes on with {@code value}. */
        Plan<T> run(V value, Scratch scratch);
    }

    /** The value, at once. */
    static <T> Plan<T> done(T value) {
        return new Done<>(value);
    }

    /** Nothing left to do. */
    static Plan<Unit> done() {
        return new Done<>(Unit.UNIT);
    }

    /** Work that a worker may take. */
    static <T> Plan<T> defer(Place place, Function<Scratch, Plan<T>> step) {
        return new Defer<>(place, step);
    }

    /** {@code count} plans that are run for what they do. */
    static Plan<Unit> each(long count, LongFunction<Plan<Unit>> part) {
        return count == 0
                ? done()
                : new Join<>(count, part, () -> new Gather<Unit, Unit>() {
                    @Override
                    public void accept(long index, Unit value) {}

                    @Override
                    public Plan<Unit> finish() {
                        return done();
                    }
                });
    }

    /** The values of {@code count} plans, in order. The list is held in memory: for counts that are small. */
    static <E> Plan<List<E>> all(int count, LongFunction<Plan<E>> part) {
        return new Join<>(count, part, () -> new Gather<E, List<E>>() {
            private final List<E> values = new ArrayList<>(Collections.nCopies(count, (E) null));

            @Override
            public void accept(long index, E value) {
                values.set((int) index, value);
            }

            @Override
            public Plan<List<E>> finish() {
                return done(values);
            }
        });
    }

    /** Goes on with another plan; what {@code next} does runs on the worker that got the value. */
    default <R> Plan<R> then(Function<? super T, Plan<R>> next) {
        if (this instanceof Done<T> d) {
            return next.apply(d.value());
        } else if (this instanceof Need<?, T> n) {
            return thenNeed(n, next);
        } else if (this instanceof Defer<T> d) {
            return new Defer<>(d.place(), scratch -> d.step().apply(scratch).then(next));
        }
        return thenJoin((Join<?, T>) this, next);
    }

    /** Makes another value of this one. */
    default <R> Plan<R> map(Function<? super T, ? extends R> f) {
        return then(v -> done(f.apply(v)));
    }

    private static <V, T, R> Plan<R> thenNeed(Need<V, T> need, Function<? super T, Plan<R>> next) {
        return new Need<>(
                need.request(), (v, scratch) -> need.resume().run(v, scratch).then(next));
    }

    private static <E, T, R> Plan<R> thenJoin(Join<E, T> join, Function<? super T, Plan<R>> next) {
        return new Join<>(join.count(), join.part(), () -> {
            Gather<E, T> inner = join.gather().get();
            return new Gather<E, R>() {
                @Override
                public void accept(long index, E value) {
                    inner.accept(index, value);
                }

                @Override
                public Plan<R> finish() {
                    return inner.finish().then(next);
                }
            };
        });
    }
}
