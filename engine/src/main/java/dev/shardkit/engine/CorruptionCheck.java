package dev.shardkit.engine;

import dev.shardkit.spi.error.CorruptDataException;

/**
 * Decides whether data are corrupt or the plan is out of date, for example because another array was created at the
 * path. Called at the end of a run, on the thread that ends it.
 */
@FunctionalInterface
public interface CorruptionCheck {
    /** Accepts every failure. */
    CorruptionCheck NONE = failure -> failure;

    /**
     * Returns the failure of the run: {@code failure}, another one, or an
     * {@link dev.shardkit.store.ObjectChangedException} to run the plan again.
     */
    RuntimeException judge(CorruptDataException failure);
}
