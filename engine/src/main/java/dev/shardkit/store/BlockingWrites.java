package dev.shardkit.store;

import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@link Writes} of a store whose calls block: files, memory. The engine makes such calls on threads that may wait.
 * Thread-safe.
 */
public interface BlockingWrites extends Writes {
    /** Does the same as {@link #put}, but blocks. Any failure is an {@link IOException}. */
    WriteResult putNow(String key, Content content, Condition condition, Durability durability) throws IOException;

    /** Does the same as {@link #delete}, but blocks. */
    WriteResult deleteNow(String key, Condition condition) throws IOException;

    @Override
    default CompletionStage<WriteResult> put(String key, Content content, Condition condition, Durability durability) {
        try {
            return CompletableFuture.completedFuture(putNow(key, content, condition, durability));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    default CompletionStage<WriteResult> delete(String key, Condition condition) {
        try {
            return CompletableFuture.completedFuture(deleteNow(key, condition));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
