package dev.shardkit.store.cloud;

import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.OwnNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lists objects of a bucket, one page after the other. Used by one thread at a time. */
public final class CloudListing implements Listings.Names {
    private final ListingRequests pages;
    private final String listPrefix;
    private final boolean deep;
    private final Consumer<Entry> objects;

    /** The continuation token for the next page; null before the first page and after the last one. */
    private @Nullable String next;

    private boolean ended;
    /** The prefixes of the previous page; some servers repeat them on the next one. */
    private Set<String> reportedPrefixes = Set.of();

    private volatile CompletableFuture<?> running = CompletableFuture.completedFuture("");

    /**
     * Lists names that begin with {@code listPrefix}, which is empty or ends with a slash.
     *
     * @param objects receives each object when its page arrives
     */
    public CloudListing(ListingRequests pages, String listPrefix, Listings.Depth depth, Consumer<Entry> objects) {
        this.pages = pages;
        this.listPrefix = listPrefix;
        this.deep = depth == Listings.Depth.ALL;
        this.objects = objects;
    }

    @Override
    public CompletionStage<List<Entry>> next() {
        if (ended) {
            return CompletableFuture.completedFuture(List.of());
        }
        CompletableFuture<List<Entry>> batch =
                CancellableFutures.compose(pages.requestPage(listPrefix, deep, next), page -> {
                    List<Entry> entries = entries(page);
                    next = page.next();
                    ended = next == null;
                    // An empty list would mean the end of the listing, so a page without entries is skipped.
                    return entries.isEmpty() && !ended
                            ? next().toCompletableFuture()
                            : CompletableFuture.completedFuture(entries);
                });
        running = batch;
        return batch;
    }

    private List<Entry> entries(ListingPage page) {
        List<Entry> entries = new ArrayList<>();
        for (ListingPage.Named object : page.objects()) {
            // A server may send a name that is shorter than the prefix. The rest is then empty, which is not a key.
            String name = object.name()
                    .substring(Math.min(listPrefix.length(), object.name().length()));
            if (isKey(name)) {
                Entry entry = new Entry(name, Entry.Kind.OBJECT, object.size(), object.version());
                objects.accept(entry);
                entries.add(entry);
            }
        }
        for (String prefix : page.prefixes()) {
            String name = prefix.substring(listPrefix.length(), prefix.length() - 1);
            if (isKey(name) && !reportedPrefixes.contains(prefix)) {
                entries.add(new Entry(name, Entry.Kind.PREFIX));
            }
        }
        reportedPrefixes = Set.copyOf(page.prefixes());
        return entries;
    }

    /** Returns whether a name can be a key: folder markers of web consoles and shardkit's own names cannot. */
    private static boolean isKey(String name) {
        return Arrays.stream(name.split("/", -1))
                .noneMatch(element -> element.isEmpty()
                        || OwnNames.isOwn(element)
                        || element.chars().allMatch(c -> c == '.'));
    }

    @Override
    public void close() {
        running.cancel(true);
    }
}
