package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.StagedPuts;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTest {
    @TempDir
    Path dir;

    static void put(FileStore store, String key, String text) throws IOException {
        store.put(key, Texts.content(text), Durability.ATOMIC);
    }

    /** Files in a folder that may not be searched are there all the same. Root may search each folder. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "permissions are those of POSIX")
    void objectThatCannotBeLookedAt_isNotMissing() throws IOException {
        FileStore store = FileStore.at(dir);
        put(store, "c/0", "text");
        Path folder = dir.resolve("c");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rw-r--r--"));
        try {
            assumeFalse(Files.isExecutable(folder), "root");
            assertThrows(StoreException.class, () -> store.open("c/0"));
            assertThrows(StoreException.class, () -> store.version("c/0"));
        } finally {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        assertEquals("text", get(store, "c/0"));
    }

    static String get(FileStore store, String key) throws IOException {
        try (ObjectSnapshot snapshot = store.open(key).orElseThrow()) {
            return Texts.read(snapshot);
        }
    }

    /** All files below the test's directory, with "/" between names. */
    private Set<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(dir)) {
            return new TreeSet<>(all.filter(Files::isRegularFile)
                    .map(p -> dir.relativize(p).toString().replace(File.separatorChar, '/'))
                    .toList());
        }
    }

    @Test
    void put_leavesOnlyTheObject() throws IOException {
        FileStore store = FileStore.at(dir);
        for (Durability durability : Durability.values()) {
            store.put("a/c/0", Texts.content("x"), durability);
        }
        assertEquals(Set.of("a/c/0"), files());
        assertThrows(StoreException.class, () -> store.put("a/c/1", Texts.content("x", 2), Durability.FORCED));
        assertEquals(Set.of("a/c/0"), files());
    }

    @Test
    void put_overADirectory_isRefused() throws IOException {
        FileStore store = FileStore.at(dir);
        put(store, "a/b", "x");
        assertThrows(StoreException.class, () -> put(store, "a", "y"));
        Files.createDirectory(dir.resolve("empty"));
        assertThrows(StoreException.class, () -> put(store, "empty", "y"));
        assertThrows(StoreException.class, () -> put(store, "a/b/c", "y"), "below an object");
        assertEquals(Set.of("a/b"), files());
    }

    @Test
    void put_interruptedThread_changesNothing() throws IOException {
        FileStore store = FileStore.at(dir);
        put(store, "k", "old");
        Thread.currentThread().interrupt();
        assertThrows(StoreException.class, () -> put(store, "k", "new"));
        assertTrue(Thread.interrupted());
        assertEquals("old", get(store, "k"));
        assertEquals(Set.of("k"), files());
    }

    @Test
    void put_removesStaleTemporaryFilesAndNoOthers() throws IOException {
        Path stale = Files.writeString(dir.resolve("__shardkit-tmp-1"), "x");
        Path fresh = Files.writeString(dir.resolve("__shardkit-tmp-2"), "x");
        Path foreign = Files.writeString(dir.resolve("__other"), "x");
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
        Files.setLastModifiedTime(stale, old);
        Files.setLastModifiedTime(foreign, old);
        FileStore store = FileStore.at(dir);
        put(store, "k", "x");
        assertFalse(Files.exists(stale));
        assertTrue(Files.exists(fresh));
        assertTrue(Files.exists(foreign));
        assertEquals(Set.of("__other", "k"), Texts.names(store, ""));
    }

    @Test
    void open_rewrittenInPlace_isAnotherVersion() throws IOException {
        FileStore store = TestDisk.assumePatches(FileStore.at(dir)); // which needs times of microseconds
        put(store, "k", "one");
        Set<String> versions = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            Files.writeString(dir.resolve("k"), "two");
            Files.setLastModifiedTime(dir.resolve("k"), FileTime.from(Instant.ofEpochSecond(1_000_000_000, 1000 * i)));
            try (ObjectSnapshot snapshot = store.open("k").orElseThrow()) {
                versions.add(snapshot.version());
            }
        }
        assertEquals(3, versions.size());
    }

    @Test
    void read_fileTruncatedUnderneath_isAnIOException() throws IOException {
        FileStore store = FileStore.at(dir);
        put(store, "k", "0123456789");
        try (ObjectSnapshot snapshot = store.open("k").orElseThrow();
                FileChannel file = FileChannel.open(dir.resolve("k"), StandardOpenOption.WRITE)) {
            file.truncate(4);
            assertThrows(IOException.class, () -> snapshot.read(0, ByteBuffer.allocate(10)));
            StoreException e = assertThrows(
                    StoreException.class, () -> store.put("copy", new Texts.Moved(snapshot, 0, 10), Durability.ATOMIC));
            assertTrue(e.getMessage().contains("EOF"), e.getMessage());
        }
        assertEquals(Set.of("k"), files());
    }

    @Test
    void read_sparseFilePast4GiB_works() throws IOException {
        long far = (5L << 30) + 3;
        assumeTrue(dir.toFile().getUsableSpace() > far, "a disk may store all of it");
        try (FileChannel file = FileChannel.open(
                dir.resolve("big"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), far);
        }
        try (ObjectSnapshot snapshot = FileStore.at(dir).open("big").orElseThrow()) {
            assertEquals(far + 3, snapshot.size());
            ByteBuffer into = ByteBuffer.allocate(4);
            snapshot.read(far - 1, into);
            assertArrayEquals(new byte[] {0, 1, 2, 3}, into.array());
        }
    }

    @Test
    void read_otherVersionAfterAnInterrupt_isObjectChanged() throws Exception {
        FileStore store = FileStore.at(dir);
        put(store, "k", "one");
        try (ObjectSnapshot snapshot = store.open("k").orElseThrow()) {
            Thread interrupted = new Thread(() -> {
                Thread.currentThread().interrupt();
                assertThrows(StoreException.class, () -> snapshot.read(0, ByteBuffer.allocate(3)));
            });
            interrupted.start();
            interrupted.join();
            put(store, "k", "two");
            assertThrows(ObjectChangedException.class, () -> snapshot.read(0, ByteBuffer.allocate(3)));
            store.delete("k");
            assertThrows(ObjectChangedException.class, () -> snapshot.read(0, ByteBuffer.allocate(3)));
        }
    }

    @Test
    void open_failure_isNeverAbsence() throws IOException {
        LinksAndPipes.link(dir.resolve("loop"), dir.resolve("loop"));
        FileStore store = FileStore.at(dir);
        assertThrows(StoreException.class, () -> store.open("loop"));
        assertThrows(StoreException.class, () -> store.open("loop/c/0"));
        assertThrows(StoreException.class, () -> store.open("x".repeat(5000)));
        assertThrows(StoreException.class, () -> store.list("loop", e -> {}));
        assertThrows(StoreException.class, () -> store.delete("x".repeat(5000)));
    }

    @Test
    void store_ofAMissingRoot_isEmptyUntilTheFirstPut() throws IOException {
        FileStore store = FileStore.at(dir.resolve("not/yet"));
        assertTrue(store.open("k").isEmpty());
        assertFalse(store.delete("k"));
        store.deleteAll("");
        store.deleteAll("a");
        assertEquals(Set.of(), Texts.names(store, ""));
        assertFalse(Files.exists(dir.resolve("not")));
        put(store, "k", "x");
        assertEquals("x", get(store, "k"));
    }

    @Test
    void keys_longerThanFilesMayBe_areRefusedBeforeAnythingIsMade() throws IOException {
        FileStore store = FileStore.at(dir.resolve("store"));
        boolean isWindows = File.separatorChar == '\\'; // whose paths may be eight times as long
        String deep = String.join("/", java.util.Collections.nCopies(isWindows ? 20_000 : 3000, "a"));
        String longPath = deep.substring(0, isWindows ? 32_699 : 3899) + "/k";
        String longName = "a/" + "n".repeat(256) + "/k"; // on Windows, all unusual names are refused by the key
        for (String key : isWindows ? List.of(deep, longPath) : List.of(deep, longPath, longName)) {
            StoreException e = assertThrows(StoreException.class, () -> put(store, key, "x"));
            assertTrue(
                    e.getMessage().contains("cannot be a file")
                            && e.getMessage().length() < 500,
                    e.getMessage());
            assertThrows(StoreException.class, () -> store.lock(key, key + "/c/0", java.time.Duration.ZERO));
            assertThrows(StoreException.class, () -> store.open(key));
        }
        assertFalse(Files.exists(dir.resolve("store")));
        String longest = "a/" + "n".repeat(255) + "/k";
        put(store, longest, "x");
        assertEquals("x", get(store, longest));
    }

    @Test
    void danglingLink_isNoAbsence() throws IOException {
        LinksAndPipes.link(dir.resolve("dangling"), dir.resolve("nothing"));
        LinksAndPipes.link(dir.resolve("loop"), dir.resolve("loop"));
        FileStore store = FileStore.at(dir);
        put(store, "k", "x");
        LinksAndPipes.link(dir.resolve("link"), dir.resolve("k"));
        java.util.List<Entry> entries = new java.util.ArrayList<>();
        store.list("", entries::add);
        assertEquals(
                Set.of(
                        new Entry("k", Entry.Kind.OBJECT, OptionalLong.of(1), Optional.empty()),
                        new Entry("link", Entry.Kind.OBJECT, OptionalLong.of(1), Optional.empty()),
                        new Entry("loop", Entry.Kind.OTHER),
                        new Entry("dangling", Entry.Kind.OTHER)),
                Set.copyOf(entries));
        for (String key : List.of("dangling", "dangling/below")) {
            StoreException e = assertThrows(StoreException.class, () -> store.open(key));
            assertTrue(
                    e.getMessage().contains("the symbolic link dangling")
                            && e.getMessage().endsWith("does not exist: " + dir.resolve("nothing")),
                    e.getMessage());
        }
        put(store, "dangling", "y");
        assertEquals("y", get(store, "dangling"));
    }

    @Test
    void factory_fileUri_opensIt() throws IOException {
        FileStoreFactory factory = new FileStoreFactory();
        put(FileStore.at(dir), "k", "x");
        assertEquals("x", get((FileStore) factory.open(dir.toUri()), "k"));
        assertEquals(
                "x",
                get((FileStore) factory.open(URI.create("file:" + dir.toUri().getRawPath())), "k"));
        URI local = URI.create("file://localhost" + dir.toUri().getRawPath());
        assertEquals("x", get((FileStore) factory.open(local), "k"));
        Path relative = Path.of("").toAbsolutePath().resolve("relative");
        assertEquals(relative, ((FileStore) factory.open(URI.create("file:relative"))).root());
        for (String uri : Set.of("memory:x", "file:http://x/y", "file:///x?y", "file:///x#y")) {
            assertThrows(IllegalArgumentException.class, () -> factory.open(URI.create(uri)), uri);
        }
        if (File.separatorChar == '/') { // on Windows, a host has shares
            URI share = URI.create("file://host/x");
            assertThrows(IllegalArgumentException.class, () -> factory.open(share));
        }
    }

    @Test
    void slot_ofAKey_neverChanges() {
        // Processes with other versions of this library must lock the same byte.
        assertEquals(KeyLockRanges.slot("c/0/1"), KeyLockRanges.slot("c/0/" + 1));
        Set<Long> slots = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            long slot = KeyLockRanges.slot("c/" + i / 300 + "/" + i % 300);
            assertTrue(slot >= 0 && slot < 1L << 62);
            assertTrue(slots.add(slot), "two keys of one array share a byte");
        }
    }

    /** Other processes remove temporary files that seem to be left over. */
    @Test
    void stagedFile_thatAnotherProcessHasRemoved_isStoredAllTheSame() throws IOException {
        FileStore store = FileStore.at(dir);
        try (StagedPuts.Staged staged = store.stage("a/k")) {
            staged.append(Bytes.of(new byte[] {1, 2, 3}));
            try (Stream<Path> files = Files.list(dir.resolve("a"))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            staged.append(Bytes.of(new byte[] {4}));
            staged.put(Content.of(Bytes.of(new byte[] {5})), Durability.ATOMIC);
            assertTrue(staged.isStored());
        }
        assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, Files.readAllBytes(dir.resolve("a/k")));
    }

    /** A removal that is killed must be recognized, so what shows it goes last. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "chattr makes files that cannot be removed")
    void deleteAll_removesSetAsideDocumentsLast() throws IOException {
        FileStore store = FileStore.at(dir);
        put(store, "a/zarr.json", "{}");
        put(store, "a/c/0/0", "chunk");
        Path chunk = dir.resolve("a/c/0/0");
        Files.delete(chunk);
        Files.createDirectories(chunk.resolve("full")); // stands in for a process that dies in the middle
        Path immortal = Files.createFile(chunk.resolve("full/file"));
        new ProcessBuilder("chattr", "+i", immortal.toString()).start().onExit().join();
        boolean isImmortal;
        try {
            store.deleteAll("a");
            isImmortal = false;
        } catch (StoreException e) {
            isImmortal = true;
        } finally {
            new ProcessBuilder("chattr", "-i", immortal.toString())
                    .start()
                    .onExit()
                    .join();
        }
        assumeTrue(isImmortal, "a disk or a user without immutable files");
        try (Stream<Path> left = Files.list(dir.resolve("a"))) {
            assertTrue(left.anyMatch(path -> path.getFileName().toString().startsWith("__shardkit-deleted-")));
        }
        store.deleteAll("a");
        assertTrue(Files.notExists(dir.resolve("a")));
    }
}
