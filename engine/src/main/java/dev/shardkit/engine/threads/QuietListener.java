package dev.shardkit.engine.threads;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.store.StoreListener;
import java.util.function.Consumer;

/**
 * Forwards events to a caller's listener. Logs and ignores its exceptions, so that they fail no call. The listener may
 * wait for other calls.
 */
public final class QuietListener extends ForwardingListener {
    private final Consumer<Error> errors;

    private QuietListener(StoreListener own, Consumer<Error> errors) {
        super(own);
        this.errors = errors;
    }

    /** Returns a listener that logs and ignores exceptions, and throws every {@link Error}. */
    public static StoreListener of(StoreListener listener) {
        return listener == NONE || listener instanceof QuietListener
                ? listener
                : new QuietListener(listener, e -> {
                    throw e;
                });
    }

    /** Returns a listener for code that would lose a thrown {@link Error}: it passes the error to {@code errors}. */
    public static StoreListener failing(StoreListener listener, Consumer<? super Error> errors) {
        return listener == NONE ? NONE : new QuietListener(listener, errors::accept);
    }

    /** Returns a listener that runs {@code first} before each event; {@code first} may run several times. */
    public static StoreListener after(Runnable first, StoreListener listener) {
        return listener == NONE
                ? NONE
                : new ForwardingListener(listener) {
                    @Override
                    void make(Runnable call) {
                        first.run();
                        call.run();
                    }
                };
    }

    @Override
    void make(Runnable call) {
        try {
            WorkerPool.callersCode(call);
        } catch (Exception e) {
            Failures.log(System.Logger.Level.DEBUG, "a listener failed", e);
        } catch (Error e) {
            errors.accept(e);
        }
    }
}
