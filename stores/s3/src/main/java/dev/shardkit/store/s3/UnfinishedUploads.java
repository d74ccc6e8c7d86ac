package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.ListingPage;
import dev.shardkit.store.cloud.PrefixDelete;
import dev.shardkit.store.cloud.Xml;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.ResponseOutcome.Response;
import dev.shardkit.store.remote.RetriedOperation;
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
 * Uploads in parts that were neither completed nor aborted. Their parts are invisible, but the owner pays for them.
 *
 * @param common the state of the store's requests
 * @param origin the bucket
 */
record UnfinishedUploads(RequestContext common, S3Origin origin) {
    /** Separates an object's name from the id of its upload. */
    private static final String SEPARATOR = ", upload ";

    /** An upload. */
    private record Begun(String name, String id, String at) {
        boolean isOlder(Instant than) {
            try {
                return Instant.parse(at).isBefore(than);
            } catch (DateTimeException e) {
                return false; // perhaps it runs
            }
        }
    }

    /**
     * Reports the uploads below a prefix that began at least {@code age} ago.
     *
     * @param before what the names of their objects begin with
     */
    void find(String before, Duration age, Consumer<Leftover> found) {
        Instant than = Instant.now().minus(age);
        Map<String, String> query = new TreeMap<>(Map.of("uploads", "", "prefix", before));
        boolean more = true;
        while (more) {
            Xml page = PrefixDelete.await(
                    ask("uploads below \"" + before + '"', () -> origin.bucket().bucket(query)), doing());
            for (Xml upload : page.all("Upload").toList()) {
                Begun begun = new Begun(upload.text("Key"), upload.text("UploadId"), upload.text("Initiated"));
                if (begun.name().startsWith(before) && begun.isOlder(than)) {
                    size(begun).ifPresent(bytes -> found.accept(leftover(begun, bytes)));
                }
            }
            String key = page.text("NextKeyMarker");
            String id = page.text("NextUploadIdMarker");
            more = page.text("IsTruncated").strip().equals("true")
                    && !(key.equals(query.get("key-marker")) && id.equals(query.get("upload-id-marker")));
            query.put("key-marker", key);
            query.put("upload-id-marker", id);
        }
    }

    private String doing() {
        return "listing uploads in " + origin.describe();
    }

    private Leftover leftover(Begun begun, long bytes) {
        String key = begun.name().substring(origin.place().below("").length());
        return new Leftover(Leftover.Kind.TEMPORARY, begun.name() + SEPARATOR + begun.id(), Optional.of(key), bytes);
    }

    /** Returns the size of an upload's parts; empty if it has ended meanwhile. */
    private Optional<Long> size(Begun begun) {
        Map<String, String> query = new TreeMap<>(Map.of("uploadId", begun.id()));
        long bytes = 0;
        boolean more = true;
        while (more) {
            Xml page = PrefixDelete.await(
                    ask("parts of the upload of " + begun.name(), () -> origin.bucket()
                            .object(begun.name(), query)),
                    doing());
            if (page.name().equals("Error")) {
                return Optional.empty();
            }
            for (Xml part : page.all("Part").toList()) {
                String size = part.text("Size").strip();
                bytes += size.matches("[0-9]{1,15}") ? Long.parseLong(size) : 0;
            }
            String next = page.text("NextPartNumberMarker");
            more = page.text("IsTruncated").strip().equals("true") && !next.equals(query.get("part-number-marker"));
            query.put("part-number-marker", next);
        }
        return Optional.of(bytes);
    }

    private CompletableFuture<Xml> ask(String what, Supplier<URI> uri) {
        var task = new CloudRequest<>(
                origin,
                "LIST of " + what + " in " + origin.describe(),
                () -> Request.get(uri.get(), Map.of()),
                ListingPage.LARGEST,
                new CloudRequest.ResponseHandler<Xml>() {
                    @Override
                    public Optional<Xml> success(Response response) {
                        return Xml.parse(response.body().toArray());
                    }

                    @Override
                    public Optional<Xml> refusal(ErrorResponse refusal, boolean lost) {
                        return refusal.code().equals("NoSuchUpload")
                                ? Optional.of(new Xml("Error", "", List.of()))
                                : Optional.empty();
                    }
                });
        return new RetriedOperation<>(common, task).start();
    }

    /** Aborts the upload that {@link #find} reported; returns false if it has ended. */
    boolean remove(Leftover leftover) {
        int at = leftover.name().lastIndexOf(SEPARATOR);
        if (at < 0) {
            throw new StoreException("expected a leftover of this store, found " + leftover.name());
        }
        String id = leftover.name().substring(at + SEPARATOR.length());
        return PrefixDelete.awaitChange(
                abort(leftover.name().substring(0, at), id), "aborting an upload in " + origin.describe());
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
                    public Optional<Boolean> refusal(ErrorResponse refusal, boolean lost) {
                        return refusal.code().equals("NoSuchUpload") ? Optional.of(lost) : Optional.empty();
                    }
                });
        return new RetriedOperation<>(common, task).start();
    }
}
