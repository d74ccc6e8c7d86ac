package dev.shardkit.store.s3;

import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.remote.Common;
import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Outcome.Told;
import dev.shardkit.store.remote.Version;
import dev.shardkit.transport.Payload;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Puts and deletes. A conditional put carries an id in the object's user metadata. If its answer is lost and the server
 * refuses the retry, the id tells whether the first attempt was made.
 *
 * @param common the state of the store's requests
 * @param origin the bucket
 */
record Changes(Common common, S3Origin origin) {
    /** The header of the write id. */
    static final String WRITE_ID = "x-amz-meta-shardkit-write";

    /** A version that no object has. */
    private static final String NO_VERSION = "\"none\"";

    /** The answer to a change. */
    private sealed interface Answer {
        record Made(Outcome outcome) implements Answer {}

        /** The condition did not hold: another writer was first, or an earlier attempt of this request. */
        record Refused(boolean lost) implements Answer {}
    }

    private String what(String method, String key) {
        return method + " " + key + " in " + origin.describe();
    }

    /** Adds the headers of a condition. */
    static void condition(Condition condition, Map<String, String> headers) {
        if (condition instanceof Condition.Absent) {
            headers.put("If-None-Match", "*");
        } else if (condition instanceof Condition.Version v) {
            headers.put("If-Match", Version.ifMatch(Optional.of(v.version())).orElse(NO_VERSION));
        }
    }

    /** Puts an object by one request. */
    CompletableFuture<Outcome> put(String key, Bytes bytes, Condition condition) {
        Map<String, String> headers = new LinkedHashMap<>();
        condition(condition, headers);
        String id = UUID.randomUUID().toString();
        boolean conditional = !(condition instanceof Condition.Any);
        if (conditional) {
            headers.put(WRITE_ID, id);
        }
        String name = origin.bucket().nameOf(key);
        Payload payload = Payload.of(bytes.pieces());
        var task = new Task<>(
                origin,
                what("PUT", key),
                "PUT",
                () -> origin.bucket().object(name),
                headers,
                payload,
                new Meaning(conditional, told -> done(told, bytes.size())));
        return carryOut(task, lost -> lost ? whose(key, name, id, bytes.size()) : known(Outcome.NOT_MET));
    }

    private static Outcome done(Told told, long size) {
        return new Outcome.Done(Version.of(told.headers(), size));
    }

    /** Deletes an object. */
    CompletableFuture<Outcome> delete(String key, Condition condition) {
        Map<String, String> headers = new LinkedHashMap<>();
        condition(condition, headers);
        String name = origin.bucket().nameOf(key);
        var task = new Task<>(
                origin,
                what("DELETE", key),
                "DELETE",
                () -> origin.bucket().object(name),
                headers,
                Payload.NONE,
                new Meaning(!(condition instanceof Condition.Any), told -> Outcome.DONE) {
                    @Override
                    public Optional<Answer> refusal(Refusal refusal, boolean lost) {
                        boolean gone = refusal.status() == 404 && !S3Origin.isBucketMissing(refusal);
                        return gone
                                ? Optional.of(new Answer.Made(lost ? Outcome.DONE : Outcome.NOTHING))
                                : super.refusal(refusal, lost);
                    }
                });
        // Some servers refuse a conditional delete of an absent object.
        return carryOut(
                task,
                lost -> Linked.map(
                        head(key, name),
                        found -> found.isEmpty()
                                ? (lost ? Outcome.DONE : Outcome.NOTHING)
                                : lost
                                        ? new Outcome.Unknown(
                                                new IOException("the answer to a DELETE was lost, and another object is"
                                                        + " there now"))
                                        : Outcome.NOT_MET));
    }

    private static CompletableFuture<Outcome> known(Outcome outcome) {
        return CompletableFuture.completedFuture(outcome);
    }

    /** Tells the answers to a change under a condition. */
    private static class Meaning implements Task.Meaning<Answer> {
        private final boolean conditional;
        private final Function<Told, Outcome> made;

        Meaning(boolean conditional, Function<Told, Outcome> made) {
            this.conditional = conditional;
            this.made = made;
        }

        @Override
        public Optional<Answer> success(Told told) {
            return Optional.of(new Answer.Made(made.apply(told)));
        }

        @Override
        public Optional<Answer> refusal(Refusal refusal, boolean lost) {
            boolean absent = refusal.status() == 404 && !S3Origin.isBucketMissing(refusal);
            return conditional && (refusal.status() == 412 || absent)
                    ? Optional.of(new Answer.Refused(lost))
                    : Optional.empty();
        }
    }

    private interface IfRefused {
        CompletableFuture<Outcome> after(boolean lost);
    }

    private CompletableFuture<Outcome> carryOut(Task<Answer> task, IfRefused refused) {
        Errand<Answer> errand = new Errand<>(common, task);
        CompletableFuture<Outcome> outcome = Linked.compose(
                errand.start(),
                answer -> answer instanceof Answer.Made made
                        ? known(made.outcome())
                        : refused.after(((Answer.Refused) answer).lost()));
        return Linked.recover(outcome, thrown -> thrown instanceof ZarrException && errand.lost());
    }

    /** Checks whether the stored object is that of a put whose answer was lost. */
    CompletableFuture<Outcome> whose(String key, String name, String id, long size) {
        return Linked.map(head(key, name), found -> {
            boolean ours = found.flatMap(told -> told.headers().firstValue(WRITE_ID))
                    .filter(id::equals)
                    .isPresent();
            return ours
                    ? done(found.orElseThrow(), size)
                    : new Outcome.Unknown(
                            new IOException("the answer to a PUT was lost, and another object is there" + " now"));
        });
    }

    /** Asks for an object's headers; empty if it does not exist. */
    CompletableFuture<Optional<Told>> head(String key, String name) {
        var task = new Task<Optional<Told>>(
                origin,
                what("HEAD", key),
                "HEAD",
                () -> origin.bucket().object(name),
                Map.of(),
                Payload.NONE,
                new Task.Meaning<>() {
                    @Override
                    public Optional<Optional<Told>> success(Told told) {
                        return Optional.of(Optional.of(told));
                    }

                    @Override
                    public Optional<Optional<Told>> refusal(Refusal refusal, boolean lost) {
                        return refusal.status() == 404 ? Optional.of(Optional.empty()) : Optional.empty();
                    }
                });
        return new Errand<>(common, task).start();
    }
}
