package dev.shardkit.store.azure;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.cloud.Body;
import dev.shardkit.store.cloud.Bulk;
import dev.shardkit.store.cloud.Changes;
import dev.shardkit.store.cloud.Page;
import dev.shardkit.store.cloud.Refusal;
import dev.shardkit.store.cloud.Task;
import dev.shardkit.store.cloud.Tree;
import dev.shardkit.store.cloud.UnlessAbsent;
import dev.shardkit.store.cloud.WriteIds;
import dev.shardkit.store.cloud.Xml;
import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Outcome.Told;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Listings, deletions, copies and large blobs of a container.
 *
 * @param changes sends changes
 * @param origin the container
 * @param partSize the maximum size of the blocks of large blobs, in bytes
 * @param support whether the server copies ranges
 */
record Blobs(Changes changes, AzureOrigin origin, long partSize, CopySupport support) implements Bulk, Copies {
    /** The pause between two looks at a copy that is not done yet. Copies inside an account usually are. */
    private static final int PAUSE_MILLIS = 200;

    private static final int MOST_LOOKS = 3000;

    Blobs(Changes changes, AzureOrigin origin, long partSize) {
        this(changes, origin, partSize, new CopySupport());
    }

    @Override
    public long largestPut() {
        return 2 * partSize;
    }

    @Override
    public CompletableFuture<Outcome> putLarge(String key, Bytes bytes, Condition condition, WriteIds ids) {
        return putMoved(key, Body.of(bytes), condition, ids);
    }

    /** Also if the server does not: then the store reads the ranges and sends them. */
    @Override
    public boolean copiesRanges() {
        return true;
    }

    @Override
    public CompletableFuture<Outcome> putMoved(String key, Body body, Condition condition, WriteIds ids) {
        return new Blocks(changes, origin, partSize, support).put(key, body, condition, ids);
    }

    private <T> CompletableFuture<T> send(Task<T> task) {
        return new Errand<>(changes.common(), task).start();
    }

    @Override
    public CompletableFuture<Page> ask(String before, boolean deep, @Nullable String from) {
        Map<String, String> query =
                new TreeMap<>(Map.of("restype", "container", "comp", "list", "prefix", before, "maxresults", "5000"));
        if (!deep) {
            query.put("delimiter", "/");
        }
        if (from != null) {
            query.put("marker", from);
        }
        return send(new Task<>(
                origin,
                "LIST of \"" + before + "\" in " + origin.describe(),
                () -> Request.get(origin.container(query), Map.of()),
                Page.LARGEST,
                (Told told) -> Xml.parse(told.body().toArray()).flatMap(Blobs::page)));
    }

    private static Optional<Page> page(Xml root) {
        Optional<Xml> blobs = root.all("Blobs").findFirst();
        if (!root.name().equals("EnumerationResults") || blobs.isEmpty()) {
            return Optional.empty();
        }
        List<Page.Named> objects = blobs.get()
                .all("Blob")
                .flatMap(blob -> blob.all("Properties")
                        .filter(p -> !p.text("ResourceType").equals("directory"))
                        .map(p -> named(blob.text("Name"), p)))
                .toList();
        List<String> prefixes =
                blobs.get().all("BlobPrefix").map(p -> p.text("Name")).toList();
        String next = root.text("NextMarker");
        return Optional.of(new Page(objects, prefixes, next.isEmpty() ? null : next));
    }

    private static Page.Named named(String name, Xml properties) {
        String tag = properties.text("Etag").replace("\"", "");
        return new Page.Named(
                name,
                Page.size(properties.text("Content-Length")),
                tag.isEmpty() ? Optional.empty() : Optional.of("s:\"" + tag + "\""));
    }

    @Override
    public CompletableFuture<?> delete(List<String> names) {
        return changes.deleteAll(names);
    }

    @Override
    public boolean copy(String from, String to, Durability durability) {
        String source = origin.authorization()
                .authorized(origin.blob(origin.place().nameOf(from), Map.of()))
                .toString();
        String target = origin.place().nameOf(to);
        String what = "copy of " + from + " to " + to + " in " + origin.describe();
        Task.Meaning<String> status = told ->
                Optional.of(told.headers().firstValue("x-ms-copy-status").orElse("success"));
        String now = Tree.await(
                send(new Task<>(
                        origin,
                        what,
                        () -> new Request(
                                "PUT", origin.blob(target, Map.of()), Map.of("x-ms-copy-source", source), Payload.NONE),
                        Task.SMALL,
                        new UnlessAbsent<>(status, ""))),
                what);
        for (int i = 0; now.equals("pending") && i < MOST_LOOKS; i++) {
            pause(what);
            now = Tree.await(send(new Task<>(origin, what, () -> origin.stat(target), Task.SMALL, status)), what);
        }
        if (!now.isEmpty() && !now.equals("success")) {
            throw new StoreException(what + ": the server's status of the copy is " + Refusal.plain(now, List.of()));
        }
        return !now.isEmpty();
    }

    private static void pause(String what) {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted during the " + what, e);
        }
    }
}
