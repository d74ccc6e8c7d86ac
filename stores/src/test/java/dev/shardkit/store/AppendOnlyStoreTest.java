package dev.shardkit.store;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.AppendOnlyContract;
import dev.shardkit.testkit.store.FarForm;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Append-only views of files and memory, and of a store with and without conditional puts. */
class AppendOnlyStoreTest {
    @TempDir
    Path dir;

    @Nested
    class Files extends AppendOnlyContract {
        @Override
        protected Store freshStore() {
            return AppendOnlyStore.over(FileStore.at(dir));
        }
    }

    @Nested
    class Memory extends AppendOnlyContract {
        @Override
        protected Store freshStore() {
            return AppendOnlyStore.over(MemoryStore.create());
        }
    }

    @Nested
    class Far extends AppendOnlyContract {
        @Override
        protected Store freshStore() {
            return AppendOnlyStore.over(FarForm.of(MemoryStore.conditional("far")));
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
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> AppendOnlyStore.over(reads));
        assertTrue(e.getMessage().contains("an append-only store needs this"), e::getMessage);
    }
}
