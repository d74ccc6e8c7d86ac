package dev.shardkit.store.gcs;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Copies;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloud.AbsentHandler;
import dev.shardkit.store.cloud.BulkOperations;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.CloudWrites;
import dev.shardkit.store.cloud.JsonResponse;
import dev.shardkit.store.cloud.ListingPage;
import dev.shardkit.store.cloud.PrefixDelete;
import dev.shardkit.store.cloud.Urls;
import dev.shardkit.store.cloud.WriteIds;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The operations on a bucket of Google Cloud Storage that take several requests: listings, deletions, copies and large
 * objects.
 *
 * @param changes sends requests, also those of listings
 * @param origin the bucket
 * @param partSize the size of the parts of large objects, in bytes
 * @param deletes deletes objects in batches
 */
record GcsBulkOperations(CloudWrites changes, GcsOrigin origin, long partSize, BatchDeletes deletes)
        implements BulkOperations, Copies {
    /**
     * A limit against endless loops. A copy inside a bucket takes one request; a copy to another storage class may take
     * several.
     */
    private static final int MAX_REWRITES = 10_000;

    GcsBulkOperations(CloudWrites changes, GcsOrigin origin, long partSize) {
        this(changes, origin, partSize, new BatchDeletes(changes, origin));
    }

    @Override
    public long largestPut() {
        return 2 * partSize;
    }

    @Override
    public CompletableFuture<WriteResult> putLarge(String key, Bytes bytes, Condition condition, WriteIds ids) {
        return ResumableUpload.put(changes, origin, partSize, key, bytes, condition, ids);
    }

    private <T> CompletableFuture<T> send(CloudRequest<T> task) {
        return new RetriedOperation<>(changes.context(), task).start();
    }

    @Override
    public CompletableFuture<ListingPage> requestPage(String prefix, boolean deep, @Nullable String continuation) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("prefix", prefix);
        query.put("maxResults", "1000");
        query.put("fields", "nextPageToken,prefixes,items(name,size,generation)");
        if (!deep) {
            query.put("delimiter", "/");
        }
        if (continuation != null) {
            query.put("pageToken", continuation);
        }
        return send(new CloudRequest<>(
                origin,
                "LIST of \"" + prefix + "\" in " + origin.describe(),
                () -> Request.get(origin.uri("", Optional.empty(), query), Map.of()),
                ListingPage.LARGEST,
                (Response response) ->
                        JsonResponse.parse(response.body().toArray()).map(GcsBulkOperations::page)));
    }

    private static ListingPage page(JsonResponse response) {
        List<ListingPage.Named> objects = response.all("items")
                .map(item -> new ListingPage.Named(
                        item.text("name"),
                        ListingPage.size(item.text("size")),
                        GcsOrigin.version(item.text("generation"))))
                .toList();
        String next = response.text("nextPageToken");
        return new ListingPage(objects, response.texts("prefixes").toList(), next.isEmpty() ? null : next);
    }

    @Override
    public CompletableFuture<?> delete(List<String> names) {
        return deletes.delete(names);
    }

    @Override
    public boolean copy(String sourceKey, String targetKey, Durability durability) {
        String source = origin.location().nameOf(sourceKey);
        String target = origin.location().nameOf(targetKey);
        String operation = "copy of " + sourceKey + " to " + targetKey + " in " + origin.describe();
        String token = "";
        for (int i = 0; i < MAX_REWRITES; i++) {
            Rewritten rewritten = PrefixDelete.awaitChange(rewrite(operation, source, target, token), operation);
            if (rewritten.done() || rewritten.absent()) {
                return !rewritten.absent();
            }
            token = rewritten.token();
        }
        throw new StoreException(operation + ": not done after " + MAX_REWRITES + " requests");
    }

    /**
     * The response to {@code rewrite}, the call of the API that copies an object. If the copy is unfinished, the next
     * call continues it by {@code token}.
     */
    private record Rewritten(boolean done, boolean absent, String token) {}

    /** Sends a request that begins a copy, or continues it if {@code token} is not empty. */
    private CompletableFuture<Rewritten> rewrite(String operation, String source, String target, String token) {
        Map<String, String> query = token.isEmpty() ? Map.of() : Map.of("rewriteToken", token);
        String tail = "/rewriteTo/b/" + Urls.encoded(origin.location().container()) + "/o/" + Urls.encoded(target);
        CloudRequest.ResponseHandler<Rewritten> read =
                response -> JsonResponse.parse(response.body().toArray())
                        .map(a -> new Rewritten(a.text("done").equals("true"), false, a.text("rewriteToken")))
                        .filter(r -> r.done() || !r.token().isEmpty());
        return send(new CloudRequest<>(
                origin,
                operation,
                () -> new Request("POST", origin.uri("", Optional.of(source), tail, query), Map.of(), Payload.NONE),
                CloudRequest.SMALL,
                new AbsentHandler<>(read, new Rewritten(false, true, ""))));
    }
}
