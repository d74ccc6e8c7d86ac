package dev.shardkit.store.zip;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.objects.LocalFetches;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The archive as an object of another store. */
@FunctionalInterface
interface StoredArchive {
    /** Reads a range, of the version {@code pin} if one is given. */
    CompletableFuture<FetchResult> fetch(ByteRange range, Optional<String> pin);

    /** Returns an open snapshot as an archive. Its reads block and are complete when {@link #fetch} returns. */
    static StoredArchive of(ObjectSnapshot archive) {
        return (range, pin) -> {
            try {
                return CompletableFuture.completedFuture(LocalFetches.read(archive, range));
            } catch (IOException | RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        };
    }
}
