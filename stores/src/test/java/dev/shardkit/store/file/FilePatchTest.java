package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Patches.Recovered;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.UnfinishedChangeException;
import dev.shardkit.testkit.PatchesContract;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Patches of files, and every state that a killed process can leave one in. */
@Timeout(180)
class FilePatchTest {
    private static final byte[] OLD = bytes(1, 100);
    private static final byte[] NEW = patchedOld();

    @TempDir
    Path dir;

    private FileStore store;
    private Path file;
    private PatchPlace place;

    @Nested
    class JimfsContract extends PatchesContract {
        @Override
        protected Store freshStore() {
            return FileStore.at(Jimfs.newFileSystem(Configuration.unix()).getPath("data"));
        }
    }

    private static byte[] bytes(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Appends ten bytes and overwrites two places. */
    private static Edit.Patch patch() {
        return new Edit.Patch(
                100,
                List.of(new Piece.Literal(Bytes.of(bytes(2, 10)))),
                List.of(new Edit.Write(0, Bytes.of(bytes(3, 7))), new Edit.Write(90, Bytes.of(bytes(4, 10)))),
                Edit.Recovery.JOURNAL,
                WritePolicy.Strategy.IN_PLACE,
                Optional.empty());
    }

    private static byte[] patchedOld() {
        byte[] all = Arrays.copyOf(OLD, 110);
        System.arraycopy(bytes(2, 10), 0, all, 100, 10);
        System.arraycopy(bytes(3, 7), 0, all, 0, 7);
        System.arraycopy(bytes(4, 10), 0, all, 90, 10);
        return all;
    }

    @BeforeEach
    void makeFile() throws IOException {
        store = FileStore.at(dir);
        Files.createDirectories(dir.resolve("a/c"));
        file = dir.resolve("a/c/0").toAbsolutePath();
        Files.write(file, OLD);
        file = file.toRealPath();
        place = PatchPlace.of(file);
    }

    private Journal.Head head(Journal.Kind kind) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return new Journal.Head(kind, 100, 110, Recovery.identity(now), "0");
    }

    /** What the file was, for the journal. */
    private ByteBuffer before() throws IOException {
        try (FileChannel old = FileChannel.open(Files.write(dir.resolve("old"), OLD))) {
            return Before.bytes(old, patch());
        }
    }

    private int tail() throws IOException {
        try (FileChannel fresh = FileChannel.open(Files.write(dir.resolve("new"), NEW))) {
            return Recovery.tail(fresh, 100, 110);
        }
    }

    /** Leaves a journal as a killed process does: of {@code length} bytes, the whole of it if that is more. */
    private int leave(Journal.Head head, boolean redo, int length) throws IOException {
        Path path = place.next();
        int size;
        try (FileChannel out = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            Channels.write(out, head.bytes());
            Channels.write(out, before());
            if (redo) {
                Redo.write(out, patch().overwritten(), tail());
            }
            size = (int) out.size();
            out.truncate(Math.min(length, size));
        }
        return size;
    }

    private void assertRecovers(Recovered expected, byte[] content, String what) throws IOException {
        assertEquals(expected, store.recover("a", "a/c/0"), what);
        assertArrayEquals(content, Files.readAllBytes(file), what);
        assertEquals(List.of(), place.journals(), what + ": a journal is left");
        assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"), what);
    }

    @Test
    void recover_journalCutAnywhere_bringsTheOldContentOrTheNew() throws IOException {
        int head = leave(head(Journal.Kind.UNDO), false, 0);
        int whole = leave(head(Journal.Kind.UNDO), true, 0);
        place.clear();
        for (int length = 0; length <= whole; length++) {
            Files.write(file, length < head ? OLD : Arrays.copyOf(OLD, 105)); // a killed append, if it had begun
            byte[] expected = OLD;
            if (length == whole) {
                byte[] torn = NEW.clone();
                System.arraycopy(OLD, 93, torn, 93, 7);
                Files.write(file, torn);
                expected = NEW;
            }
            leave(head(Journal.Kind.UNDO), true, length);
            assertRecovers(length < head ? Recovered.NOTHING : Recovered.FROM_JOURNAL, expected, length + " bytes");
        }
    }

    @Test
    void recover_journalWithAnyWrongByte_neverTearsTheFile() throws IOException {
        int whole = leave(head(Journal.Kind.UNDO), true, Integer.MAX_VALUE);
        byte[] right = Files.readAllBytes(place.journals().get(0));
        place.clear();
        assertEquals(whole, right.length);
        for (int i = 0; i < whole; i++) {
            leave(head(Journal.Kind.UNDO), true, Integer.MAX_VALUE);
            byte[] wrong = right.clone();
            wrong[i] ^= (byte) (1 << i % 8);
            Files.write(place.journals().get(0), wrong);
            store.recover("a", "a/c/0");
            assertArrayEquals(OLD, Files.readAllBytes(file), "byte " + i);
            if (i < 4) {
                assertEquals(1, place.journals().size(), "no mark of ours");
                Files.delete(place.journals().get(0));
                place.leave();
            }
            assertFalse(Files.exists(place.own()), "byte " + i);
        }
    }

    @Test
    void recover_journalOfAnotherFile_isDropped() throws IOException {
        byte[] longer = bytes(9, 200);
        leave(head(Journal.Kind.UNDO), true, Integer.MAX_VALUE);
        Path other = Files.write(dir.resolve("other"), longer);
        Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertRecovers(Recovered.NOTHING, longer, "replaced");
        leave(head(Journal.Kind.UNDO), true, Integer.MAX_VALUE);
        Files.delete(file);
        assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"));
        assertFalse(Files.exists(place.own()));
    }

    /** As another program writes a file that it opens to write anew: the inode stays. */
    @Test
    void recover_journalOfAFileThatWasWrittenSince_isSetAside() throws IOException {
        Opening opening = new Opening(new Tree(dir, LinkPolicy.INSIDE_ROOT), 3);
        byte[] oneByte = NEW.clone();
        oneByte[0] ^= 1; // of what is overwritten
        byte[] outside = NEW.clone();
        outside[50] ^= 1; // of what is not overwritten
        byte[] appended = NEW.clone();
        appended[105] ^= 1;
        for (byte[] theirs : List.of(
                bytes(9, 99),
                bytes(9, 100),
                bytes(9, 105),
                bytes(9, 110),
                bytes(9, 200),
                oneByte,
                outside,
                Arrays.copyOf(outside, 105),
                appended)) {
            for (boolean redo : new boolean[] {true, false}) {
                leave(head(Journal.Kind.UNDO), redo, Integer.MAX_VALUE);
                Files.write(file, theirs);
                try (Snapshot read = opening.forReader(file, "a/c/0").orElseThrow()) {
                    assertEquals(theirs.length, read.size(), "who reads need not wait for somebody who writes");
                }
                assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"));
                assertArrayEquals(theirs, Files.readAllBytes(file));
                assertEquals(1, place.journals().size(), "it is kept");
                assertFalse(place.isUnderWay());
                assertEquals(List.of(Leftover.Kind.JOURNAL_SET_ASIDE), leftovers());
                try (Snapshot snapshot = store.open("a/c/0").orElseThrow()) {
                    assertEquals(theirs.length, snapshot.size());
                }
                store.put("a/c/0", Texts.content("anything"), Durability.ATOMIC);
                assertEquals(List.of(Leftover.Kind.JOURNAL_SET_ASIDE), leftovers());
                Files.delete(place.journals().get(0));
                place.leave();
                Files.write(file, OLD);
            }
        }
    }

    private List<Leftover.Kind> leftovers() {
        List<Leftover.Kind> kinds = new ArrayList<>();
        store.leftovers("", l -> kinds.add(l.kind()));
        return kinds;
    }

    @Test
    void recover_copyOfAFile_isEndedByItsContent() throws IOException {
        leave(head(Journal.Kind.UNDO), true, Integer.MAX_VALUE);
        byte[] torn = NEW.clone();
        System.arraycopy(OLD, 3, torn, 3, 4);
        Path copy = Files.write(dir.resolve("copy"), torn); // another inode, as cp and tar give it
        Files.move(copy, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertRecovers(Recovered.FROM_JOURNAL, NEW, "copied");
    }

    @Test
    void journalWithoutItsHead_isPassedByAndRemoved() throws IOException {
        int whole = leave(head(Journal.Kind.UNDO), false, Integer.MAX_VALUE);
        place.clear();
        for (int length = 0; length < whole; length++) {
            leave(head(Journal.Kind.UNDO), false, length);
            assertFalse(place.isUnderWay());
            assertEquals(List.of(Leftover.Kind.UNBEGUN_JOURNAL), leftovers());
            try (Snapshot snapshot = store.open("a/c/0").orElseThrow()) {
                assertEquals(100, snapshot.size());
            }
            assertRecovers(Recovered.NOTHING, OLD, length + " bytes");
        }
    }

    /** Each shape that a stranger's archive may give the store's own folder. */
    @Test
    void nothingIsReachedThroughALink_andForeignFilesStay() throws IOException {
        Path victims = Files.createDirectory(dir.resolve("victims"));
        Path inner = Files.createDirectories(victims.resolve("patches/0"));
        Path deep = Files.createDirectory(victims.resolve("0"));
        List<Path> files = new ArrayList<>();
        for (Path folder : List.of(victims, inner, deep)) {
            files.add(Files.createFile(folder.resolve(UUID.randomUUID().toString())));
            files.add(Files.write(
                    folder.resolve(UUID.randomUUID().toString()),
                    head(Journal.Kind.UNDO).bytes().array()));
            files.add(Files.writeString(folder.resolve("text"), "of the user"));
        }
        Path reserved = place.patches().getParent();
        List<Shape> shapes = List.of(
                () -> Files.createSymbolicLink(reserved, victims),
                () -> Files.createSymbolicLink(Files.createDirectory(reserved).resolve("patches"), victims),
                () -> Files.createSymbolicLink(
                        Files.createDirectories(place.patches()).resolve("0"), victims),
                () -> Files.createSymbolicLink(
                        Files.createDirectories(place.own()).resolve("x"), files.get(0)),
                () -> Files.createSymbolicLink(
                        Files.createDirectories(place.own())
                                .resolve(UUID.randomUUID().toString()),
                        files.get(1)),
                () -> Files.createDirectories(
                        place.own().resolve(UUID.randomUUID().toString())),
                () -> Files.createFile(Files.createDirectories(place.own()).resolve("empty")),
                () -> Files.writeString(Files.createDirectories(place.own()).resolve("text"), "text"),
                () -> Files.writeString(
                        Files.createDirectories(place.own())
                                .resolve(UUID.randomUUID().toString()),
                        "text"),
                () -> Files.createFile(Files.createDirectories(place.patches()).resolve("0")),
                () -> Files.createFile(Files.createDirectories(reserved).resolve("patches")),
                () -> Files.createFile(reserved));
        for (Shape shape : shapes) {
            Path made = shape.make();
            assertEquals(List.of(Leftover.Kind.FOREIGN), leftovers(), made.toString());
            try (Snapshot snapshot = store.open("a/c/0").orElseThrow()) {
                assertEquals(100, snapshot.size());
            }
            assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"));
            store.put("a/c/0", Texts.content("new"), Durability.FORCED);
            Files.write(file, OLD);
            try {
                store.patch("a", "a/c/0", patch(), Durability.FORCED);
                assertArrayEquals(NEW, Files.readAllBytes(file));
            } catch (UnsupportedException e) {
                assertArrayEquals(OLD, Files.readAllBytes(file)); // then the shard is rewritten
            }
            store.delete("a/c/0");
            store.close();
            assertTrue(Files.exists(made, LinkOption.NOFOLLOW_LINKS), made.toString());
            for (Path f : files) {
                assertTrue(Files.exists(f), f + " is gone by " + made);
            }
            store.deleteAll("a/c");
            for (Path f : files) {
                assertTrue(Files.exists(f), f + " is gone by " + made);
            }
            Files.createDirectories(file.getParent());
            Files.write(file, OLD);
        }
    }

    private interface Shape {
        Path make() throws IOException;
    }

    @Test
    void lock_neverFollowsALinkToAnotherFolder() throws IOException {
        Path victims = Files.createDirectory(dir.resolve("victims"));
        Path reserved = dir.resolve("a/__shardkit");
        Files.createSymbolicLink(reserved, victims);
        StoreException e = assertThrows(StoreException.class, () -> store.lock("a", "a/c/0", Duration.ofSeconds(1)));
        assertTrue(e.getMessage().contains("a/__shardkit"), e.getMessage());
        try (Stream<Path> left = Files.list(victims)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void putAndDelete_dropJournals() throws IOException {
        leave(head(Journal.Kind.UNDO), true, Integer.MAX_VALUE);
        store.put("a/c/0", Texts.content("new"), Durability.ATOMIC);
        assertFalse(Files.exists(place.own()));
        leave(head(Journal.Kind.UNDO), true, Integer.MAX_VALUE);
        store.delete("a/c/0");
        assertFalse(Files.exists(place.own()));
    }

    @Test
    void recover_appendWithALastIndex_isEndedByACut() throws IOException {
        leave(head(Journal.Kind.LAST_INDEX), false, Integer.MAX_VALUE);
        assertRecovers(Recovered.NOTHING, OLD, "not begun");
        leave(head(Journal.Kind.LAST_INDEX), false, Integer.MAX_VALUE);
        Files.write(file, Arrays.copyOf(OLD, 105));
        assertEquals(Recovered.CUT_SHORT, store.recover("a", "a/c/0"));
        assertEquals(Recovered.CUT_SHORT, store.recover("a", "a/c/0"), "until it is cut");
        try (Snapshot snapshot = store.openToChange("a/c/0").orElseThrow()) {
            assertEquals(105, snapshot.size());
        }
        assertThrows(StoreException.class, () -> store.patch("a", "a/c/0", patch(), Durability.ATOMIC));
        store.patch(
                "a",
                "a/c/0",
                new Edit.Patch(
                        100,
                        List.of(),
                        List.of(),
                        Edit.Recovery.LAST_INDEX,
                        WritePolicy.Strategy.APPEND,
                        Optional.empty()),
                Durability.FORCED);
        assertRecovers(Recovered.NOTHING, OLD, "cut");
    }

    @Test
    void reader_ofAPatchCutShort_isToldWhatToDo() throws IOException {
        leave(head(Journal.Kind.UNDO), true, Integer.MAX_VALUE);
        Opening opening = new Opening(new Tree(dir, LinkPolicy.INSIDE_ROOT), 3);
        UnfinishedChangeException e =
                assertThrows(UnfinishedChangeException.class, () -> opening.forReader(file, "a/c/0"));
        assertTrue(
                e.getMessage().contains("a/c/0")
                        && e.getMessage().contains("no progress in 3 looks")
                        && e.getMessage().contains("repair"),
                e.getMessage());
    }

    @Test
    void reader_ofAPatchUnderWay_waitsForItsEnd() throws Exception {
        OpenJournal journal = OpenJournal.begin(place, head(Journal.Kind.UNDO), before());
        Thread[] reader = new Thread[1];
        byte[][] found = new byte[1][];
        reader[0] = new Thread(() -> {
            try (Snapshot snapshot = store.open("a/c/0").orElseThrow()) {
                found[0] = Texts.read(snapshot).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        reader[0].start();
        Files.writeString(file, "new content");
        FileTimes.stamp(file, Files.getLastModifiedTime(file));
        journal.end(OpenJournal.Forcing.NO);
        reader[0].join();
        assertEquals("new content", new String(found[0], java.nio.charset.StandardCharsets.US_ASCII));
    }

    @Test
    void journalInUse_isNotTaken() throws IOException {
        try (OpenJournal journal = OpenJournal.begin(place, head(Journal.Kind.UNDO), before())) {
            assertThrows(StoreException.class, () -> store.recover("a", "a/c/0"));
            store.patch("a", "a/c/0", patch(), Durability.ATOMIC); // by another owner of the same file
            assertArrayEquals(NEW, Files.readAllBytes(file));
            journal.end(OpenJournal.Forcing.NO);
        }
        assertEquals(List.of(), place.journals());
        assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"));
    }

    @Test
    void interruptedPatch_isUndone() throws IOException {
        Thread.currentThread().interrupt();
        assertThrows(StoreException.class, () -> store.patch("a", "a/c/0", patch(), Durability.ATOMIC));
        assertTrue(Thread.interrupted());
        assertRecovers(Recovered.NOTHING, OLD, "interrupted");
    }

    @Test
    void coarseFileSystem_claimsNothing(@TempDir Path other) throws IOException {
        assertTrue(store.can(Patches.class));
        URI uri = URI.create("jar:" + other.resolve("a.zip").toUri());
        try (FileSystem zip = FileSystems.newFileSystem(uri, Map.of("create", "true"))) {
            FileStore zipped = FileStore.at(zip.getPath("/"));
            zipped.put("a/c/0", Texts.content("content"), Durability.NONE);
            assertFalse(zipped.can(Patches.class));
            assertThrows(UnsupportedException.class, () -> zipped.patch("a", "a/c/0", patch(), Durability.NONE));
            assertEquals("content", FileStoreTest.get(zipped, "a/c/0"));
        }
    }
}
