package dev.shardkit.spi.plan;

/**
 * Collects the values of joined plans. One is made each time the join runs; it is called by one thread at a time.
 *
 * @param <E> the parts' values
 * @param <T> the value of the whole
 */
public interface Gather<E, T> {
    /** Takes the value of part {@code index}; the parts end in any order. */
    void accept(long index, E value);

    /** What comes after the last part. */
    Plan<T> finish();
}
