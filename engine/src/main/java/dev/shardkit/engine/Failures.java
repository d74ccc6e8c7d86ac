package dev.shardkit.engine;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.error.ZarrException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Makes declared errors, with their place, of whatever was thrown. An {@link Error} stays what it is, and so does what
 * the caller's own code threw ({@link CallersException}).
 */
final class Failures {
    /** Chains of causes may be cycles. */
    private static final int MOST_CAUSES = 100;

    private Failures() {}

    /** A failure of a codec's work on bytes that the store delivered. */
    static Throwable ofWork(Throwable thrown, String array, Place place, String range) {
        int depth = 0;
        for (Throwable t = thrown; t != null && depth < MOST_CAUSES; t = t.getCause(), depth++) {
            if (t instanceof CallersException || t instanceof UnencodableException) {
                return t;
            }
        }
        if (thrown instanceof Error) {
            return thrown;
        }
        ZarrException z = thrown instanceof ZarrException own
                ? own
                : new CorruptDataException("cannot be decoded: " + text(thrown), thrown);
        return located(z, array, place, range);
    }

    /** A failure of the store; of an interrupted thread's: the end that was asked for. */
    static Throwable ofStore(Throwable thrown, String array, Place place, String range) {
        Throwable t = unwrap(thrown);
        if (t instanceof Error) {
            return t;
        }
        if (t instanceof ClosedByInterruptException || Thread.currentThread().isInterrupted()) {
            CancellationException cancelled = new CancellationException("interrupted");
            cancelled.initCause(t);
            return cancelled;
        }
        ZarrException z = t instanceof ZarrException own ? own : new StoreException("the store failed: " + text(t), t);
        return located(z, array, place, range);
    }

    /** A foreign exception as text, even if it cannot describe itself. */
    private static String text(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (RuntimeException e) {
            return thrown.getClass().getName();
        }
    }

    /** Adds a later failure to the first one, if it is another. */
    static void addSuppressed(Throwable first, Throwable later) {
        if (first != later) {
            first.addSuppressed(later);
        }
    }

    private static ZarrException located(ZarrException e, String array, Place place, String range) {
        return e.locate(
                Optional.of(array), Optional.of(place), Optional.of(range).filter(r -> !r.isEmpty()));
    }

    static Throwable unwrap(Throwable thrown) {
        Throwable t = thrown;
        while ((t instanceof CompletionException || t instanceof ExecutionException) && t.getCause() != null) {
            t = t.getCause();
        }
        return t;
    }

    /** Throws what a run ended with, which of a caller's own code may be a checked exception. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> RuntimeException rethrow(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
