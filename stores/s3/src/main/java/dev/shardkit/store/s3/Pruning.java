package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.remote.Common;
import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Outcome.Told;
import dev.shardkit.transport.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Deletes all objects below a prefix, a page of a listing at a time.
 *
 * @param common the state of the store's requests
 * @param origin the bucket
 */
record Pruning(Common common, S3Origin origin) {
    /** The namespace of documents that are sent. */
    static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

    /** Deletes all objects whose names begin with {@code before}. */
    void run(String before) {
        String next = null;
        do {
            Page page = await(Page.ask(common, origin, before, true, next));
            List<String> names = page.objects().stream().map(Page.Named::name).toList();
            if (!names.isEmpty()) {
                await(delete(names));
            }
            next = page.next();
        } while (next != null);
    }

    private CompletableFuture<String> delete(List<String> names) {
        StringBuilder request = new StringBuilder("<Delete xmlns=\"" + NAMESPACE + "\">");
        names.forEach(name ->
                request.append("<Object><Key>").append(Xml.escaped(name)).append("</Key></Object>"));
        byte[] body = request.append("<Quiet>true</Quiet></Delete>").toString().getBytes(StandardCharsets.UTF_8);
        String what = "deletion of " + names.size() + " objects from " + names.get(0) + " on in " + origin.describe();
        var task = new Task<>(
                origin,
                what,
                "POST",
                () -> origin.bucket().bucket(Map.of("delete", "")),
                Map.of("Content-MD5", md5(body)),
                Payload.of(List.of(ByteBuffer.wrap(body))),
                1 << 20,
                (Told told) -> Xml.parse(told.body().toArray()).map(Pruning::firstError));
        return Linked.map(new Errand<>(common, task).start(), error -> {
            if (!error.isEmpty()) {
                throw new StoreException(what + ": " + error);
            }
            return error;
        });
    }

    private static String firstError(Xml result) {
        return result.all("Error")
                .findFirst()
                .map(e -> e.text("Key") + ": " + e.text("Code") + ": " + e.text("Message"))
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

    private <T> T await(CompletableFuture<T> request) {
        try {
            return request.get();
        } catch (InterruptedException e) {
            request.cancel(true);
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while deleting objects in " + origin.describe(), e);
        } catch (ExecutionException e) {
            Throwable cause = Linked.cause(Optional.ofNullable(e.getCause()).orElse(e));
            if (cause instanceof ZarrException ours) {
                throw ours;
            }
            throw new StoreException("deleting objects in " + origin.describe() + " failed: " + cause, cause);
        }
    }
}
