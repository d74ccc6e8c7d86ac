package dev.shardkit.engine;

import dev.shardkit.store.StoreListener;
import java.util.function.Consumer;

/**
 * A caller's listener, which may wait for other calls. The exceptions it throws end nothing: they are logged and
 * ignored. Errors go to {@code errors}.
 */
final class QuietListener extends ListenerCalls {
    private static final System.Logger LOG = System.getLogger("dev.shardkit.engine");

    private final Consumer<Error> errors;

    private QuietListener(StoreListener own, Consumer<Error> errors) {
        super(own);
        this.errors = errors;
    }

    static StoreListener of(StoreListener listener) {
        return listener == NONE || listener instanceof QuietListener
                ? listener
                : new QuietListener(listener, e -> {
                    throw e;
                });
    }

    /** The listener for code that may drop what it throws: an error goes to {@code errors} alone. */
    static StoreListener failing(StoreListener listener, Consumer<? super Error> errors) {
        return listener == NONE ? NONE : new QuietListener(listener, errors::accept);
    }

    /** A listener that is told nothing before {@code first} was done. */
    static StoreListener after(Runnable first, StoreListener listener) {
        return listener == NONE
                ? NONE
                : new ListenerCalls(listener) {
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
            LOG.log(System.Logger.Level.DEBUG, "a listener failed", e);
        } catch (Error e) {
            errors.accept(e);
        }
    }
}
