package dev.shardkit.spi.plan;

/**
 * Collects the values of joined plans. Each run of the join creates one; one thread at a time calls it.
 *
 * @param <E> the type of the parts' values
 * @param <T> the type of the joined value
 */
public interface JoinCollector<E, T> {
    /** Receives the value of part {@code index}; parts finish in any order. */
    void accept(long index, E value);

    /** Returns the plan that follows the last part. */
    Plan<T> finish();
}
