package dev.shardkit.outofmemory;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Completes futures and releases locks even if the heap is full, so that calls end. Completing and releasing allocate a
 * few bytes; if a future were never completed, the threads that wait for it would hang. So if a step fails, this class
 * releases the {@link EmergencyReserve} and repeats the step. Only for futures of the engine and the stores.
 */
public final class Completions {
    /**
     * A future and lock whose first completion or closing fails. The static initializer uses it to run, and so to link,
     * the code that handles failures: linking allocates, and the heap may be full later.
     */
    private static final class FailingOnce extends CompletableFuture<String> implements AutoCloseable {
        private boolean failed;

        private void failOnce() {
            if (!failed) {
                failed = true;
                throw new IllegalStateException();
            }
        }

        @Override
        public boolean complete(String value) {
            failOnce();
            return super.complete(value);
        }

        @Override
        public boolean completeExceptionally(Throwable thrown) {
            failOnce();
            return super.completeExceptionally(thrown);
        }

        @Override
        public void close() {
            if (!failed) {
                failed = true;
                throw new OutOfMemoryError();
            }
        }
    }

    static {
        complete(new FailingOnce(), "");
        fail(new FailingOnce(), new IllegalStateException());
        try {
            close(new FailingOnce());
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Completions() {}

    /** Loads this class. Loading needs memory, so callers do it before memory may have run out. */
    public static void load() {
        return; // the static initializer above has run
    }

    /** Completes a future, and runs all its dependents. Throws nothing. */
    public static <T> void complete(CompletableFuture<T> future, T value) {
        while (true) {
            try {
                future.complete(value);
                EmergencyReserve.refill();
                return;
            } catch (Throwable e) {
                EmergencyReserve.release(); // repeating the call runs the dependents that are left
            }
        }
    }

    /** Completes a future exceptionally, and runs all its dependents. Throws nothing. */
    public static void fail(CompletableFuture<?> future, Throwable thrown) {
        if (thrown instanceof VirtualMachineError) {
            // so that the dependents can allocate their exceptions; otherwise their futures would never complete
            EmergencyReserve.release();
        }
        while (true) {
            try {
                future.completeExceptionally(thrown);
                EmergencyReserve.refill();
                return;
            } catch (Throwable e) {
                EmergencyReserve.release(); // repeating the call runs the dependents that are left
            }
        }
    }

    /** Closes a lock. Closing must be repeatable if memory runs out. */
    public static void close(AutoCloseable lock) throws IOException {
        while (true) {
            try {
                lock.close();
                EmergencyReserve.refill();
                return;
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e); // locks throw no other checked exceptions
            } catch (OutOfMemoryError e) {
                EmergencyReserve.release();
            }
        }
    }
}
