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
 * A call that sends one request after another, with retries, within one deadline, until there is a result. Holds no
 * thread while it waits. At any moment it waits for one thing only (a permit, a response or the end of a pause), so the
 * fields of subclasses need no lock. Fields that the deadline or a cancellation reads are volatile.
 */
abstract class RetriedRequest<T> {
    static {
        Completions.load(); // so that a call can end even if no memory is left for loading classes
    }

    private final RequestContext context;
    private final CallDeadline deadline;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private volatile int failedAttempts;
    /** The reason of the last failed attempt, for messages. */
    private volatile String lastFailure = "";
    /** The action that ends the current request or pause. */
    private volatile Runnable endCurrent = () -> {};

    RetriedRequest(RequestContext context) {
        this.context = context;
        this.deadline = new CallDeadline(
                context.settings().deadline().toNanos(),
                context.settings().idle().toNanos(),
                System::nanoTime);
    }

    /** Returns the operation, for messages. */
    abstract String operation();

    /** Creates the next request. */
    abstract ServerProtocol.Prepared prepare();

    /** Returns the collector for the body of a response, which creates the outcome. */
    abstract BodyCollector collect(Head head);

    /** Handles the outcome of a request. */
    abstract void answered(ResponseOutcome outcome);

    /** Reports received bytes of a body, whether they are needed or not. */
    abstract void received(long bytes);

    /** Reports that a body has grown. Called by the transport: must not block. */
    void grew(BodyCollector body) {}

    /** Reports that a body ended too early, so that the part that was received can be kept. */
    void brokeOff(BodyCollector body) {}

    /** Reports that a request will be retried. */
    abstract void retrying(int failures, String reason);

    /** Reports that the request is about to fail. Throws nothing. */
    void failing() {}

    /** Reports that a request ended without a response, so the server may have acted on it. */
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
        result.whenComplete((value, thrown) -> {
            endCurrent.run();
            context.requests().remove(this);
        });
        context.register(this);
        if (!result.isDone()) {
            onStart.run();
        }
        return result;
    }

    /** Completes the call with a failure. */
    final void fail(Throwable failure) {
        if (!result.isDone()) {
            failing();
        }
        result.completeExceptionally(failure);
    }

    /** Returns the end of a message about a failed call: how many attempts failed, and why the last one. */
    private String afterTries() {
        return failedAttempts == 0
                ? ""
                : ", after " + failedAttempts + (failedAttempts == 1 ? " failed try" : " failed tries")
                        + ", the last by " + lastFailure;
    }

    /** Sends the next request as soon as there is a permit. */
    final void send() {
        deadline.queued();
        long queuedAt = System.nanoTime();
        context.acquire(() -> send(queuedAt), this::failUnexpectedly);
    }

    /** Sends a request, with a permit. Throws nothing, because the thread may be that of another call. */
    private void send(long queuedAt) {
        if (result.isDone()) {
            context.release();
            return;
        }
        Attempt attempt = null;
        try {
            attempt = new Attempt(context, this, deadline, System.nanoTime() - queuedAt);
            registerEnding(attempt::cancel);
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

    /**
     * Fails the call with an error that is not a failed request, such as an {@link OutOfMemoryError}. Throws nothing.
     */
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

    /** Registers the action that ends the current request or pause; runs it at once if the call has ended. */
    private void registerEnding(Runnable ending) {
        endCurrent = ending;
        if (result.isDone()) {
            ending.run();
        }
    }

    /**
     * Fails the call because its deadline has passed. Throws nothing, because no later event would end the call.
     *
     * @param preparing whether the request was not sent yet, because it still waited for credentials
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

    /** Retries or fails after a request without a valid response. */
    final void broken(Throwable failure, Set<String> secrets) {
        if (failure instanceof IOException) {
            unanswered();
            retry(Secrets.describe(failure, secrets), null, Secrets.clean(failure, secrets));
        } else {
            fail(ours(operation(), failure, secrets));
        }
    }

    /**
     * Retries after a transient failure, or fails if no attempt or not enough time is left.
     *
     * @param reason the failure, for messages
     * @param minimumPause the pause that the server asks for, or null
     * @param cause the exception of the failed attempt; null if a response was the failure
     */
    final void retry(String reason, @Nullable Duration minimumPause, @Nullable Throwable cause) {
        lastFailure = reason;
        failedAttempts++;
        RetryLimits retries = context.settings().retries();
        Duration pause = minimumPause != null
                ? minimumPause
                : retries.pause(failedAttempts, ThreadLocalRandom.current().nextDouble());
        long remaining = deadline.remainingNanos();
        String message = operation() + afterTries();
        if (!isSentAgain()
                || failedAttempts >= retries.maxAttempts()
                || pause.compareTo(Duration.ofNanos(remaining)) > 0) {
            String refusal = !isSentAgain() || failedAttempts >= retries.maxAttempts()
                    ? ""
                    : "; a pause of " + pause + " would exceed the deadline";
            fail(cause == null ? new StoreException(message + refusal) : new StoreException(message + refusal, cause));
            return;
        }
        retrying(failedAttempts, reason);
        sendAfter(pause.toNanos());
    }

    /** Sends the next request after a pause. */
    private void sendAfter(long nanos) {
        deadline.paused();
        TimerThread.Due due = TimerThread.after(nanos, () -> context.transport().execute(() -> {
            try {
                send();
            } catch (RuntimeException | Error e) {
                failUnexpectedly(e);
            }
        }));
        registerEnding(due::cancel);
    }

    /** Returns a failure as a {@link ZarrException}. */
    static ZarrException ours(String operation, Throwable failure, Set<String> secrets) {
        return failure instanceof ZarrException ours
                ? ours
                : new StoreException(
                        operation + ": " + Secrets.describe(failure, secrets), Secrets.clean(failure, secrets));
    }
}
