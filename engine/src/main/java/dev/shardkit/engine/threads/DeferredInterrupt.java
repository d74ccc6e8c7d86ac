package dev.shardkit.engine.threads;

import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/** Runs work that must reach its end although the thread is interrupted. Stateless. */
public final class DeferredInterrupt {
    private DeferredInterrupt() {}

    /**
     * Runs {@code work}, again if an interrupt ended it. The thread is interrupted afterwards if it was before or
     * meanwhile.
     */
    public static <T> T run(Supplier<T> work) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.get();
                } catch (CancellationException e) {
                    if (!Thread.interrupted()) {
                        throw e;
                    }
                    wasInterrupted = true;
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
