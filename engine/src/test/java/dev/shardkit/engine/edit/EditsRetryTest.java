package dev.shardkit.engine.edit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.engine.run.LocalStore;
import dev.shardkit.engine.run.Runs;
import dev.shardkit.engine.run.ValueCache;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Patches;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer beside whom somebody changes the object without its lock. */
@Timeout(180)
class EditsRetryTest {
    private final LocalStore store = new LocalStore();
    private final List<Integer> changed = new ArrayList<>();
    private int plans;

    private static Edit.Patch appending(long oldSize, String text) {
        return new Edit.Patch(
                oldSize,
                List.of(new Piece.Literal(Bytes.of(text.getBytes()))),
                List.of(),
                Edit.Recovery.LAST_INDEX,
                Strategy.APPEND,
                Optional.empty());
    }

    /** What it has read may be of two states; it holds one snapshot, so only opening the object anew can help. */
    @Test
    void objectThatIsPatchedWhileItIsRead_isOpenedAnew_atOnce() throws IOException {
        store.abilities = Set.of(Writes.class, Locks.class, Patches.class);
        store.with("k", "a".getBytes());
        StoreListener listener = new StoreListener() {
            @Override
            public void onChanged(String key, int attempt) {
                changed.add(attempt);
            }
        };
        WriteContext context = new WriteContext(
                store,
                "",
                Runs.context(store, new ValueCache(1000), listener),
                ShardWritePolicy.defaults().withStrategy(Strategy.APPEND),
                Durability.ATOMIC,
                WriteContext.Locking.AS_THE_STORE_CAN,
                Duration.ofMinutes(1));
        new ObjectEdits(Runs.engine(2))
                .change(
                        "k",
                        policy -> Runs.text(Source.stored("k"), ByteRange.whole())
                                .map(old -> {
                                    plans++;
                                    if (plans == 1) {
                                        patchWithoutLock(old.length());
                                    }
                                    return appending(old.length(), "c");
                                }),
                        context);
        try (var now = store.open("k").orElseThrow()) {
            var bytes = java.nio.ByteBuffer.allocate((int) now.size());
            now.read(0, bytes);
            assertArrayEquals("abc".getBytes(), bytes.array());
        }
        assertEquals(List.of(1), changed);
        assertEquals(2, plans);
    }

    private void patchWithoutLock(long size) {
        try {
            store.patch("", "k", appending(size, "b"), Durability.ATOMIC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
