package dev.shardkit.store.gcs;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.CloudWrites;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.WriteIds;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A resumable upload of a large object. It sends the parts in order, under the condition that the session began with.
 * After a failure it asks the server for the number of received bytes, and continues there. The object appears when the
 * last part has arrived.
 */
final class ResumableUpload {
    private static final Pattern UPLOAD_ID = Pattern.compile("[?&]upload_id=([A-Za-z0-9._~-]{1,2000})(&|$)");
    private static final Pattern RANGE = Pattern.compile("bytes=0-([0-9]{1,18})");
    /** The maximum number of successive responses that report no further received byte. */
    private static final int MAX_STALLS = 8;

    private final CloudWrites changes;
    private final GcsOrigin origin;
    private final long partSize;
    private final String key;
    private final Bytes bytes;
    private final WriteIds ids;
    private final String session;
    private final CompletableFuture<WriteResult> result = new CompletableFuture<>();
    /** The number of successive responses that reported no further received byte. One response at a time changes it. */
    private int stalls;

    private ResumableUpload(
            CloudWrites changes,
            GcsOrigin origin,
            long partSize,
            String key,
            Bytes bytes,
            WriteIds ids,
            String session) {
        this.changes = changes;
        this.origin = origin;
        this.partSize = partSize;
        this.key = key;
        this.bytes = bytes;
        this.ids = ids;
        this.session = session;
    }

    /** Puts an object. */
    static CompletableFuture<WriteResult> put(
            CloudWrites changes,
            GcsOrigin origin,
            long partSize,
            String key,
            Bytes bytes,
            Condition condition,
            WriteIds ids) {
        String name = origin.location().nameOf(key);
        Map<String, String> query = new LinkedHashMap<>(GcsOrigin.condition(condition));
        query.put("uploadType", "resumable");
        query.put("name", name);
        Map<String, String> headers = Map.of(
                "Content-Type", "application/json; charset=UTF-8",
                "X-Upload-Content-Type", "application/octet-stream",
                "X-Upload-Content-Length", Long.toString(bytes.size()));
        Payload resource = Payload.of(List.of(ByteBuffer.wrap(GcsOrigin.resource(name, Optional.of(ids.text())))));
        var begin = new CloudRequest<>(
                origin,
                changes.what("beginning the upload of", key),
                () -> new Request("POST", origin.uri("/upload", Optional.empty(), query), headers, resource),
                CloudRequest.SMALL,
                new Beginning());
        return CancellableFutures.compose(
                new RetriedOperation<>(changes.context(), begin).start(),
                id -> id.isEmpty()
                        ? CompletableFuture.completedFuture(WriteResult.NOT_MET)
                        : new ResumableUpload(changes, origin, partSize, key, bytes, ids, id).start());
    }

    /** Reads the id of a new upload session from a response; "" if the condition does not hold. */
    private static final class Beginning implements CloudRequest.ResponseHandler<String> {
        @Override
        public Optional<String> success(Response response) {
            return response.headers()
                    .firstValue("Location")
                    .map(UPLOAD_ID::matcher)
                    .filter(Matcher::find)
                    .map(found -> found.group(1));
        }

        @Override
        public Optional<String> refusal(ErrorResponse refusal, boolean answerLost) {
            return refusal.kind() == ErrorResponse.Kind.NOT_MET ? Optional.of("") : Optional.empty();
        }
    }

    private CompletableFuture<WriteResult> start() {
        result.whenComplete((outcome, thrown) -> {
            if (thrown != null) {
                abandon();
            }
        });
        send(0);
        return result;
    }

    private URI uri() {
        return origin.uri(
                "/upload",
                Optional.empty(),
                Map.of("uploadType", "resumable", "name", origin.location().nameOf(key), "upload_id", session));
    }

    private Request part(long start, long end) {
        return new Request(
                "PUT",
                uri(),
                Map.of("Content-Range", "bytes " + start + "-" + (end - 1) + "/" + bytes.size()),
                Payload.of(bytes.slice(start, end - start).pieces()));
    }

    /** Requests the number of bytes that the server has received. */
    private Request inquiry() {
        return new Request("PUT", uri(), Map.of("Content-Range", "bytes */" + bytes.size()), Payload.NONE);
    }

    /** The state of an upload after an answer. */
    private sealed interface State {
        record Arrived(long count) implements State {}

        record Complete(Optional<String> version) implements State {}

        /**
         * The condition did not hold at the end; or an earlier request, whose response was lost, may have completed the
         * upload and so ended the session.
         */
        record Refused(boolean answerLost) implements State {}
    }

    /** Sends the part that begins at {@code start}, and then the rest. */
    private void send(long start) {
        long end = Math.min(bytes.size(), start + partSize);
        // After a failure, the server may have received a part of the bytes, so a retry asks for their number instead.
        AtomicBoolean sent = new AtomicBoolean();
        var task = new CloudRequest<>(
                origin,
                changes.what("PUT of bytes " + start + " to " + end + " of", key),
                // A part must have bytes. If the server has all bytes, but has not said that the upload is complete,
                // there is no part to send, so ask again.
                () -> sent.getAndSet(true) || start == end && start > 0 ? inquiry() : part(start, end),
                CloudRequest.SMALL,
                new Handler());
        RetriedOperation<State> operation = new RetriedOperation<>(changes.context(), task);
        CompletableFuture<State> running = operation.start();
        result.whenComplete((outcome, thrown) -> running.cancel(true));
        running.whenComplete((state, thrown) -> {
            try {
                if (thrown == null) {
                    next(start, end, state);
                } else {
                    Throwable cause = CancellableFutures.cause(thrown);
                    boolean unknown = cause instanceof ZarrException && operation.answerLost() && end == bytes.size();
                    if (unknown) {
                        result.complete(new WriteResult.Unknown(cause));
                    } else {
                        result.completeExceptionally(cause);
                    }
                }
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
    }

    private void next(long start, long end, State state) {
        if (state instanceof State.Complete complete) {
            result.complete(new WriteResult.Done(complete.version()));
        } else if (state instanceof State.Arrived arrived) {
            stalls = arrived.count() > start ? 0 : stalls + 1;
            if (arrived.count() < start || arrived.count() > end || stalls > MAX_STALLS) {
                result.completeExceptionally(new StoreException(changes.what("upload of", key) + ": sent bytes " + start
                        + " to " + end + ", but " + arrived.count() + " bytes have arrived"));
            } else {
                send(arrived.count());
            }
        } else if (state instanceof State.Refused refused) {
            CompletableFuture<WriteResult> decision = refused.answerLost()
                    ? changes.resolveLostPut(key, ids, bytes.size())
                    : CompletableFuture.completedFuture(WriteResult.NOT_MET);
            result.whenComplete((outcome, thrown) -> decision.cancel(true));
            decision.whenComplete((outcome, thrown) -> {
                if (thrown == null) {
                    result.complete(outcome);
                } else {
                    result.complete(new WriteResult.Unknown(CancellableFutures.cause(thrown)));
                }
            });
        }
    }

    private final class Handler implements CloudRequest.ResponseHandler<State> {
        @Override
        public boolean isSuccess(int status) {
            return status / 100 == 2 || status == 308; // 308 (Resume Incomplete): the upload is not complete yet
        }

        @Override
        public Optional<State> success(Response response) {
            if (response.status() != 308) {
                return Optional.of(new State.Complete(origin.version(response, bytes.size())));
            }
            Optional<String> range = response.headers().firstValue("Range");
            if (range.isEmpty()) { // the server has received no bytes
                return Optional.of(new State.Arrived(0));
            }
            return range.map(RANGE::matcher)
                    .filter(Matcher::matches)
                    .map(found -> new State.Arrived(Long.parseLong(found.group(1)) + 1));
        }

        @Override
        public Optional<State> refusal(ErrorResponse refusal, boolean answerLost) {
            boolean isGone = refusal.status() == 404 || refusal.status() == 410;
            return refusal.kind() == ErrorResponse.Kind.NOT_MET || isGone && answerLost
                    ? Optional.of(new State.Refused(answerLost))
                    : Optional.empty();
        }
    }

    /** Deletes the upload session. A failure is ignored, because the server deletes sessions after a week. */
    private void abandon() {
        CloudRequest.ResponseHandler<Boolean> ignoring = new CloudRequest.ResponseHandler<>() {
            @Override
            public boolean isSuccess(int status) {
                return true;
            }

            @Override
            public Optional<Boolean> success(Response response) {
                return Optional.of(true);
            }
        };
        new RetriedOperation<>(
                        changes.context(),
                        new CloudRequest<>(
                                origin,
                                changes.what("ending the upload of", key),
                                () -> new Request("DELETE", uri(), Map.of(), Payload.NONE),
                                CloudRequest.SMALL,
                                ignoring))
                .start();
    }
}
