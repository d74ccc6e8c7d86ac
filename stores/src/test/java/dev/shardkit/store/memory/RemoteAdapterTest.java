package dev.shardkit.store.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.ConditionsContract;
import dev.shardkit.testkit.store.CopiesContract;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.LocksContract;
import dev.shardkit.testkit.store.RangeCopiesContract;
import dev.shardkit.testkit.store.RemoteAdapter;
import dev.shardkit.testkit.store.RemoteChangesContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.StoreContract;
import dev.shardkit.testkit.store.TreeDeletionsContract;
import dev.shardkit.testkit.store.WritesContract;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A remote store passes the suites of its abilities, with conditions as object stores have them, or with locks. */
class RemoteAdapterTest {
    @Nested
    class Reading extends RemoteChangesContract {
        private final MemoryStore behind = MemoryStore.conditional("remote");

        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(behind);
        }

        @Override
        protected void serve(String key, byte[] value) throws IOException {
            behind.put(key, Content.of(Bytes.of(value)), Durability.ATOMIC);
        }
    }

    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(MemoryStore.conditional("remote"));
        }
    }

    @Nested
    class Any extends StoreContract {
        private final MemoryStore behind = MemoryStore.conditional("remote");

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            MemoryContractsTest.storeOf(behind, objects);
            return reopened().orElseThrow();
        }

        @Override
        protected Optional<Store> reopened() {
            return Optional.of(RemoteAdapter.of(behind, task -> new Thread(task).start(), 16));
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(MemoryStore.conditional("remote"));
        }
    }

    @Nested
    class RangeCopies extends RangeCopiesContract {
        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(MemoryStore.conditional("remote")).copyingRanges();
        }
    }

    @Nested
    class WritingRanges extends WritesContract {
        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(MemoryStore.conditional("remote")).copyingRanges();
        }
    }

    @Nested
    class Locking extends LocksContract {
        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(MemoryStore.create()).keeping(Set.of(Locks.class));
        }
    }

    @Nested
    class Copying extends CopiesContract {
        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(MemoryStore.create()).keeping(Set.of(Copies.class));
        }
    }

    @Nested
    class DeletingTrees extends TreeDeletionsContract {
        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(MemoryStore.create()).keeping(Set.of(Locks.class));
        }
    }

    @Nested
    class Conditions extends ConditionsContract {
        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(MemoryStore.conditional("remote"));
        }
    }

    @Nested
    class Listing extends ListingsContract {
        @Override
        protected Store freshStore() {
            return RemoteAdapter.of(MemoryStore.conditional("remote"));
        }
    }

    @Test
    void lostAnswers_areUnknown_whetherTheWriteWasMadeOrNot() throws IOException {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.create());
        BlockingStore access = BlockingStore.to(remote);
        Content content = Content.of(Bytes.of(new byte[3]));
        remote.loseAnswers(key -> RemoteAdapter.Answer.LOST);
        assertInstanceOf(WriteResult.Unknown.class, access.put("made", content, Condition.ANY, Durability.ATOMIC));
        remote.loseAnswers(key -> RemoteAdapter.Answer.LOST_WITH_THE_REQUEST);
        assertInstanceOf(WriteResult.Unknown.class, access.put("not", content, Condition.ANY, Durability.ATOMIC));
        assertTrue(access.open("made").isPresent());
        assertFalse(access.open("not").isPresent());
        assertEquals(2, remote.writes());
        assertFalse(remote.can(Locks.class));
    }
}
