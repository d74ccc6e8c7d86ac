package dev.shardkit.store.remote;

import dev.shardkit.transport.Head;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Any request other than the read of a range: a put, a delete, a page of a listing. The server's answer must be small.
 *
 * @param <T> the result
 */
public final class Errand<T> extends Job<T> {
    /** A request and the meaning of its answers. */
    public interface Task<T> {
        /** Returns the operation, for messages. */
        String what();

        /** Makes the request. Called for each attempt. */
        Origin.Prepared prepare();

        /** Returns the maximum number of bytes of an answer. */
        default int mostBytes() {
            return 1 << 20;
        }

        /** Whether the request may be sent again after its answer was lost; else it then fails. */
        default boolean isSentAgain() {
            return true;
        }

        /**
         * Returns the meaning of an answer.
         *
         * @param lost whether the answer to an earlier attempt was lost, so that the server may have acted already
         */
        Verdict<T> judge(Outcome.Told told, boolean lost);
    }

    /** The meaning of an answer. */
    public sealed interface Verdict<T> {
        /** The request is done. */
        record Done<T>(T value) implements Verdict<T> {}

        /**
         * The request can be sent again.
         *
         * @param acted whether the server may have acted on it
         */
        record Again<T>(String reason, boolean acted, Optional<Duration> after) implements Verdict<T> {}

        /** A permanent failure; the server has not acted. */
        record Failed<T>(RuntimeException failure) implements Verdict<T> {}
    }

    private final Task<T> task;
    private volatile boolean lost;

    /** Creates a request, which {@link #start} sends. */
    public Errand(Common common, Task<T> task) {
        super(common);
        this.task = task;
    }

    /** Sends the request, or queues it. */
    public CompletableFuture<T> start() {
        return begin(this::send);
    }

    /** Returns whether the answer to an attempt was lost, so that the server may have acted. */
    public boolean lost() {
        return lost;
    }

    /** Returns how long the server asks to wait. */
    public static Optional<Duration> retryAfter(Outcome.Told told) {
        return Fields.retryAfter(told.headers());
    }

    @Override
    String what() {
        return task.what();
    }

    @Override
    Origin.Prepared prepare() {
        return task.prepare();
    }

    @Override
    Collect judge(Head head) {
        return Collect.text(task.mostBytes(), (bytes, total) -> new Outcome.Told(head.status(), head.headers(), bytes));
    }

    @Override
    void answered(Outcome outcome) {
        if (!(outcome instanceof Outcome.Told told)) {
            throw new IllegalStateException("not the answer to a request: " + outcome);
        }
        Verdict<T> verdict = task.judge(told, lost);
        if (verdict instanceof Verdict.Done<T> done) {
            result().complete(done.value());
        } else if (verdict instanceof Verdict.Failed<T> failed) {
            fail(failed.failure());
        } else if (verdict instanceof Verdict.Again<T> again) {
            if (again.acted()) {
                unanswered();
            }
            again(again.reason(), again.after().orElse(null), null);
        }
    }

    @Override
    void unanswered() {
        lost = true;
    }

    @Override
    boolean isSentAgain() {
        return !lost || task.isSentAgain();
    }

    @Override
    void came(long bytes) {}

    @Override
    void retrying(int failures, String reason) {}
}
