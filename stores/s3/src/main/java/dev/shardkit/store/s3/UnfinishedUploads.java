package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.ListingPage;
import dev.shardkit.store.cloud.PrefixDelete;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Finds and aborts multipart uploads that were neither completed nor aborted, for example because their writer was
 * killed. Their parts are invisible, but the owner pays for them.
 *
 * @param context the state of the store's requests
 * @param origin the bucket
 */
record UnfinishedUploads(RequestContext context, S3Origin origin) {
    /** Separates an object's name from the id of its upload in the name of a {@link Leftover}. */
    private static final String SEPARATOR = ", upload ";

    /**
     * An unfinished upload: the object's name, the upload's id, and the server's text of the time at which it began.
     */
    private record Begun(String name, String id, String initiated) {
        boolean isOlder(Instant limit) {
            try {
                return Instant.parse(initiated).isBefore(limit);
            } catch (DateTimeException e) {
                return false; // of unknown age, so it may still be running
            }
        }
    }

    /**
     * Reports the uploads below a prefix that began at least {@code age} ago.
     *
     * @param prefix the common prefix of the names of their objects
     */
    void find(String prefix, Duration age, Consumer<Leftover> consumer) {
        Instant limit = Instant.now().minus(age);
        Map<String, String> query = new TreeMap<>(Map.of("uploads", "", "prefix", prefix));
        boolean more = true;
        while (more) {
            XmlElement page = PrefixDelete.await(
                    request("uploads below \"" + prefix + '"', () -> origin.bucket()
                            .bucket(query)),
                    operation());
            for (XmlElement upload : page.all("Upload").toList()) {
                Begun begun = new Begun(upload.text("Key"), upload.text("UploadId"), upload.text("Initiated"));
                if (begun.name().startsWith(prefix) && begun.isOlder(limit)) {
                    size(begun).ifPresent(bytes -> consumer.accept(leftover(begun, bytes)));
                }
            }
            String key = page.text("NextKeyMarker");
            String id = page.text("NextUploadIdMarker");
            // A server that repeats its markers would send the same page forever.
            more = page.text("IsTruncated").strip().equals("true")
                    && !(key.equals(query.get("key-marker")) && id.equals(query.get("upload-id-marker")));
            query.put("key-marker", key);
            query.put("upload-id-marker", id);
        }
    }

    private String operation() {
        return "listing uploads in " + origin.describe();
    }

    private Leftover leftover(Begun upload, long bytes) {
        String key = upload.name().substring(origin.location().below("").length());
        return new Leftover(Leftover.Kind.TEMPORARY, upload.name() + SEPARATOR + upload.id(), Optional.of(key), bytes);
    }

    /** Returns the size of an upload's parts; empty if it has ended meanwhile. */
    private Optional<Long> size(Begun upload) {
        Map<String, String> query = new TreeMap<>(Map.of("uploadId", upload.id()));
        long bytes = 0;
        boolean more = true;
        while (more) {
            XmlElement page = PrefixDelete.await(
                    request("parts of the upload of " + upload.name(), () -> origin.bucket()
                            .object(upload.name(), query)),
                    operation());
            if (page.name().equals("Error")) { // there is no such upload any more, see request
                return Optional.empty();
            }
            for (XmlElement part : page.all("Part").toList()) {
                String size = part.text("Size").strip();
                bytes += size.matches("[0-9]{1,15}") ? Long.parseLong(size) : 0;
            }
            String next = page.text("NextPartNumberMarker");
            more = page.text("IsTruncated").strip().equals("true") && !next.equals(query.get("part-number-marker"));
            query.put("part-number-marker", next);
        }
        return Optional.of(bytes);
    }

    /** Requests a listing; the result is {@code <Error>} if the upload has ended. {@code listed} is for messages. */
    private CompletableFuture<XmlElement> request(String listed, Supplier<URI> uri) {
        var task = new CloudRequest<>(
                origin,
                "LIST of " + listed + " in " + origin.describe(),
                () -> Request.get(uri.get(), Map.of()),
                ListingPage.LARGEST,
                new CloudRequest.ResponseHandler<XmlElement>() {
                    @Override
                    public Optional<XmlElement> success(Response response) {
                        return XmlElement.parse(response.body().toArray());
                    }

                    @Override
                    public Optional<XmlElement> refusal(ErrorResponse refusal, boolean answerLost) {
                        return refusal.code().equals("NoSuchUpload")
                                ? Optional.of(new XmlElement("Error", "", List.of()))
                                : Optional.empty();
                    }
                });
        return new RetriedOperation<>(context, task).start();
    }

    /** Aborts the upload that {@link #find} reported; returns false if it has ended. */
    boolean remove(Leftover leftover) {
        int separator = leftover.name().lastIndexOf(SEPARATOR);
        if (separator < 0) {
            throw new StoreException("expected a leftover of this store, found " + leftover.name());
        }
        String id = leftover.name().substring(separator + SEPARATOR.length());
        return PrefixDelete.awaitChange(
                abort(leftover.name().substring(0, separator), id), "aborting an upload in " + origin.describe());
    }

    /** Aborts an upload; the result is false if it has ended. */
    CompletableFuture<Boolean> abort(String name, String id) {
        var task = new CloudRequest<>(
                origin,
                "aborting the upload of " + name + " in " + origin.describe(),
                () -> new Request(
                        "DELETE", origin.bucket().object(name, Map.of("uploadId", id)), Map.of(), Payload.NONE),
                CloudRequest.SMALL,
                new CloudRequest.ResponseHandler<Boolean>() {
                    @Override
                    public Optional<Boolean> success(Response response) {
                        return Optional.of(true);
                    }

                    @Override
                    public Optional<Boolean> refusal(ErrorResponse refusal, boolean answerLost) {
                        // After a lost response, an earlier attempt has probably aborted the upload.
                        return refusal.code().equals("NoSuchUpload") ? Optional.of(answerLost) : Optional.empty();
                    }
                });
        return new RetriedOperation<>(context, task).start();
    }
}
