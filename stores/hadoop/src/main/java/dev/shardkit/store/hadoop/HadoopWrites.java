package dev.shardkit.store.hadoop;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;

/**
 * The puts and deletes of a {@link HadoopStore}. Thread-safe.
 *
 * @param names checks that the store is open, and returns the path of a key; empty if the key cannot be stored
 */
record HadoopWrites(
        BlockingCalls calls,
        FileSystemKind.Publishing publishing,
        HadoopBlockingWrites writes,
        FileTrees trees,
        Function<String, Optional<Path>> names)
        implements Writes, TreeDeletions, LeftoverCleanup {
    @Override
    public Set<Condition.Kind> honours() {
        return publishing.honours();
    }

    /** Writes content in memory on a thread of the store, other content on the caller's thread. */
    @Override
    public CompletionStage<WriteResult> put(String key, Content content, Condition condition, Durability durability) {
        checkKey(key);
        if (names.apply(key).isEmpty()) {
            throw new UnsupportedException("HDFS has no names with a colon, found the key \"" + key + "\"");
        } else if (!honours().contains(condition.kind())) {
            throw new UnsupportedException(
                    writes.location().inside(key) + ": conditions of kind " + condition.kind() + " are not supported");
        }
        Optional<Content> inMemory = inMemory(content);
        if (inMemory.isPresent()) {
            return calls.make(() -> writes.put(key, inMemory.get(), condition, durability));
        }
        try {
            return CompletableFuture.completedFuture(writes.put(key, content, condition, durability));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns the content as one piece of memory; empty if it is not in memory. */
    private static Optional<Content> inMemory(Content content) {
        return content.parts().map(parts -> {
            List<Bytes> pieces = new ArrayList<>();
            for (Content.Part part : parts) {
                if (!(part instanceof Content.Part.Literal literal)) {
                    throw new UnsupportedException("the store does not copy ranges of objects");
                }
                pieces.add(literal.bytes());
            }
            List<String> replaced = new ArrayList<>();
            content.replaced(replaced::add);
            return Content.inPlaceOf(replaced::forEach, Content.of(Bytes.concat(pieces)));
        });
    }

    @Override
    public CompletionStage<WriteResult> delete(String key, Condition condition) {
        checkKey(key);
        if (condition.kind() != Condition.Kind.ANY) {
            throw new UnsupportedException(
                    writes.location().inside(key) + ": deletes under a condition are not supported");
        }
        return names.apply(key).isPresent()
                ? calls.make(() -> writes.delete(key))
                : CompletableFuture.completedFuture(WriteResult.NOTHING);
    }

    private static void checkKey(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("not a key: \"\"");
        }
    }

    @Override
    public void deleteAll(String prefix) {
        names.apply(prefix);
        trees.delete(prefix);
    }

    @Override
    public void reserved(String prefix, Consumer<String> consumer) {
        names.apply(prefix);
        trees.reserved(prefix, consumer);
    }

    @Override
    public void leftovers(String prefix, Consumer<Leftover> leftovers) {
        names.apply(prefix);
        trees.leftovers(prefix, leftovers);
    }

    @Override
    public boolean remove(Leftover leftover) {
        return trees.remove(leftover);
    }
}
