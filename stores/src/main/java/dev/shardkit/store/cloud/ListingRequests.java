package dev.shardkit.store.cloud;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks for pages of listings. */
@FunctionalInterface
public interface ListingRequests {
    /**
     * Asks for a page.
     *
     * @param prefix what all names begin with
     * @param deep whether names that contain further slashes are listed, rather than their common prefixes
     * @param continuation where an earlier page ended
     */
    CompletableFuture<ListingPage> requestPage(String prefix, boolean deep, @Nullable String continuation);
}
