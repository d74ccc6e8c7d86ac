package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Puts and deletes objects in a bucket. A conditional put carries an id in the object's user metadata. If the response
 * is lost and the server refuses the retry, the id of the stored object shows whether the first attempt succeeded. A
 * put of {@link #once} also carries the ids of earlier writes, so an earlier writer recognizes its own write even after
 * other writers have replaced the object.
 *
 * @param context the state of the store's requests
 * @param service the cloud
 */
public record CloudWrites(RequestContext context, CloudService service) {
    /** The maximum number of concurrent requests of {@link #deleteAll}. */
    private static final int DELETES_AT_ONCE = 32;

    /** The server's response to a change under a condition. */
    public sealed interface Answer {
        /** The change was made, or found to be unnecessary. */
        record Made(WriteResult outcome) implements Answer {}

        /**
         * The condition did not hold: another writer, or an earlier attempt of this request, was first.
         *
         * @param answerLost whether the response to an earlier attempt was lost, so that the attempt may have succeeded
         */
        record Refused(boolean answerLost) implements Answer {}
    }

    /** Returns the description of an operation on an object, for messages. */
    public String what(String operation, String key) {
        return operation + " " + key + " in " + service.describe();
    }

    /** Puts an object by one request. */
    public CompletableFuture<WriteResult> put(String key, Bytes bytes, Condition condition, WriteIds ids) {
        boolean conditional = !(condition instanceof Condition.Any);
        Optional<String> sent = conditional ? Optional.of(ids.text()) : Optional.empty();
        String name = service.location().nameOf(key);
        var handler = new Handler(conditional, response -> resultOf(response, bytes.size())) {
            /**
             * Returns false if the ids have a history, because the caller then decides after a lost response. A blind
             * retry could be wrong: if other writers have restored the old content, a server whose versions are
             * checksums accepts the retry.
             */
            @Override
            public boolean isSentAgain() {
                return !ids.haveHistory();
            }
        };
        return send(
                what("PUT", key),
                () -> service.put(name, bytes, condition, sent),
                handler,
                answerLost -> answerLost ? resolveLostPut(key, ids, bytes.size()) : completed(WriteResult.NOT_MET));
    }

    /** Puts an object with given write ids, under the condition of the change. */
    @FunctionalInterface
    public interface Put {
        /** Returns the outcome of one put. */
        CompletableFuture<WriteResult> with(WriteIds ids);
    }

    /**
     * Puts an object once, see {@link dev.shardkit.store.Writes#putExactlyOnce}. After a lost response, the ids of the
     * stored object decide whether the put was made, was not made, or can be sent again because the object is
     * unchanged.
     */
    public CompletableFuture<WriteResult> once(String key, Condition condition, Put put) {
        return switch (condition.kind()) {
            case ANY -> put.with(WriteIds.alone());
            case ABSENT -> once(key, put, WriteIds.first(), false, 1);
            case VERSION ->
                CancellableFutures.compose(
                        stat(key),
                        stored -> stored.isEmpty()
                                ? completed(WriteResult.NOT_MET)
                                : once(key, put, WriteIds.after(carried(stored.get())), false, 1));
        };
    }

    /** Returns the write ids in an object's user metadata, with its version. */
    private WriteIds.Carried carried(Response stat) {
        return WriteIds.Carried.of(service.writeId(stat), service.version(stat, 0));
    }

    /**
     * Sends the put. If its outcome is unclear, decides by the ids of the stored object.
     *
     * @param answerLost whether the response to an earlier attempt was lost
     * @param attempt the number of this attempt, from 1
     */
    private CompletableFuture<WriteResult> once(String key, Put put, WriteIds ids, boolean answerLost, int attempt) {
        return CancellableFutures.compose(
                put.with(ids),
                outcome -> outcome instanceof WriteResult.Unknown || answerLost && outcome instanceof WriteResult.NotMet
                        ? settled(key, put, ids, outcome, attempt)
                        : completed(outcome));
    }

    /**
     * Sends the change again after a pause.
     *
     * @param failed the number of failed attempts, which the store's retry limits bound as for any request
     */
    private CompletableFuture<WriteResult> retryAfterPause(String key, Put put, WriteIds ids, int failed) {
        Duration length =
                context.retries().pause(failed, ThreadLocalRandom.current().nextDouble());
        if (length.isZero()) {
            return once(key, put, ids, true, failed + 1);
        }
        CompletableFuture<Boolean> pause = new CompletableFuture<>();
        CompletableFuture.delayedExecutor(length.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> pause.complete(true));
        return CancellableFutures.compose(pause, elapsed -> once(key, put, ids, true, failed + 1));
    }

    /** Decides by the ids of the stored object whether a put of unclear outcome was made; sends it again if need be. */
    private CompletableFuture<WriteResult> settled(
            String key, Put put, WriteIds ids, WriteResult outcome, int attempt) {
        CompletableFuture<WriteResult> settled =
                CancellableFutures.compose(stat(key), stored -> switch (ids.fate(stored.map(this::carried))) {
                    case MADE -> completed(WriteResult.DONE);
                    case NOT_MADE -> completed(WriteResult.NOT_MET);
                    case OPEN ->
                        outcome instanceof WriteResult.Unknown
                                        && attempt < context.retries().maxAttempts()
                                ? retryAfterPause(key, put, ids, attempt)
                                : completed(outcome);
                    case UNKNOWN -> completed(unknown("a PUT"));
                });
        return CancellableFutures.recover(settled, thrown -> thrown instanceof ZarrException);
    }

    private WriteResult resultOf(Response response, long size) {
        return new WriteResult.Done(service.version(response, size));
    }

    /** Deletes an object. */
    public CompletableFuture<WriteResult> delete(String key, Condition condition) {
        String name = service.location().nameOf(key);
        var handler = new Handler(!(condition instanceof Condition.Any), response -> WriteResult.DONE) {
            @Override
            public Optional<Answer> refusal(ErrorResponse refusal, boolean lost) {
                return refusal.kind() == ErrorResponse.Kind.ABSENT
                        ? Optional.of(new Answer.Made(deletedOrAbsent(lost)))
                        : super.refusal(refusal, lost);
            }
        };
        // Some servers report a failed condition for an absent object, so the stat tells both cases apart.
        return send(
                what("DELETE", key),
                () -> service.delete(name, condition),
                handler,
                answerLost -> CancellableFutures.map(
                        stat(key), stored -> stored.isEmpty() ? deletedOrAbsent(answerLost) : notDeleted(answerLost)));
    }

    /** Returns the outcome for an absent object: an earlier attempt with a lost response has deleted it. */
    private static WriteResult deletedOrAbsent(boolean answerLost) {
        return answerLost ? WriteResult.DONE : WriteResult.NOTHING;
    }

    private static WriteResult notDeleted(boolean answerLost) {
        return answerLost ? unknown("a DELETE") : WriteResult.NOT_MET;
    }

    private static WriteResult unknown(String change) {
        return new WriteResult.Unknown(
                new IOException("the answer to " + change + " was lost, and another object is there now"));
    }

    private static CompletableFuture<WriteResult> completed(WriteResult outcome) {
        return CompletableFuture.completedFuture(outcome);
    }

    /** Deletes the objects with these names by one request each, several at once. Absent objects are skipped. */
    public CompletableFuture<?> deleteAll(List<String> names) {
        return ParallelRequests.run(names.size(), DELETES_AT_ONCE, i -> delete(names.get(i)));
    }

    private CompletableFuture<Boolean> delete(String name) {
        var task = new CloudRequest<>(
                service,
                "DELETE of " + name + " in " + service.describe(),
                () -> service.delete(name, Condition.ANY),
                CloudRequest.SMALL,
                new AbsentHandler<>(response -> Optional.of(true), false));
        return new RetriedOperation<>(context, task).start();
    }

    /** Interprets the responses to a put or delete. */
    private static class Handler implements CloudRequest.ResponseHandler<Answer> {
        private final boolean conditional;
        private final Function<Response, WriteResult> onSuccess;

        Handler(boolean conditional, Function<Response, WriteResult> onSuccess) {
            this.conditional = conditional;
            this.onSuccess = onSuccess;
        }

        @Override
        public Optional<Answer> success(Response response) {
            return Optional.of(new Answer.Made(onSuccess.apply(response)));
        }

        @Override
        public Optional<Answer> refusal(ErrorResponse refusal, boolean lost) {
            if (conditional && refusal.status() == 501) { // Not Implemented
                throw new UnsupportedException("the server does not support conditions on puts and deletes, which"
                        + " writers without locks need: " + refusal.describe());
            }
            boolean conditionMet =
                    refusal.kind() != ErrorResponse.Kind.NOT_MET && refusal.kind() != ErrorResponse.Kind.ABSENT;
            return conditional && !conditionMet ? Optional.of(new Answer.Refused(lost)) : Optional.empty();
        }
    }

    /** Decides about a change whose condition did not hold. */
    @FunctionalInterface
    public interface IfRefused {
        /**
         * Returns the outcome of the change.
         *
         * @param answerLost whether an earlier attempt may have made the change, because its response was lost
         */
        CompletableFuture<WriteResult> resolve(boolean answerLost);
    }

    /** Sends a change. The outcome is {@link WriteResult.Unknown} if the last response was lost. */
    public CompletableFuture<WriteResult> send(
            String name, Supplier<Request> request, CloudRequest.ResponseHandler<Answer> handler, IfRefused refused) {
        RetriedOperation<Answer> operation = new RetriedOperation<>(
                context, new CloudRequest<>(service, name, request, CloudRequest.SMALL, handler));
        CompletableFuture<WriteResult> outcome = CancellableFutures.compose(
                operation.start(),
                reply -> reply instanceof Answer.Made made
                        ? completed(made.outcome())
                        : refused.resolve(((Answer.Refused) reply).answerLost()));
        return CancellableFutures.recover(outcome, thrown -> thrown instanceof ZarrException && operation.answerLost());
    }

    /** Checks whether the stored object is that of a put whose answer was lost. */
    public CompletableFuture<WriteResult> resolveLostPut(String key, WriteIds ids, long size) {
        return CancellableFutures.map(
                stat(key), stored -> stored.filter(response -> carried(response).isOf(ids))
                        .map(response -> resultOf(response, size))
                        .orElseGet(() -> unknown("a PUT")));
    }

    /** Requests an object's version and user metadata; empty if it does not exist. */
    public CompletableFuture<Optional<Response>> stat(String key) {
        String name = service.location().nameOf(key);
        CloudRequest.ResponseHandler<Optional<Response>> handler = new CloudRequest.ResponseHandler<>() {
            @Override
            public Optional<Optional<Response>> success(Response response) {
                return Optional.of(Optional.of(response));
            }

            @Override
            public Optional<Optional<Response>> refusal(ErrorResponse refusal, boolean lost) {
                return refusal.kind() == ErrorResponse.Kind.ABSENT ? Optional.of(Optional.empty()) : Optional.empty();
            }
        };
        var task =
                new CloudRequest<>(service, what("HEAD", key), () -> service.stat(name), CloudRequest.SMALL, handler);
        return new RetriedOperation<>(context, task).start();
    }
}
