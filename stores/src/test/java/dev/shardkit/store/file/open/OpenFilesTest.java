package dev.shardkit.store.file.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.file.Descriptors;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.file.Texts;
import dev.shardkit.store.file.disk.FileState;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {
    @TempDir
    Path root;

    private FileStore store;

    @BeforeEach
    void open() {
        store = FileStore.at(root);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void put(String key, String value) {
        store.put(key, Texts.content(value), Durability.ATOMIC);
    }

    private String get(String key) throws IOException {
        Optional<ObjectSnapshot> found = store.open(key);
        if (found.isEmpty()) {
            return "absent";
        }
        try (ObjectSnapshot s = found.get()) {
            return Texts.read(s);
        }
    }

    @Test
    void whatOthersReplace_isSeenAtTheNextOpen() throws IOException {
        put("a", "old");
        assertEquals("old", get("a"));
        Path other = Files.writeString(root.resolve("other"), "new");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(root.resolve("a"))); // same size, same time
        Files.move(other, root.resolve("a"), StandardCopyOption.ATOMIC_MOVE);
        assertEquals("new", get("a"));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void whatOthersDelete_isAbsent_andItsSpaceIsFreedByThat() throws IOException {
        put("a", "old");
        assertEquals("old", get("a"));
        Files.delete(root.resolve("a"));
        assertEquals("absent", get("a"));
        assertEquals(0, Descriptors.below(root));
    }

    @Test
    void aLinkInTheMiddleThatLeadsElsewhere_isFollowedAnew() throws IOException {
        put("one/a", "one");
        put("two/a", "two");
        Path link = LinksAndPipes.link(root.resolve("link"), Path.of("one"));
        assertEquals("one", get("link/a"));
        Files.delete(link);
        LinksAndPipes.link(link, Path.of("two"));
        assertEquals("two", get("link/a"));
    }

    @Test
    void aFileThatBecomesADirectory_isAbsent() throws IOException {
        put("a", "old");
        assertEquals("old", get("a"));
        Files.delete(root.resolve("a"));
        Files.createDirectory(root.resolve("a"));
        assertEquals("absent", get("a"));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "readers of the old file are closed before it is replaced")
    void whoHasItOpen_goesOnReadingWhatItWas_alsoAfterItWasReplacedDeletedAndTheStoreClosed() throws IOException {
        put("a", "old");
        ObjectSnapshot first = store.open("a").orElseThrow();
        ObjectSnapshot second = store.open("a").orElseThrow();
        put("a", "newer");
        assertEquals("old", Texts.read(first));
        first.close();
        first.close();
        assertEquals("old", Texts.read(second));
        assertEquals("newer", get("a"));
        store.delete("a");
        store.close();
        assertEquals("old", Texts.read(second));
        second.close();
        assertEquals(0, Descriptors.below(root));
    }

    @Test
    void aChangeInPlace_isNoticedByThoseWhoHaveItOpen_andSeenByTheNext() throws IOException {
        Path file = Files.writeString(root.resolve("a"), "old");
        assertEquals("old", get("a"));
        ObjectSnapshot before = store.open("a").orElseThrow();
        Files.writeString(file, "newer");
        assertThrows(ObjectChangedException.class, before::confirm);
        before.close();
        assertEquals("newer", get("a"));
    }

    @Test
    void aClosedSnapshot_readsNothing_thoughTheFileIsStillOpen() throws IOException {
        put("a", "old");
        ObjectSnapshot one = store.open("a").orElseThrow();
        one.close();
        assertThrows(ClosedChannelException.class, () -> Texts.read(one));
        assertEquals("old", get("a"));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void manyFiles_leaveFewOpen_andAClosedStoreNone() throws IOException {
        for (int i = 0; i < 300; i++) {
            put("c/" + i, "" + i);
        }
        for (int i = 0; i < 300; i++) {
            assertEquals("" + i, get("c/" + i));
        }
        long open = Descriptors.below(root);
        assertTrue(open <= 64, open + " files open");
        store.close();
        assertEquals(0, Descriptors.below(root));
        assertEquals("7", get("c/7"));
        assertEquals(0, Descriptors.below(root));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void theSameFile_isOpenOnce_forAllReaders() throws IOException {
        Path file = Files.writeString(root.resolve("a"), "old");
        AtomicInteger kept = new AtomicInteger();
        OpenFiles files = new OpenFiles(new LocalDiskCheck(root), Duration.ofSeconds(5), kept);
        ObjectSnapshot first = files.keep("a", file, FileSnapshot.open(file, FileState.of(file)));
        assumeTrue(kept.get() == 1, "a file system whose files are not kept open");
        for (int i = 0; i < 20; i++) {
            try (ObjectSnapshot s = files.find("a").orElseThrow()) {
                assertEquals("old", Texts.read(s));
            }
        }
        assertEquals(1, Descriptors.below(root));
        first.close();
        files.close();
        assertEquals(0, kept.get());
        assertEquals(0, Descriptors.below(root));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void deleteAll_letsGoOfWhatItDeletes() throws IOException {
        put("c/1", "one");
        assertEquals("one", get("c/1"));
        store.deleteAll("c");
        assertEquals("absent", get("c/1"));
        assertEquals(0, Descriptors.below(root));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void storesThatNobodyCloses_leaveFewOpenAmongThem() throws IOException {
        for (int i = 0; i < 60; i++) {
            put("c/" + i, "" + i);
        }
        List<FileStore> all = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            store = FileStore.at(root);
            all.add(store);
            for (int i = 0; i < 60; i++) {
                assertEquals("" + i, get("c/" + i));
            }
        }
        long open = Descriptors.below(root);
        all.forEach(FileStore::close);
        assertTrue(open <= 256, open + " files open");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void whatNobodyUses_isClosed_thoughNobodyComesAgain() throws Exception {
        Path file = Files.writeString(root.resolve("a"), "old");
        OpenFiles files = new OpenFiles(new LocalDiskCheck(root), Duration.ofMillis(20), new AtomicInteger());
        ObjectSnapshot lease = files.keep("a", file, FileSnapshot.open(file, FileState.of(file)));
        assertEquals("old", Texts.read(lease));
        lease.close();
        long deadline = System.nanoTime() + 120_000_000_000L;
        while (Descriptors.below(root) > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertEquals(0, Descriptors.below(root));
    }

    /** Under load, threads for the sweeps of many stores could not start as fast as the sweeps came. */
    @Test
    void sweepsOfManyStores_startNoThreads() throws Exception {
        int stores = 200;
        AtomicInteger kept = new AtomicInteger();
        long started = ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
        for (int i = 0; i < stores; i++) {
            Path file = Files.writeString(root.resolve("f" + i), "x");
            OpenFiles files = new OpenFiles(new LocalDiskCheck(root), Duration.ofMillis(20), kept);
            files.keep("f" + i, file, FileSnapshot.open(file, FileState.of(file)))
                    .close();
        }
        long deadline = System.nanoTime() + 120_000_000_000L;
        while (kept.get() > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertEquals(0, kept.get());
        long more = ManagementFactory.getThreadMXBean().getTotalStartedThreadCount() - started;
        assertTrue(more < stores / 2, more + " threads started for " + stores + " sweeps");
    }
}
