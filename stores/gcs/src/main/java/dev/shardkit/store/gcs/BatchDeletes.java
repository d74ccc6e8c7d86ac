package dev.shardkit.store.gcs;

import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.CloudWrites;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.ParallelRequests;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Deletes objects in batches. One request carries up to 100 deletions, and its response has a part for each. If a part
 * is missing, or says that the server was busy, the object is deleted by a request of its own. If the server does not
 * support batches, every object, now and later, is deleted by a request of its own. Thread-safe.
 */
final class BatchDeletes {
    /** The API's limit on the calls of a batch. */
    private static final int CALLS_PER_BATCH = 100;

    private static final int BATCHES_AT_ONCE = 8;
    private static final int MAX_RESPONSE_BYTES = 1 << 20;
    /** The statuses with which servers without the batch API answer. */
    private static final Set<Integer> NO_ENDPOINT = Set.of(404, 405, 501);

    private final CloudWrites changes;
    private final GcsOrigin origin;
    private volatile boolean unsupported;

    BatchDeletes(CloudWrites changes, GcsOrigin origin) {
        this.changes = changes;
        this.origin = origin;
    }

    /** Deletes the objects with these names; absent ones are skipped. */
    CompletableFuture<?> delete(List<String> names) {
        if (names.size() < 2) {
            return changes.deleteAll(names);
        }
        int batches = (names.size() + CALLS_PER_BATCH - 1) / CALLS_PER_BATCH;
        return ParallelRequests.run(
                batches,
                BATCHES_AT_ONCE,
                i -> batch(names.subList(i * CALLS_PER_BATCH, Math.min(names.size(), (i + 1) * CALLS_PER_BATCH))));
    }

    private CompletableFuture<Boolean> batch(List<String> names) {
        return CancellableFutures.compose(
                unsupported ? CompletableFuture.completedFuture(names) : send(names),
                remaining -> CancellableFutures.map(changes.deleteAll(remaining), deleted -> true));
    }

    /**
     * Sends a batch. Returns the names that still need requests of their own; fails if the server refuses to delete an
     * object.
     */
    private CompletableFuture<List<String>> send(List<String> names) {
        String boundary = "shardkit-" + UUID.randomUUID(); // random, so that no name contains it
        var task = new CloudRequest<>(
                origin,
                "deletion of " + names.size() + " objects in " + origin.describe() + ", the first of them "
                        + names.get(0),
                () -> request(names, boundary),
                MAX_RESPONSE_BYTES,
                new Handler(names.size()));
        return CancellableFutures.map(
                new RetriedOperation<>(changes.context(), task).start(), response -> remaining(names, response));
    }

    /** Returns the request of a batch: a body of several parts, each a DELETE request. */
    private Request request(List<String> names, String boundary) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            body.append("--").append(boundary).append("\r\nContent-Type: application/http\r\nContent-ID: <");
            body.append(BatchResponse.ID_PREFIX).append(i).append(">\r\n\r\nDELETE ");
            body.append(origin.pathInBatch(names.get(i))).append(" HTTP/1.1\r\n\r\n\r\n");
        }
        body.append("--").append(boundary).append("--\r\n");
        ByteBuffer bytes = ByteBuffer.wrap(body.toString().getBytes(StandardCharsets.US_ASCII));
        Map<String, String> headers = Map.of("Content-Type", "multipart/mixed; boundary=" + boundary);
        return new Request("POST", origin.batch(), headers, Payload.of(List.of(bytes)));
    }

    /** Returns the names that the response does not report as deleted: all if the server does not support batches. */
    private List<String> remaining(List<String> names, Optional<BatchResponse> response) {
        if (response.isEmpty()) {
            unsupported = true;
            return names;
        }
        List<String> remainingNames = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (!isDeleted(names.get(i), response.get().part(i))) {
                remainingNames.add(names.get(i));
            }
        }
        return remainingNames;
    }

    /**
     * Returns whether an object is gone; false if it needs a request of its own. Throws if the server refuses to delete
     * it.
     */
    private boolean isDeleted(String name, Optional<Response> part) {
        if (part.isEmpty()) {
            return false;
        } else if (part.get().status() / 100 == 2) {
            return true;
        }
        ErrorResponse refusal = origin.refusal(part.get());
        return switch (refusal.kind()) {
            case ABSENT -> true;
            case BUSY, PASSING, ELSEWHERE -> false;
            case NOT_MET, FORBIDDEN, FAILED -> throw refusal.failure("DELETE of " + name + " in " + origin.describe());
        };
    }

    /** Interprets the response to a batch; the result is empty if the server does not support batches. */
    private record Handler(int count) implements CloudRequest.ResponseHandler<Optional<BatchResponse>> {
        @Override
        public Optional<Optional<BatchResponse>> success(Response response) {
            return BatchResponse.parse(response, count).map(Optional::of);
        }

        @Override
        public Optional<Optional<BatchResponse>> refusal(ErrorResponse refusal, boolean answerLost) {
            return NO_ENDPOINT.contains(refusal.status()) ? Optional.of(Optional.empty()) : Optional.empty();
        }
    }
}
