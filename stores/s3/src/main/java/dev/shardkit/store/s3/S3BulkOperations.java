package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.ListingPage;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Makes S3's requests about many objects of a bucket: pages of listings, and deletes of up to 1,000 objects.
 *
 * @param context the state of the store's requests
 * @param origin the bucket
 */
record S3BulkOperations(RequestContext context, S3Origin origin) {
    /** The XML namespace of the documents in requests. */
    static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

    /**
     * Requests a page of a listing (ListObjectsV2).
     *
     * @param deep whether names that contain further slashes are listed, rather than their common prefixes
     * @param continuation the token of the previous page; null for the first page
     */
    CompletableFuture<ListingPage> ask(String prefix, boolean deep, @Nullable String continuation) {
        Map<String, String> query = new TreeMap<>(Map.of("list-type", "2", "encoding-type", "url", "prefix", prefix));
        if (!deep) {
            query.put("delimiter", "/");
        }
        if (continuation != null) {
            query.put("continuation-token", continuation);
        }
        var task = new CloudRequest<>(
                origin,
                "LIST of \"" + prefix + "\" in " + origin.describe(),
                () -> Request.get(origin.bucket().bucket(query), Map.of()),
                ListingPage.LARGEST,
                (Response response) ->
                        XmlElement.parse(response.body().toArray()).flatMap(S3BulkOperations::page));
        return new RetriedOperation<>(context, task).start();
    }

    /** Parses a page; empty if the document is not a listing, or promises further pages without a token. */
    private static Optional<ListingPage> page(XmlElement root) {
        if (!root.name().equals("ListBucketResult")) {
            return Optional.empty();
        }
        boolean encoded = root.text("EncodingType").equals("url"); // a server may ignore this option
        List<ListingPage.Named> objects = root.all("Contents")
                .map(object -> new ListingPage.Named(
                        name(object.text("Key"), encoded),
                        ListingPage.size(object.text("Size")),
                        version(object.text("ETag"))))
                .toList();
        List<String> prefixes = root.all("CommonPrefixes")
                .map(common -> name(common.text("Prefix"), encoded))
                .toList();
        boolean isTruncated = root.text("IsTruncated").strip().equals("true");
        String token = root.text("NextContinuationToken");
        if (isTruncated && token.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ListingPage(objects, prefixes, isTruncated ? token : null));
    }

    private static String name(String text, boolean encoded) {
        try {
            return encoded ? URLDecoder.decode(text, StandardCharsets.UTF_8) : text;
        } catch (IllegalArgumentException e) { // the server has not encoded this name
            return text;
        }
    }

    /** Returns the version for an ETag: {@code s:} and the tag, as for reads. */
    private static Optional<String> version(String tag) {
        return tag.matches("\"[^\"]+\"") ? Optional.of("s:" + tag) : Optional.empty();
    }

    /** Deletes up to 1,000 objects by one request. The future's value is always "". */
    CompletableFuture<String> delete(List<String> names) {
        StringBuilder request = new StringBuilder("<Delete xmlns=\"" + NAMESPACE + "\">");
        names.forEach(name ->
                request.append("<Object><Key>").append(XmlElement.escaped(name)).append("</Key></Object>"));
        // Quiet: the response lists only the objects that could not be deleted.
        byte[] body = request.append("<Quiet>true</Quiet></Delete>").toString().getBytes(StandardCharsets.UTF_8);
        String operation = "deletion of " + names.size() + " objects in " + origin.describe() + ", the first of them "
                + names.get(0);
        var task = new CloudRequest<>(
                origin,
                operation,
                () -> new Request(
                        "POST",
                        origin.bucket().bucket(Map.of("delete", "")),
                        Map.of("Content-MD5", md5(body)),
                        Payload.of(List.of(ByteBuffer.wrap(body)))),
                1 << 20,
                (Response response) ->
                        XmlElement.parse(response.body().toArray()).map(S3BulkOperations::firstError));
        return CancellableFutures.map(new RetriedOperation<>(context, task).start(), error -> {
            if (!error.isEmpty()) {
                throw new StoreException(operation + ": " + error);
            }
            return error;
        });
    }

    /** Returns the first failed delete in a response, for messages; "" if all objects were deleted. */
    private static String firstError(XmlElement result) {
        return result.all("Error")
                .findFirst()
                .map(error -> error.text("Key") + ": " + error.text("Code") + ": " + error.text("Message"))
                .orElse("");
    }

    private static String md5(byte[] body) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("MD5").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }
}
