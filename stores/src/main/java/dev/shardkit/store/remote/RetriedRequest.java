package dev.shardkit.store.remote;

import dev.shardkit.outofmemory.Completions;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.remote.exchange.BodyCollector;
import dev.shardkit.store.remote.exchange.ResponseOutcome;
import dev.shardkit.store.remote.exchange.Secrets;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.timer.TimerThread;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Requests with retries, within one deadline, until there is a result. It blocks no thread. At any moment it is in one
 * state only (waiting for a permit, a response or a pause), so the fields of subclasses need no lock; those that the
 * deadline or a cancellation uses are volatile.
 */
abstract class RetriedRequest<T> {
    static {
        Completions.load();
    }

    private final RequestContext context;
    private final CallDeadline deadline;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private volatile int failed;
    private volatile String lastFailure = "";
    /** The action that ends the current request or pause. */
    private volatile Runnable current = () -> {};

    RetriedRequest(RequestContext context) {
        this.context = context;
        this.deadline = new CallDeadline(
                context.settings().deadline().toNanos(),
                context.settings().idle().toNanos(),
                System::nanoTime);
    }

    /** Returns the operation, for messages. */
    abstract String operation();

    /** Sends the next request. */
    abstract ServerProtocol.Prepared prepare();

    /** Returns which part of the body to collect, and the outcome. */
    abstract BodyCollector collect(Head head);

    /** Handles the outcome of a request. */
    abstract void answered(ResponseOutcome outcome);

    /** Reports bytes of a body, whether needed or not. */
    abstract void received(long bytes);

    /** Reports that a body has grown. Called by the transport: must not block. */
    void grew(BodyCollector body) {}

    /** Reports that a body ended too early. */
    void brokeOff(BodyCollector body) {}

    /** Reports that a request will be retried. */
    abstract void retrying(int failures, String reason);

    /** Reports that the request is about to fail. Throws nothing. */
    void failing() {}

    /** Reports that a request ended without an answer: the server may have acted on it. */
    void unanswered() {}

    /** Returns whether the request may be sent again after a transient failure. */
    boolean isSentAgain() {
        return true;
    }

    /** Returns whether code that depends on the result may block. */
    boolean endMayWait() {
        return true;
    }

    final RequestContext context() {
        return context;
    }

    final CompletableFuture<T> result() {
        return result;
    }

    /** Sends the first request. */
    final CompletableFuture<T> begin(Runnable onStart) {
        result.whenComplete((v, thrown) -> {
            current.run();
            context.requests().remove(this);
        });
        context.register(this);
        if (!result.isDone()) {
            onStart.run();
        }
        return result;
    }

    final void fail(Throwable failure) {
        if (!result.isDone()) {
            failing();
        }
        result.completeExceptionally(failure);
    }

    private String afterTries() {
        return failed == 0
                ? ""
                : ", after " + failed + (failed == 1 ? " failed try" : " failed tries") + ", the last by "
                        + lastFailure;
    }

    final void send() {
        deadline.queued();
        long queued = System.nanoTime();
        context.acquire(() -> send(queued), this::failUnexpectedly);
    }

    /** Sends a request with a permit. Throws nothing: other work may run on this thread. */
    private void send(long queued) {
        if (result.isDone()) {
            context.release();
            return;
        }
        Attempt attempt = null;
        try {
            attempt = new Attempt(context, this, deadline, System.nanoTime() - queued);
            runExclusively(attempt::cancel);
            attempt.begin();
        } catch (Throwable e) {
            failUnexpectedly(e);
            if (attempt == null) {
                context.release();
            } else {
                attempt.cancel();
            }
        }
    }

    /** Fails with an error of this code itself, such as an {@link OutOfMemoryError}. Throws nothing. */
    final void failUnexpectedly(Throwable thrown) {
        Throwable failure = thrown;
        try {
            failure = thrown instanceof VirtualMachineError
                    ? thrown
                    : ours(operation(), thrown, context.origin().secrets());
        } catch (Throwable e) {
            failure = e;
        }
        Completions.fail(result, failure);
    }

    /** Registers the action that ends the current request or pause. */
    private void runExclusively(Runnable ending) {
        current = ending;
        if (result.isDone()) {
            ending.run();
        }
    }

    /**
     * Handles the deadline. Throws nothing: it is the last event that ends the call.
     *
     * @param preparing whether the request has not been sent yet, because its credentials are missing
     */
    final void onTimeout(boolean preparing) {
        try {
            unanswered();
            fail(new StoreException(operation() + ": no complete response within the deadline of "
                    + context.settings().deadline() + (preparing ? "; it was waiting for credentials" : "")
                    + afterTries()));
        } catch (Throwable e) {
            failUnexpectedly(e);
        }
    }

    /** Handles a request without a valid response. */
    final void broken(Throwable failure, Set<String> secrets) {
        if (failure instanceof IOException) {
            unanswered();
            retry(Secrets.describe(failure, secrets), null, Secrets.clean(failure, secrets));
        } else {
            fail(ours(operation(), failure, secrets));
        }
    }

    /**
     * Retries after a transient failure.
     *
     * @param minimumPause the pause that the server asks for, or null
     */
    final void retry(String reason, @Nullable Duration minimumPause, @Nullable Throwable cause) {
        lastFailure = reason;
        failed++;
        RetryLimits retries = context.settings().retries();
        Duration pause = minimumPause != null
                ? minimumPause
                : retries.pause(failed, ThreadLocalRandom.current().nextDouble());
        long remaining = deadline.remainingNanos();
        String message = operation() + afterTries();
        if (!isSentAgain() || failed >= retries.maxAttempts() || pause.compareTo(Duration.ofNanos(remaining)) > 0) {
            String refusal = !isSentAgain() || failed >= retries.maxAttempts()
                    ? ""
                    : "; a pause of " + pause + " would exceed the deadline";
            fail(cause == null ? new StoreException(message + refusal) : new StoreException(message + refusal, cause));
            return;
        }
        retrying(failed, reason);
        sendAfter(pause.toNanos());
    }

    private void sendAfter(long nanos) {
        deadline.paused();
        TimerThread.Due due = TimerThread.after(nanos, () -> context.transport().execute(() -> {
            try {
                send();
            } catch (RuntimeException | Error e) {
                failUnexpectedly(e);
            }
        }));
        runExclusively(due::cancel);
    }

    /** Returns a failure as a {@link ZarrException}. */
    static ZarrException ours(String operation, Throwable failure, Set<String> secrets) {
        return failure instanceof ZarrException z
                ? z
                : new StoreException(
                        operation + ": " + Secrets.describe(failure, secrets), Secrets.clean(failure, secrets));
    }
}
