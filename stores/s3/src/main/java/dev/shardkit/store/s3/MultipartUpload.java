package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloud.BulkOperations;
import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.CloudWrites;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.ListingPage;
import dev.shardkit.store.cloud.ParallelRequests;
import dev.shardkit.store.cloud.PrefixDelete;
import dev.shardkit.store.cloud.PutBody;
import dev.shardkit.store.cloud.WriteIds;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts large objects into a bucket of S3 by multipart uploads, and passes listings and deletes to
 * {@link S3BulkOperations}. A few parts are sent at once; if a part fails, only this part is sent again. All parts but
 * the last have one size, because some servers require it. The last request completes the upload: the object appears if
 * the condition holds then. An upload that is not completed is aborted, because Amazon charges for its parts.
 *
 * @param changes sends changes
 * @param origin the bucket
 * @param partSize the size of all parts but the last, in bytes
 */
record MultipartUpload(CloudWrites changes, S3Origin origin, long partSize) implements BulkOperations {
    /** The largest number of parts that S3 accepts. */
    private static final int MAX_PARTS = 10_000;

    /**
     * The number of parts that are sent at once. With more, each part would get so little bandwidth that its request
     * times out.
     */
    private static final int AT_ONCE = 4;

    /**
     * One upload.
     *
     * @param source the bucket of the stored objects from which the server copies parts
     * @param partSize the size of all parts but the last; larger than the store's if the body would have too many parts
     */
    private record Upload(String key, String name, String id, PutBody body, Bucket source, long partSize) {
        int parts() {
            return Math.toIntExact((body.size() + partSize - 1) / partSize);
        }

        PutBody part(int index) {
            long offset = index * partSize;
            return body.slice(offset, Math.min(partSize, body.size() - offset));
        }
    }

    @Override
    public long largestPut() {
        return 2 * partSize;
    }

    @Override
    public CompletableFuture<ListingPage> requestPage(String prefix, boolean deep, @Nullable String continuation) {
        return new S3BulkOperations(changes.context(), origin).ask(prefix, deep, continuation);
    }

    @Override
    public CompletableFuture<?> delete(List<String> names) {
        return new S3BulkOperations(changes.context(), origin).delete(names);
    }

    private <T> CompletableFuture<T> send(CloudRequest<T> task) {
        return new RetriedOperation<>(changes.context(), task).start();
    }

    private Request request(
            String method, String name, Map<String, String> query, Map<String, String> headers, Payload payload) {
        return new Request(method, origin.bucket().object(name, query), headers, payload);
    }

    @Override
    public CompletableFuture<WriteResult> putLarge(String key, Bytes bytes, Condition condition, WriteIds ids) {
        return putMoved(key, PutBody.of(bytes), condition, ids);
    }

    @Override
    public boolean copiesRanges() {
        return true;
    }

    /**
     * Returns all kinds for Amazon S3. Each process probes any other server once, and waits for its responses. If the
     * server ignores conditions, only writes with {@code WriteOwnership.OWNED} are possible.
     */
    @Override
    public Set<Condition.Kind> honours() {
        return new ConditionProbe(origin, changes).honoured();
    }

    @Override
    public CompletableFuture<WriteResult> putMoved(String key, PutBody body, Condition condition, WriteIds ids) {
        return put(key, body, origin.bucket(), Map.of(), condition, ids, () -> false);
    }

    /**
     * Puts an object that consists of ranges of stored objects.
     *
     * @param source the bucket of the stored objects, on the same server
     * @param described headers that describe the new object, besides those of the settings
     * @param stopped returns true to stop the copy before its next step: the copy then fails, and the object does not
     *     appear
     */
    CompletableFuture<WriteResult> copy(
            String key, PutBody ranges, Bucket source, Map<String, String> described, BooleanSupplier stopped) {
        return put(key, ranges, source, described, Condition.ANY, WriteIds.alone(), stopped);
    }

    private CompletableFuture<WriteResult> put(
            String key,
            PutBody body,
            Bucket source,
            Map<String, String> described,
            Condition condition,
            WriteIds ids,
            BooleanSupplier stopped) {
        return CancellableFutures.compose(
                begin(key, body, source, described, ids.text()),
                upload -> CancellableFutures.unlessDone(
                        CancellableFutures.compose(parts(upload, stopped), parts -> {
                            refuseIfStopped(stopped, upload);
                            return complete(upload, parts, condition, ids);
                        }),
                        () -> new UnfinishedUploads(changes.context(), origin).abort(upload.name(), upload.id())));
    }

    private CompletableFuture<Upload> begin(
            String key, PutBody body, Bucket source, Map<String, String> described, String writeId) {
        String name = origin.location().nameOf(key);
        Map<String, String> headers = new LinkedHashMap<>(described);
        headers.putAll(origin.objects().created());
        headers.putAll(origin.checksums().uploadHeaders(body));
        headers.put(S3Origin.WRITE_ID, writeId);
        long size = Math.max(partSize, (body.size() + MAX_PARTS - 1) / MAX_PARTS);
        return send(new CloudRequest<>(
                origin,
                changes.what("beginning the upload of", key),
                () -> request("POST", name, Map.of("uploads", ""), headers, Payload.NONE),
                CloudRequest.SMALL,
                (Response response) -> XmlElement.parse(response.body().toArray())
                        .map(root -> root.text("UploadId"))
                        .filter(id -> !id.isEmpty())
                        .map(id -> new Upload(key, name, id, body, source, size))));
    }

    /** Stores all parts. */
    private CompletableFuture<List<UploadedPart>> parts(Upload upload, BooleanSupplier stopped) {
        return ParallelRequests.run(upload.parts(), AT_ONCE, index -> {
            refuseIfStopped(stopped, upload);
            return part(upload, index);
        });
    }

    /** Throws if the copy is to be stopped. */
    private void refuseIfStopped(BooleanSupplier stopped, Upload upload) {
        if (stopped.getAsBoolean()) {
            throw new StoreException(changes.what("PUT of", upload.key()) + ": stopped");
        }
    }

    /** Sends the parts of an object and leaves them, as a killed writer does; for tests. */
    void leave(String key, PutBody body) {
        PrefixDelete.await(
                CancellableFutures.compose(
                        begin(key, body, origin.bucket(), Map.of(), "killed"), upload -> parts(upload, () -> false)),
                "leaving an upload of " + key);
    }

    /** Stores a part. A part that is a range of a stored object is copied by the server. */
    private CompletableFuture<UploadedPart> part(Upload upload, int index) {
        PutBody part = upload.part(index);
        Map<String, String> query = Map.of("partNumber", Integer.toString(index + 1), "uploadId", upload.id());
        if (part.range().isEmpty()) {
            return part.withBytes(changes.context(), bytes -> send(upload, index, query, bytes));
        }
        String operation = changes.what("copy of part " + (index + 1) + " of", upload.key());
        CompletableFuture<Optional<UploadedPart>> copied = new PartRangeCopy(changes.context(), origin)
                .copy(
                        part.range().get(),
                        upload.source(),
                        operation,
                        headers -> request("PUT", upload.name(), query, headers, Payload.NONE));
        return CancellableFutures.compose(copied, stored -> stored.map(CompletableFuture::completedFuture)
                .orElseGet(() -> uncopied(upload, part, index, query)));
    }

    /** Sends a part that the server does not copy. */
    private CompletableFuture<UploadedPart> uncopied(
            Upload upload, PutBody part, int index, Map<String, String> query) {
        // Only objects of the own bucket can be read here.
        if (!upload.source().equals(origin.bucket())) {
            throw new StoreException(changes.what("copy of", upload.key()) + ": the server does not copy ranges");
        }
        return part.withBytes(changes.context(), bytes -> send(upload, index, query, bytes));
    }

    private CompletableFuture<UploadedPart> send(Upload upload, int index, Map<String, String> query, Bytes bytes) {
        Payload payload = Payload.of(bytes.pieces());
        Map<String, String> sums = origin.checksums().sent(payload.pieces());
        Map<String, String> headers = new LinkedHashMap<>(origin.objects().accessed());
        headers.putAll(sums);
        return send(new CloudRequest<>(
                origin,
                changes.what("PUT of part " + (index + 1) + " of " + upload.parts() + " of", upload.key()),
                () -> request("PUT", upload.name(), query, headers, payload),
                CloudRequest.SMALL,
                (Response response) -> response.headers()
                        .firstValue("ETag")
                        .map(tag -> new UploadedPart(tag, Optional.ofNullable(sums.get(UploadChecksums.HEADER))))));
    }

    private CompletableFuture<WriteResult> complete(
            Upload upload, List<UploadedPart> parts, Condition condition, WriteIds ids) {
        Map<String, String> headers = new LinkedHashMap<>(origin.objects().accessed());
        headers.putAll(S3Origin.condition(condition));
        byte[] body = UploadedPart.document(parts).getBytes(StandardCharsets.UTF_8);
        return changes.send(
                changes.what("completing the upload of", upload.key()),
                () -> request(
                        "POST",
                        upload.name(),
                        Map.of("uploadId", upload.id()),
                        headers,
                        Payload.of(List.of(ByteBuffer.wrap(body)))),
                new Completion(),
                answerLost -> answerLost
                        ? changes.resolveLostPut(
                                upload.key(), ids, upload.body().size())
                        : CompletableFuture.completedFuture(WriteResult.NOT_MET));
    }

    /**
     * Interprets the response to the request that completes an upload. S3 may send status 200 with an error, so only a
     * document with an ETag is a success.
     */
    private static final class Completion implements CloudRequest.ResponseHandler<CloudWrites.Answer> {
        @Override
        public Optional<CloudWrites.Answer> success(Response response) {
            return XmlElement.parse(response.body().toArray())
                    .map(root -> root.text("ETag"))
                    .filter(tag -> !tag.isEmpty())
                    .map(tag -> tag.startsWith("\"") ? tag : '"' + tag + '"')
                    .map(tag -> new CloudWrites.Answer.Made(new WriteResult.Done(Optional.of("s:" + tag))));
        }

        @Override
        public Optional<CloudWrites.Answer> refusal(ErrorResponse refusal, boolean answerLost) {
            // If an answer was lost, the lost request may have completed the upload.
            boolean isGone = refusal.code().equals("NoSuchUpload");
            // The condition names a version of an object that was deleted.
            boolean absent = refusal.status() == 404 && refusal.code().equals("NoSuchKey");
            return refusal.status() == 412 || absent || isGone && answerLost
                    ? Optional.of(new CloudWrites.Answer.Refused(answerLost))
                    : Optional.empty();
        }
    }
}
