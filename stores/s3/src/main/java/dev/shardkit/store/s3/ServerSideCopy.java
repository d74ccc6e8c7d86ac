package dev.shardkit.store.s3;

import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Copies objects inside a server (CopyObject). The server gives the copy the settings of the store and the metadata of
 * its source, unless the store has user metadata of its own.
 *
 * @param context the state of the store's requests
 * @param origin the bucket that receives copies
 */
record ServerSideCopy(RequestContext context, S3Origin origin) {
    /** The response of a server to a copy. */
    enum Answer {
        COPIED,
        /** The source does not exist. */
        ABSENT,
        /** The object is larger than the 5 GiB that a server copies by one request. */
        TOO_LARGE
    }

    /**
     * Copies an object.
     *
     * @param source the bucket of the source, on the same server
     */
    CompletableFuture<Answer> copy(Bucket source, String fromKey, String toKey) {
        Map<String, String> headers = new LinkedHashMap<>(origin.objects().created());
        headers.putAll(origin.objects().copied());
        headers.put("x-amz-copy-source", source.source(fromKey));
        boolean isItself = source.name().equals(origin.bucket().name())
                && source.location().nameOf(fromKey).equals(origin.location().nameOf(toKey));
        if (origin.objects().describes() || isItself) { // a server refuses to copy an object onto itself unchanged
            headers.put("x-amz-metadata-directive", "REPLACE");
        }
        String name = origin.location().nameOf(toKey);
        var task = new CloudRequest<>(
                origin,
                "copy of " + fromKey + " to " + toKey + " in " + origin.describe(),
                () -> new Request("PUT", origin.bucket().object(name), headers, Payload.NONE),
                CloudRequest.SMALL,
                new CloudRequest.ResponseHandler<Answer>() {
                    /** Status 200 is sent before the copy is finished: only a complete result confirms the copy. */
                    @Override
                    public Optional<Answer> success(Response response) {
                        return XmlElement.parse(response.body().toArray())
                                .filter(root -> root.name().equals("CopyObjectResult"))
                                .map(root -> Answer.COPIED);
                    }

                    @Override
                    public Optional<Answer> refusal(ErrorResponse refusal, boolean answerLost) {
                        if (refusal.kind() == ErrorResponse.Kind.ABSENT) {
                            return Optional.of(Answer.ABSENT);
                        }
                        // Amazon reports the limit by InvalidRequest, whose message names the maximum size.
                        boolean large = refusal.code().equals("EntityTooLarge")
                                || refusal.code().equals("InvalidRequest")
                                        && refusal.message().contains("size");
                        return large ? Optional.of(Answer.TOO_LARGE) : Optional.empty();
                    }
                });
        return new RetriedOperation<>(context, task).start();
    }
}
