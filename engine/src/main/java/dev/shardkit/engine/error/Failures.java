package dev.shardkit.engine.error;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.SystemErrorText;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Converts exceptions of codecs, plans and stores to declared errors that name the array, the object and the byte
 * range; also logs and rethrows exceptions. An {@link Error} stays unchanged, and so does an exception of the caller's
 * own code ({@link CallersException}).
 */
public final class Failures {
    /** The number of causes to look at: a chain of causes may be cyclic. */
    private static final int MAX_CAUSES = 100;

    private Failures() {}

    /** Returns the error for a failure of a codec that works on bytes from the store. */
    public static Throwable ofWork(Throwable thrown, String array, DataLocation location, String range) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < MAX_CAUSES; cause = cause.getCause(), depth++) {
            if (cause instanceof CallersException || cause instanceof UnencodableException) {
                return cause;
            }
        }
        if (thrown instanceof Error) {
            return thrown;
        }
        ZarrException error = thrown instanceof ZarrException declared
                ? declared
                : new CorruptDataException("cannot be decoded: " + text(thrown), thrown);
        return located(error, array, location, range);
    }

    /** Returns the error for a failure of a plan between its tasks. Throws nothing. */
    public static Throwable ofPlan(Throwable thrown, String array) {
        try {
            return ofWork(thrown, array, DataLocation.nowhere(), "");
        } catch (Throwable e) {
            return e;
        }
    }

    /** Returns the error for a failure of the store; a cancellation if the thread was interrupted. */
    public static Throwable ofStore(Throwable thrown, String array, DataLocation location, String range) {
        Throwable failure = unwrap(thrown);
        if (failure instanceof Error) {
            return failure;
        }
        if (failure instanceof ClosedByInterruptException
                || Thread.currentThread().isInterrupted()) {
            CancellationException cancelled = new CancellationException("interrupted");
            cancelled.initCause(failure);
            return cancelled;
        }
        ZarrException error = failure instanceof ZarrException declared
                ? declared
                : new StoreException("the store failed: " + SystemErrorText.of(failure), failure);
        return located(error, array, location, range);
    }

    /** Returns a foreign exception as text, even if it cannot describe itself. */
    static String text(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (RuntimeException e) {
            return thrown.getClass().getName();
        }
    }

    /** Adds a later failure to the first one if they differ. Throws nothing: memory may have run out. */
    public static void addSuppressed(Throwable first, Throwable later) {
        try {
            if (first != later) {
                first.addSuppressed(later);
            }
        } catch (Throwable e) {
            // the first failure is the one that counts
        }
    }

    /** Logs a failure that no caller receives. Throws nothing. */
    public static void log(System.Logger.Level level, String message, Throwable thrown) {
        try {
            System.getLogger("dev.shardkit.engine").log(level, message, thrown);
        } catch (Throwable e) {
            // a failing logger or a lack of memory must not end the remaining work
        }
    }

    /** Adds the location to an error. An empty {@code range} stands for none. */
    private static ZarrException located(ZarrException e, String array, DataLocation location, String range) {
        return e.locate(
                Optional.of(array), Optional.of(location), Optional.of(range).filter(r -> !r.isEmpty()));
    }

    /** Returns the failure inside the wrappers that futures add. */
    public static Throwable unwrap(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Throws the failure of a run, which may be a checked exception of the caller's own code. */
    @SuppressWarnings("unchecked")
    public static <E extends Throwable> RuntimeException rethrow(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
