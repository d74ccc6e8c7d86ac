package dev.shardkit.engine.threads;

import org.jspecify.annotations.Nullable;

/**
 * Remembers the thread that runs a call, so that stopping the call can interrupt the thread. Guarded by its monitor;
 * used once.
 */
final class CallInterrupt {
    private @Nullable Thread thread;
    private boolean started;
    private boolean stopped;
    private boolean interrupted;

    /** Begins the call on the current thread. Returns false if it has begun before or was stopped. */
    synchronized boolean begin() {
        if (started || stopped) {
            return false;
        }
        started = true;
        thread = Thread.currentThread();
        return true;
    }

    /** Ensures that the call never begins. Returns false if it has begun, and lets it go on. */
    synchronized boolean refuseBegin() {
        stopped |= !started;
        return !started;
    }

    /** Ensures that no later interrupt of this call hits the thread's next work. */
    synchronized void end() {
        thread = null;
        if (interrupted) {
            Thread.interrupted();
        }
    }

    /** Interrupts the call if it is running. Returns true if it has not begun; then it never will. */
    synchronized boolean stop() {
        stopped = true;
        if (thread != null) {
            interrupted = true;
            thread.interrupt();
        }
        return !started;
    }
}
