package dev.shardkit.store.cloud;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The requests for pages of a bucket's listings. */
@FunctionalInterface
public interface ListingRequests {
    /**
     * Requests one page.
     *
     * @param prefix the common prefix of the listed names
     * @param deep whether names that contain further slashes are listed, rather than their common prefixes
     * @param continuation the token of the previous page; null for the first page
     */
    CompletableFuture<ListingPage> requestPage(String prefix, boolean deep, @Nullable String continuation);
}
