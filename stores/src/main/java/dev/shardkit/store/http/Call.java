package dev.shardkit.store.http;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.Room;
import dev.shardkit.store.StoreListener;
import dev.shardkit.transport.TransportFullException;
import dev.shardkit.transport.internal.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One read: a sequence of requests with retries, within one deadline. It blocks no thread. At any moment it is in one
 * state only (waiting for a permit, a response or a pause), so its fields need no lock; those that the deadline or a
 * cancellation uses are volatile.
 */
final class Call {
    /** Suffix, size, slice: a correct server needs no more requests. */
    private static final int MOST_ASKS = 4;

    /** The pause between attempts to use a connection that has reached its limit. */
    private static final Duration FULL_PAUSE = Duration.ofMillis(10);

    private final Common common;
    private final String key;
    private final ByteRange range;
    private final StoreListener listener;
    private final Room room;
    private final Patience patience;
    private final AtomicLong came = new AtomicLong();
    private final CompletableFuture<Fetched> result = new CompletableFuture<>();
    private Optional<String> pin;
    private Ask ask;
    private int asks;
    /** The server refused the first byte; a request without a range shows whether it exists. */
    private boolean noFirstByte;

    private boolean toldNoRanges;
    private volatile int failed;
    private volatile String lastFailure = "";
    /** The action that ends the current request or pause. */
    private volatile Runnable current = () -> {};

    Call(Common common, String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room) {
        this.common = common;
        this.key = key;
        this.range = range;
        this.pin = pin;
        this.listener = listener;
        this.room = room;
        this.ask = Ask.of(range, common.ranges().get());
        this.patience = new Patience(
                common.settings().deadline().toNanos(), common.settings().idle().toNanos(), System::nanoTime);
    }

    CompletableFuture<Fetched> start() {
        result.whenComplete((v, thrown) -> {
            current.run();
            common.calls().remove(this);
        });
        common.calls().add(this);
        next(ask);
        return result;
    }

    String key() {
        return key;
    }

    void fail(Throwable failure) {
        result.completeExceptionally(failure);
    }

    String what() {
        return "GET " + key + " (" + range + ") from " + common.endpoint().describe();
    }

    private String afterTries() {
        return failed == 0
                ? ""
                : ", after " + failed + (failed == 1 ? " failed try" : " failed tries") + ", the last by "
                        + lastFailure;
    }

    private void next(Ask following) {
        ask = following;
        if (++asks > MOST_ASKS) {
            fail(new StoreException(what() + ": the server's responses to ranges contradict each other"));
        } else {
            send();
        }
    }

    private void send() {
        patience.queued();
        common.permits().acquire(() -> {
            if (result.isDone()) {
                common.permits().release();
                return;
            }
            Attempt attempt = new Attempt(
                    common,
                    this,
                    new Answers(
                            what(), ask, pin, common.settings().largestObject(), common.ranges(), room, this::noRanges),
                    patience);
            hold(attempt::cancel);
            attempt.begin();
        });
    }

    /** Registers the action that ends the current request or pause. */
    private void hold(Runnable ending) {
        current = ending;
        if (result.isDone()) {
            ending.run();
        }
    }

    /** Reports bytes of a body, whether needed or not. */
    void came(long bytes) {
        came.addAndGet(bytes);
    }

    private void noRanges() {
        if (!toldNoRanges) {
            toldNoRanges = true;
            listener.onNoRanges(key);
        }
    }

    /** Handles the deadline. */
    void late() {
        fail(new StoreException(what() + ": no complete response within the deadline of "
                + common.settings().deadline() + afterTries()));
    }

    /** Handles a request without a valid response. */
    void broken(Throwable failure, Set<String> secrets) {
        if (failure instanceof TransportFullException) {
            full(failure, secrets);
        } else if (failure instanceof IOException) {
            again(Secrets.describe(failure, secrets), Optional.empty(), Optional.of(Secrets.clean(failure, secrets)));
        } else {
            fail(ours(what(), failure, secrets));
        }
    }

    /**
     * Handles a connection that accepts no further request. Nothing was sent, so this does not count as a failed
     * attempt. If only one permit is left, another user of the client fills the connection, or the client still counts
     * a finished request; then the call waits.
     */
    private void full(Throwable failure, Set<String> secrets) {
        if (common.permits().withdraw()) {
            send();
            return;
        }
        long pause = FULL_PAUSE.toNanos();
        if (pause < patience.left()) {
            sendAfter(pause);
        } else {
            lastFailure = Secrets.describe(failure, secrets);
            failed++;
            late();
        }
    }

    /** Handles the outcome of a request. */
    void answered(Outcome outcome) {
        if (outcome instanceof Outcome.Found found) {
            found(found);
        } else if (outcome instanceof Outcome.Absent) {
            result.complete(new Fetched.Absent());
        } else if (outcome instanceof Outcome.Failed failure) {
            fail(failure.failure());
        } else if (outcome instanceof Outcome.Again again) {
            again(again.reason(), again.after(), Optional.empty());
        } else if (outcome instanceof Outcome.Size size) {
            sized(size);
        } else if (outcome instanceof Outcome.NoFirstByte) {
            noFirstByte = true;
            next(new Ask(Ask.Kind.SUFFIX_OF_WHOLE, 0, range instanceof ByteRange.Suffix s ? s.length() : 0));
        } else if (outcome instanceof Outcome.NoSuffix refused) {
            common.ranges().compareAndSet(Ranges.ALL, Ranges.NO_SUFFIX);
            listener.onRetry(key, asks, "the server does not support suffix ranges");
            if (refused.total().isPresent()) {
                sized(new Outcome.Size(refused.total(), refused.version()));
            } else {
                next(new Ask(Ask.Kind.SIZE, 0, range instanceof ByteRange.Suffix s ? s.length() : 0));
            }
        }
    }

    /** Continues with the object's size, which answers an empty range or turns a suffix into a slice. */
    private void sized(Outcome.Size size) {
        long length = range instanceof ByteRange.Suffix s ? s.length() : 0;
        if (size.total().isEmpty()) {
            next(new Ask(Ask.Kind.SUFFIX_OF_WHOLE, 0, length));
            return;
        }
        long total = size.total().getAsLong();
        if (length == 0 || total == 0) {
            found(new Outcome.Found(Bytes.EMPTY, total, size.version()));
        } else {
            pin = pin.or(size::version);
            long n = Math.min(length, total);
            next(new Ask(Ask.Kind.SLICE, total - n, n));
        }
    }

    private void found(Outcome.Found found) {
        long total = found.total();
        if (noFirstByte && total > 0) {
            fail(Answers.refusesRanges(what(), "the first byte", total).failure());
        } else if (range instanceof ByteRange.Slice s
                && s.end() > total) { // only an empty range is unchecked at this point
            fail(new CorruptDataException(what() + ": a range past the end: found an object of " + total + " bytes"));
        } else {
            result.complete(new Fetched.Found(found.bytes(), total, found.version(), came.get(), found.whole()));
        }
    }

    /** Retries after a transient failure. */
    void again(String reason, Optional<Duration> after, Optional<Throwable> cause) {
        lastFailure = reason;
        failed++;
        RetryPolicy policy = common.settings().retries();
        Duration pause = after.orElseGet(
                () -> policy.pause(failed, ThreadLocalRandom.current().nextDouble()));
        long left = patience.left();
        String message = what() + afterTries();
        if (failed >= policy.tries() || pause.compareTo(Duration.ofNanos(left)) > 0) {
            String wait = failed >= policy.tries() ? "" : "; a pause of " + pause + " would exceed the deadline";
            fail(cause.map(c -> new StoreException(message + wait, c))
                    .orElseGet(() -> new StoreException(message + wait)));
            return;
        }
        listener.onRetry(key, failed, reason);
        sendAfter(pause.toNanos());
    }

    private void sendAfter(long nanos) {
        patience.paused();
        Clock.Due due = Clock.after(nanos, () -> common.transport().execute(() -> {
            try {
                send();
            } catch (RuntimeException | Error e) {
                fail(ours(what(), e, common.secrets()));
            }
        }));
        hold(due::cancel);
    }

    /** Returns a failure as a {@link ZarrException}. */
    static ZarrException ours(String what, Throwable failure, Set<String> secrets) {
        return failure instanceof ZarrException z
                ? z
                : new StoreException(what + ": " + Secrets.describe(failure, secrets), Secrets.clean(failure, secrets));
    }
}
