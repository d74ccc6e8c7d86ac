package dev.shardkit.transport.apache;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hc.core5.concurrent.FutureCallback;

/**
 * Passes on the first result or failure, and ignores later ones. If the consumer of the result throws, the exception is
 * passed on as the failure. Thread-safe.
 */
final class FirstOutcome<T> implements FutureCallback<T> {
    private final Consumer<T> completed;
    private final Consumer<Exception> failed;
    private final AtomicBoolean isOver = new AtomicBoolean();

    FirstOutcome(Consumer<T> completed, Consumer<Exception> failed) {
        this.completed = completed;
        this.failed = failed;
    }

    @Override
    public void completed(T result) {
        if (isOver.compareAndSet(false, true)) {
            try {
                completed.accept(result);
            } catch (RuntimeException e) {
                failed.accept(e);
            }
        }
    }

    @Override
    public void failed(Exception cause) {
        if (isOver.compareAndSet(false, true)) {
            failed.accept(cause);
        }
    }

    @Override
    public void cancelled() {
        failed(new IOException("the HTTP client was closed"));
    }
}
