package dev.shardkit.store;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.RemoteAdapter;
import dev.shardkit.testkit.store.WriteOnceContract;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Append-only views of files and memory, and of a store with and without conditional puts. */
class WriteOnceStoreTest {
    @TempDir
    Path dir;

    @Nested
    class Files extends WriteOnceContract {
        @Override
        protected Store freshStore() {
            return WriteOnceStore.over(FileStore.at(dir));
        }
    }

    @Nested
    class Memory extends WriteOnceContract {
        @Override
        protected Store freshStore() {
            return WriteOnceStore.over(MemoryStore.create());
        }
    }

    @Nested
    class Remote extends WriteOnceContract {
        @Override
        protected Store freshStore() {
            return WriteOnceStore.over(RemoteAdapter.of(MemoryStore.conditional("remote")));
        }
    }

    @Test
    void readOnlyStore_isRefused() {
        Store reads = new ForwardingStore(MemoryStore.create()) {
            @Override
            public <A extends Ability> Optional<A> find(Class<A> ability) {
                return Optional.empty();
            }
        };
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> WriteOnceStore.over(reads));
        assertTrue(e.getMessage().contains("a write-once store needs this"), e::getMessage);
    }
}
