package dev.shardkit.engine;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The thread that makes a call, so that cancelling the call can interrupt it. Guarded by its monitor. */
final class CallInterrupt {
    private @Nullable Thread thread;
    private boolean interrupted;

    /** Begins the call on the current thread, unless its future is already complete. Returns whether it began. */
    synchronized boolean begin(Future<?> future) {
        if (future.isDone()) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    /** Ensures that no later interrupt of this call hits the thread's next work. */
    synchronized void end() {
        thread = null;
        if (interrupted) {
            Thread.interrupted();
        }
    }

    /** Interrupts the thread if the call is running. */
    synchronized void interrupt() {
        interrupted = thread != null;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
