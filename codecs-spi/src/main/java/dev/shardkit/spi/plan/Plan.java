package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.DataLocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A description of work: the bytes to read and how to process them. A driver, such as the engine, runs the plan and
 * decides when and on which thread bytes arrive; see {@link PlanRun}. A driver may run a plan again from its start, so
 * steps may write to targets but must not keep state.
 *
 * <p>Not a general future: plans do not handle errors, and a step that throws ends the run.
 *
 * @param <T> the type of the result
 */
public sealed interface Plan<T> {
    /** A finished plan. */
    record Done<T>(T value) implements Plan<T> {}

    /** A read; {@code resume} continues with the value that the request's decoder returned. */
    record Need<V, T>(ReadRequest<V> request, Step<V, T> resume) implements Plan<T> {}

    /**
     * Independent parts, which may run in any order. The run creates them lazily, by index, when its budget of open
     * tasks has room. So a million parts take only the memory of those in progress.
     *
     * @param count the number of parts
     * @param part creates the part of an index
     * @param gather creates the collector of the values, once for each run
     */
    record Join<E, T>(long count, LongFunction<Plan<E>> part, Supplier<JoinCollector<E, T>> gather)
            implements Plan<T> {}

    /** Work without a read, which any worker may run. */
    record Defer<T>(DataLocation location, Function<Scratch, Plan<T>> step) implements Plan<T> {}

    /**
     * The step after a read. {@code scratch} is the worker's; memory borrowed from it becomes invalid when the step
     * returns.
     */
    @FunctionalInterface
    interface Step<V, T> {
        /** Continues with {@code value}. */
        Plan<T> run(V value, Scratch scratch);
    }

    /** Returns a finished plan. */
    static <T> Plan<T> done(T value) {
        return new Done<>(value);
    }

    /** Returns a finished plan without a value. */
    static Plan<NoResult> done() {
        return new Done<>(NoResult.INSTANCE);
    }

    /** Returns work that any worker may run. */
    static <T> Plan<T> defer(DataLocation location, Function<Scratch, Plan<T>> step) {
        return new Defer<>(location, step);
    }

    /** Returns a plan that runs {@code count} independent plans for their side effects. */
    static Plan<NoResult> each(long count, LongFunction<Plan<NoResult>> part) {
        return count == 0
                ? done()
                : new Join<>(count, part, () -> new JoinCollector<NoResult, NoResult>() {
                    @Override
                    public void accept(long index, NoResult value) {}

                    @Override
                    public Plan<NoResult> finish() {
                        return done();
                    }
                });
    }

    /**
     * Returns a plan that collects the values of {@code count} plans in order. It holds the list in memory, so use it
     * for small counts.
     */
    static <E> Plan<List<E>> all(int count, LongFunction<Plan<E>> part) {
        return new Join<>(count, part, () -> new JoinCollector<E, List<E>>() {
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

    /** Returns this plan followed by another one. {@code next} runs on the worker that received the value. */
    default <R> Plan<R> then(Function<? super T, Plan<R>> next) {
        if (this instanceof Done<T> d) {
            return next.apply(d.value());
        } else if (this instanceof Need<?, T> n) {
            return thenNeed(n, next);
        } else if (this instanceof Defer<T> d) {
            return new Defer<>(d.location(), scratch -> d.step().apply(scratch).then(next));
        }
        return thenJoin((Join<?, T>) this, next);
    }

    /** Returns a plan with a converted value. */
    default <R> Plan<R> map(Function<? super T, ? extends R> f) {
        return then(v -> done(f.apply(v)));
    }

    private static <V, T, R> Plan<R> thenNeed(Need<V, T> need, Function<? super T, Plan<R>> next) {
        return new Need<>(
                need.request(), (v, scratch) -> need.resume().run(v, scratch).then(next));
    }

    private static <E, T, R> Plan<R> thenJoin(Join<E, T> join, Function<? super T, Plan<R>> next) {
        return new Join<>(join.count(), join.part(), () -> {
            JoinCollector<E, T> inner = join.gather().get();
            return new JoinCollector<E, R>() {
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
