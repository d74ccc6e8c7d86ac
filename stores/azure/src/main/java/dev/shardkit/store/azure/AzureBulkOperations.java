package dev.shardkit.store.azure;

import dev.shardkit.outofmemory.Completions;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnknownOutcomeException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Copies;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloud.AbsentHandler;
import dev.shardkit.store.cloud.BulkOperations;
import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.CloudWrites;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.ListingPage;
import dev.shardkit.store.cloud.PrefixDelete;
import dev.shardkit.store.cloud.PutBody;
import dev.shardkit.store.cloud.WriteIds;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The operations on a container of Azure Blob Storage that take several requests: listings, deletions, copies and large
 * blobs.
 *
 * @param changes sends changes
 * @param origin the container
 * @param partSize the maximum size of the blocks of large blobs, in bytes
 * @param support whether the server copies ranges
 */
record AzureBulkOperations(CloudWrites changes, AzureOrigin origin, long partSize, RangeCopySupport support)
        implements BulkOperations, Copies {
    /**
     * The pause between two requests for the status of an unfinished copy. Copies inside an account are usually
     * finished at once.
     */
    private static final int PAUSE_MILLIS = 200;

    /** The number of such requests after which the outcome of a copy counts as unknown. */
    private static final int MAX_POLLS = 3000;

    private static final String PENDING = "pending";

    /** Returns the status of a copy. A response without the header means that the copy is finished. */
    private static final CloudRequest.ResponseHandler<String> STATUS = response ->
            Optional.of(response.headers().firstValue("x-ms-copy-status").orElse("success"));

    AzureBulkOperations(CloudWrites changes, AzureOrigin origin, long partSize) {
        this(changes, origin, partSize, new RangeCopySupport());
    }

    @Override
    public long largestPut() {
        return 2 * partSize;
    }

    @Override
    public CompletableFuture<WriteResult> putLarge(String key, Bytes bytes, Condition condition, WriteIds ids) {
        return putMoved(key, PutBody.of(bytes), condition, ids);
    }

    /** Returns true even if the server copies no ranges: then the store reads the ranges and sends them. */
    @Override
    public boolean copiesRanges() {
        return true;
    }

    @Override
    public CompletableFuture<WriteResult> putMoved(String key, PutBody body, Condition condition, WriteIds ids) {
        return new BlockUpload(changes, origin, partSize, support).put(key, body, condition, ids);
    }

    private <T> CompletableFuture<T> send(CloudRequest<T> task) {
        return new RetriedOperation<>(changes.context(), task).start();
    }

    @Override
    public CompletableFuture<ListingPage> requestPage(String prefix, boolean deep, @Nullable String continuation) {
        Map<String, String> query =
                new TreeMap<>(Map.of("restype", "container", "comp", "list", "prefix", prefix, "maxresults", "5000"));
        if (!deep) {
            query.put("delimiter", "/");
        }
        if (continuation != null) {
            query.put("marker", continuation);
        }
        return send(new CloudRequest<>(
                origin,
                "LIST of \"" + prefix + "\" in " + origin.describe(),
                () -> Request.get(origin.container(query), Map.of()),
                ListingPage.LARGEST,
                (Response response) ->
                        XmlElement.parse(response.body().toArray()).flatMap(AzureBulkOperations::page)));
    }

    /**
     * Reads a page of a listing; empty if the document is something else. Leaves out the folders of Azure Data Lake.
     */
    private static Optional<ListingPage> page(XmlElement root) {
        Optional<XmlElement> blobs = root.all("Blobs").findFirst();
        if (!root.name().equals("EnumerationResults") || blobs.isEmpty()) {
            return Optional.empty();
        }
        List<ListingPage.Named> objects = blobs.get()
                .all("Blob")
                .flatMap(blob -> blob.all("Properties")
                        .filter(p -> !p.text("ResourceType").equals("directory"))
                        .map(p -> named(blob.text("Name"), p)))
                .toList();
        List<String> prefixes =
                blobs.get().all("BlobPrefix").map(p -> p.text("Name")).toList();
        String next = root.text("NextMarker");
        return Optional.of(new ListingPage(objects, prefixes, next.isEmpty() ? null : next));
    }

    private static ListingPage.Named named(String name, XmlElement properties) {
        String tag = properties.text("Etag").replace("\"", "");
        return new ListingPage.Named(
                name,
                ListingPage.size(properties.text("Content-Length")),
                tag.isEmpty() ? Optional.empty() : Optional.of("s:\"" + tag + "\""));
    }

    @Override
    public CompletableFuture<?> delete(List<String> names) {
        return changes.deleteAll(names);
    }

    @Override
    public boolean copy(String sourceKey, String targetKey, Durability durability) {
        String source = origin.authorization()
                .authorized(origin.blob(origin.location().nameOf(sourceKey), Map.of()))
                .toString();
        String target = origin.location().nameOf(targetKey);
        String operation = "copy of " + sourceKey + " to " + targetKey + " in " + origin.describe();
        CompletableFuture<String> copied = new CompletableFuture<>();
        send(new CloudRequest<>(
                        origin,
                        operation,
                        () -> new Request(
                                "PUT", origin.blob(target, Map.of()), Map.of("x-ms-copy-source", source), Payload.NONE),
                        CloudRequest.SMALL,
                        new AbsentHandler<>(STATUS, "")))
                .whenComplete(new StatusHandler(operation, target, MAX_POLLS, copied));
        String status = PrefixDelete.awaitChange(copied, operation);
        // The status is empty if the source is absent.
        if (status.equals(PENDING)) {
            throw new UnknownOutcomeException(
                    operation + ": the server still copies",
                    new StoreException("expected the end of the copy within " + MAX_POLLS * PAUSE_MILLIS + " ms"));
        } else if (!status.isEmpty() && !status.equals("success")) {
            throw new StoreException(
                    operation + ": the server's status of the copy is " + ErrorResponse.plain(status, List.of()));
        }
        return !status.isEmpty();
    }

    /**
     * Receives the status of a copy, and requests it again while the server copies. Completes {@code copied} with the
     * last status.
     */
    private final class StatusHandler implements BiConsumer<String, Throwable> {
        private final String operation;
        private final String target;
        private final int remainingPolls;
        private final CompletableFuture<String> copied;

        StatusHandler(String operation, String target, int remainingPolls, CompletableFuture<String> copied) {
            this.operation = operation;
            this.target = target;
            this.remainingPolls = remainingPolls;
            this.copied = copied;
        }

        @Override
        public void accept(String status, @Nullable Throwable thrown) {
            if (thrown != null) {
                Completions.fail(copied, CancellableFutures.cause(thrown));
            } else if (!status.equals(PENDING) || remainingPolls == 0) {
                Completions.complete(copied, status);
            } else {
                CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(this::requestStatus);
            }
        }

        private void requestStatus() {
            try {
                send(new CloudRequest<>(origin, operation, () -> origin.stat(target), CloudRequest.SMALL, STATUS))
                        .whenComplete(new StatusHandler(operation, target, remainingPolls - 1, copied));
            } catch (RuntimeException | Error e) {
                Completions.fail(copied, e);
            }
        }
    }
}
