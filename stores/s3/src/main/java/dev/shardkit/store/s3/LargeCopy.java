package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Content.Part.Stored;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloud.AbsentHandler;
import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.PutBody;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ObjectVersion;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Headers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Copies objects above 5 GiB, the limit of CopyObject: the server copies ranges of the source into a multipart upload.
 * The copy appears when all ranges are copied, and only if the source did not change meanwhile.
 *
 * @param uploads the uploads of the bucket that receives copies
 * @param context the state of the requests to the source
 * @param sourceOrigin the bucket of the source, on the same server
 * @param stopped returns true to stop the copy before the next range: the copy then fails
 */
record LargeCopy(MultipartUpload uploads, RequestContext context, S3Origin sourceOrigin, BooleanSupplier stopped) {
    /** The size of a range, in bytes. A server copies a range without sending it, so ranges may be large. */
    private static final long RANGE = 256L << 20;

    /** The headers of the source that its copy gets, besides user metadata; the same as with CopyObject. */
    private static final Set<String> KEPT = Set.of(
            "content-type", "content-encoding", "content-disposition", "content-language", "cache-control", "expires");

    /**
     * Returns a copier that uses ranges of the default size.
     *
     * @param uploads the uploads of the bucket that receives copies
     */
    static LargeCopy of(MultipartUpload uploads, RequestContext context, S3Origin source, BooleanSupplier stopped) {
        long range = Math.max(uploads.partSize(), RANGE);
        return new LargeCopy(new MultipartUpload(uploads.changes(), uploads.origin(), range), context, source, stopped);
    }

    /** Copies an object. Returns false if it does not exist. */
    CompletableFuture<Boolean> copy(String fromKey, String toKey) {
        String operation = "copy of " + fromKey + " to " + toKey + " in "
                + uploads.origin().describe();
        String name = sourceOrigin.location().nameOf(fromKey);
        CloudRequest.ResponseHandler<Optional<Response>> handler = response -> Optional.of(Optional.of(response));
        var statRequest = new CloudRequest<>(
                sourceOrigin,
                operation,
                () -> sourceOrigin.stat(name),
                CloudRequest.SMALL,
                new AbsentHandler<>(handler, Optional.<Response>empty()));
        return CancellableFutures.compose(
                new RetriedOperation<>(context, statRequest).start(),
                response -> response.map(source -> copy(operation, fromKey, source, toKey))
                        .orElseGet(() -> CompletableFuture.completedFuture(false)));
    }

    private CompletableFuture<Boolean> copy(String operation, String fromKey, Response source, String toKey) {
        long size = source.headers()
                .firstValue("Content-Length")
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::parseLong)
                .orElseThrow(() -> new StoreException(operation + ": expected the size of the source, found none"));
        String version = ObjectVersion.of(source.headers(), size)
                .filter(v -> ObjectVersion.ifMatch(Optional.of(v)).isPresent())
                .orElseThrow(() -> new StoreException(operation + ": expected an ETag of the source, found none"));
        PutBody body = new PutBody(List.of(new Stored(fromKey, version, 0, size)), size);
        CompletableFuture<WriteResult> written =
                uploads.copy(toKey, body, sourceOrigin.bucket(), keptHeaders(source.headers()), stopped);
        return CancellableFutures.map(written, outcome -> {
            if (outcome instanceof WriteResult.Done) {
                return true;
            }
            throw new StoreException(operation + ": expected an object, found " + outcome);
        });
    }

    /**
     * Returns the headers that CopyObject would keep. User metadata is left out if the target's settings replace it,
     * and shardkit's own write id always.
     */
    private Map<String, String> keptHeaders(Headers source) {
        boolean describes = uploads.origin().objects().describes();
        Predicate<String> isKept = name -> KEPT.contains(name)
                || !describes && name.startsWith(ObjectSettings.USER) && !name.equals(S3Origin.WRITE_ID);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : source.names()) {
            if (isKept.test(name.toLowerCase(Locale.ROOT))) {
                source.firstValue(name).ifPresent(value -> headers.put(name, value));
            }
        }
        return headers;
    }
}
