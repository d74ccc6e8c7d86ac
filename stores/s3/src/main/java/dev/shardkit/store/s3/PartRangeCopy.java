package dev.shardkit.store.s3;

import dev.shardkit.store.Content.Part.Stored;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ObjectVersion;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Request;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Has the server copy a range of a stored object into a part of another one (UploadPartCopy).
 *
 * @param context the state of the store's requests
 * @param origin the bucket
 */
record PartRangeCopy(RequestContext context, S3Origin origin) {
    /**
     * Copies a range. The copy fails if the source is not in the version that the range names.
     *
     * @param range the range of the stored object
     * @param source the bucket of the stored object, on the same server
     * @param name the operation, for messages
     * @param partRequest makes the request for the part from its headers
     * @return the part; empty if the server does not copy ranges
     */
    CompletableFuture<Optional<UploadedPart>> copy(
            Stored range, Bucket source, String name, Function<Map<String, String>, Request> partRequest) {
        Map<String, String> headers = new LinkedHashMap<>(origin.objects().accessed());
        headers.putAll(origin.objects().copied());
        headers.put("x-amz-copy-source", source.source(range.key()));
        headers.put("x-amz-copy-source-range", "bytes=" + range.offset() + "-" + (range.offset() + range.size() - 1));
        ObjectVersion.ifMatch(Optional.of(range.version()))
                .ifPresent(tag -> headers.put("x-amz-copy-source-if-match", tag));
        CloudRequest.ResponseHandler<Optional<Response>> handler = new CloudRequest.ResponseHandler<>() {
            @Override
            public Optional<Optional<Response>> success(Response response) {
                return part(response).map(part -> Optional.of(response));
            }

            @Override
            public Optional<Optional<Response>> refusal(ErrorResponse refusal, boolean answerLost) {
                if (refusal.kind() == ErrorResponse.Kind.NOT_MET
                        || refusal.code().equals("NoSuchKey")) {
                    throw new ObjectChangedException(name + ": expected version " + range.version() + " of "
                            + range.key() + ", found " + refusal.describe());
                }
                // 501 and 405: the server does not implement copies of ranges. Other refusals are failures.
                return refusal.status() == 501 || refusal.status() == 405
                        ? Optional.of(Optional.empty())
                        : Optional.empty();
            }
        };
        var task = new CloudRequest<>(origin, name, () -> partRequest.apply(headers), CloudRequest.SMALL, handler);
        return CancellableFutures.map(
                new RetriedOperation<>(context, task).start(), response -> response.flatMap(PartRangeCopy::part));
    }

    /** Returns the part from the server's document; empty if the document is damaged. */
    private static Optional<UploadedPart> part(Response response) {
        return XmlElement.parse(response.body().toArray()).flatMap(UploadedPart::of);
    }
}
