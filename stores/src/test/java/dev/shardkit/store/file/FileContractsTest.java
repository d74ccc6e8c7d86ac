package dev.shardkit.store.file;

import dev.shardkit.store.Store;
import dev.shardkit.testkit.store.CopiesContract;
import dev.shardkit.testkit.store.DeviceSyncContract;
import dev.shardkit.testkit.store.LeftoverCleanupContract;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.LocalReadsContract;
import dev.shardkit.testkit.store.LocksContract;
import dev.shardkit.testkit.store.MovesContract;
import dev.shardkit.testkit.store.NameChecksContract;
import dev.shardkit.testkit.store.ObjectLocationsContract;
import dev.shardkit.testkit.store.OwnedPatchesContract;
import dev.shardkit.testkit.store.PatchesContract;
import dev.shardkit.testkit.store.StagedPutsContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.StoreContract;
import dev.shardkit.testkit.store.TreeDeletionsContract;
import dev.shardkit.testkit.store.WritesContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** A suite for each ability of a store of files. */
class FileContractsTest {
    @TempDir
    Path dir;

    private FileStore opened() {
        return FileStore.at(dir.resolve("root"));
    }

    private Store storeOf(Map<String, byte[]> objects) throws IOException {
        write(dir.resolve("root"), objects);
        return opened();
    }

    private static void write(Path root, Map<String, byte[]> objects) throws IOException {
        for (Map.Entry<String, byte[]> object : objects.entrySet()) {
            Path file = root.resolve(object.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, object.getValue());
        }
    }

    @Nested
    class Any extends StoreContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            return FileContractsTest.this.storeOf(objects);
        }

        @Override
        protected Optional<Store> reopened() {
            return Optional.of(opened());
        }
    }

    @Nested
    class Reading extends LocalReadsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            Path root = Files.createTempDirectory(dir, "read");
            write(root, objects);
            return FileStore.at(root);
        }
    }

    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() {
            return opened();
        }

        @Override
        protected List<String> unusualKeys() {
            boolean ignoresCase = TestDisk.ignoresCase(dir);
            return super.unusualKeys().stream()
                    .filter(key -> !ignoresCase || !key.startsWith("A"))
                    .filter(key -> Arrays.stream(key.split("/")).allMatch(name -> TestDisk.holds(dir, name)))
                    .toList();
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        @Override
        protected Store freshStore() {
            return opened();
        }

        @Override
        protected Store anotherOf(Store store) {
            return opened();
        }
    }

    @Nested
    class Listing extends ListingsContract {
        @Override
        protected Store freshStore() {
            return opened();
        }

        @Override
        protected List<String> unusualNames() {
            return super.unusualNames().stream()
                    .filter(name -> TestDisk.holds(dir, name))
                    .toList();
        }
    }

    @Nested
    class Locking extends LocksContract {
        @Override
        protected Store freshStore() {
            return opened();
        }

        @Override
        protected Store anotherOf(Store store) {
            return opened();
        }
    }

    @Nested
    class Patching extends PatchesContract {
        @Override
        protected Store freshStore() {
            return TestDisk.assumePatches(opened());
        }
    }

    @Nested
    class Owning extends OwnedPatchesContract {
        @Override
        protected Store freshStore() {
            return TestDisk.assumePatches(opened());
        }
    }

    @Nested
    class Copying extends CopiesContract {
        @Override
        protected Store freshStore() {
            return opened();
        }
    }

    @Nested
    class Moving extends MovesContract {
        @Override
        protected Store freshStore() {
            return opened();
        }

        @Override
        protected Store secondStore() {
            return FileStore.at(dir.resolve("second"));
        }
    }

    @Nested
    class Forcing extends DeviceSyncContract {
        @Override
        protected Store freshStore() {
            return opened();
        }
    }

    @Nested
    class Staging extends StagedPutsContract {
        @Override
        protected Store freshStore() {
            return opened();
        }
    }

    @Nested
    class DeletingTrees extends TreeDeletionsContract {
        @Override
        protected Store freshStore() {
            return opened();
        }

        @Override
        protected List<String> keysBeside() {
            boolean ignoresCase = TestDisk.ignoresCase(dir);
            return super.keysBeside().stream()
                    .filter(key -> !ignoresCase || !key.startsWith("A"))
                    .toList();
        }
    }

    @Nested
    class CleaningUp extends LeftoverCleanupContract {
        @Override
        protected Store freshStore() {
            return opened();
        }

        @Override
        protected void leaveTemporary(Store store, String prefix, int bytes) throws IOException {
            Path folder = Files.createDirectories(((FileStore) store).root().resolve(prefix));
            Path file = Files.write(folder.resolve("__shardkit-tmp-" + UUID.randomUUID()), new byte[bytes]);
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        }
    }

    @Nested
    class Locating extends ObjectLocationsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            return FileContractsTest.this.storeOf(objects);
        }
    }

    @Nested
    class Checking extends NameChecksContract {
        @Override
        protected Store freshStore() {
            return opened();
        }
    }
}
