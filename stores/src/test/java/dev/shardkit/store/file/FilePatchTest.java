package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Patches.Recovered;
import dev.shardkit.store.Store;
import dev.shardkit.store.UnfinishedChangeException;
import dev.shardkit.store.file.disk.FileTimes;
import dev.shardkit.store.file.patch.JournalFormat;
import dev.shardkit.store.file.patch.OpenJournal;
import dev.shardkit.store.file.patch.Recovery;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.PatchesContract;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Patches of files, and every state that a killed process can leave one in. */
@Timeout(180)
class FilePatchTest extends PatchedFile {
    @Nested
    class JimfsContract extends PatchesContract {
        @Override
        protected Store freshStore() {
            return FileStore.at(Jimfs.newFileSystem(Configuration.unix()).getPath("data"));
        }
    }

    @Test
    void recover_journalCutAnywhere_bringsTheOldContentOrTheNew() throws IOException {
        int head = leave(head(JournalFormat.Kind.UNDO), false, 0);
        int whole = leave(head(JournalFormat.Kind.UNDO), true, 0);
        place.removeJournals();
        for (int length = 0; length <= whole; length++) {
            Files.write(file, length < head ? OLD : Arrays.copyOf(OLD, 105)); // a killed append, if it had begun
            byte[] expected = OLD;
            if (length == whole) {
                byte[] torn = NEW.clone();
                System.arraycopy(OLD, 93, torn, 93, 7);
                Files.write(file, torn);
                expected = NEW;
            }
            leave(head(JournalFormat.Kind.UNDO), true, length);
            assertRecovers(length < head ? Recovered.NOTHING : Recovered.FROM_JOURNAL, expected, length + " bytes");
        }
    }

    /** On Windows, a deleted file may stay until its readers close it. */
    @Test
    void journalThatIsRead_isNoneOfAnInterruptedPatch_onceItsPatchHasEnded() throws IOException {
        try (OpenJournal journal = OpenJournal.begin(place, head(JournalFormat.Kind.UNDO), before())) {
            Path path = place.journals().get(0);
            try (FileChannel reader = FileChannel.open(path, StandardOpenOption.READ)) {
                assertTrue(reader.size() > 0);
                journal.end(OpenJournal.Forcing.NO);
                assertFalse(Recovery.isDue(place));
            }
        }
        assertRecovers(Recovered.NOTHING, OLD, "no patch is interrupted");
    }

    @Test
    void recover_journalWithAnyWrongByte_neverTearsTheFile() throws IOException {
        int whole = leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
        byte[] right = Files.readAllBytes(place.journals().get(0));
        place.removeJournals();
        assertEquals(whole, right.length);
        for (int i = 0; i < whole; i++) {
            leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
            byte[] wrong = right.clone();
            wrong[i] ^= (byte) (1 << i % 8);
            Files.write(place.journals().get(0), wrong);
            store.recover("a", "a/c/0");
            assertArrayEquals(OLD, Files.readAllBytes(file), "byte " + i);
            if (i < 4) {
                assertEquals(1, place.journals().size(), "no mark of ours");
                Files.delete(place.journals().get(0));
                place.removeIfEmpty();
            }
            assertFalse(Files.exists(place.own()), "byte " + i);
        }
    }

    @Test
    void recover_journalOfAnotherFile_isDropped() throws IOException {
        byte[] longer = bytes(9, 200);
        leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
        Path other = Files.write(dir.resolve("other"), longer);
        Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        if (Files.readAttributes(file, BasicFileAttributes.class).fileKey() == null) {
            // without an identity, the file may be the old one that another program wrote: the journal is set aside
            assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"));
            assertArrayEquals(longer, Files.readAllBytes(file));
            Files.delete(place.journals().get(0));
        }
        assertRecovers(Recovered.NOTHING, longer, "replaced");
        leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
        Files.delete(file);
        assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"));
        assertFalse(Files.exists(place.own()));
    }

    /** As another program writes a file that it opens to write anew: the inode stays. */
    @Test
    void recover_journalOfAFileThatWasWrittenSince_isSetAside() throws IOException {
        StoreDirectory tree = new StoreDirectory(dir, LinkPolicy.INSIDE_ROOT);
        StableFileOpener opening = new StableFileOpener(tree, new FoldedNames(tree), new LockedObjects(tree), 3);
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
                leave(head(JournalFormat.Kind.UNDO), redo, Integer.MAX_VALUE);
                Files.write(file, theirs);
                try (ObjectSnapshot read = opening.forReader(file, "a/c/0").orElseThrow()) {
                    assertEquals(theirs.length, read.size(), "who reads need not wait for somebody who writes");
                }
                assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"));
                assertArrayEquals(theirs, Files.readAllBytes(file));
                assertEquals(1, place.journals().size(), "it is kept");
                assertFalse(place.isUnderWay());
                assertEquals(List.of(Leftover.Kind.JOURNAL_SET_ASIDE), leftovers());
                try (ObjectSnapshot snapshot = store.open("a/c/0").orElseThrow()) {
                    assertEquals(theirs.length, snapshot.size());
                }
                store.put("a/c/0", Texts.content("anything"), Durability.ATOMIC);
                assertEquals(List.of(Leftover.Kind.JOURNAL_SET_ASIDE), leftovers());
                Files.delete(place.journals().get(0));
                place.removeIfEmpty();
                Files.write(file, OLD);
            }
        }
    }

    @Test
    void recover_copyOfAFile_isEndedByItsContent() throws IOException {
        leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
        byte[] torn = NEW.clone();
        System.arraycopy(OLD, 3, torn, 3, 4);
        Path copy = Files.write(dir.resolve("copy"), torn); // another inode, as cp and tar give it
        Files.move(copy, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertRecovers(Recovered.FROM_JOURNAL, NEW, "copied");
    }

    @Test
    void journalWithoutItsHead_isPassedByAndRemoved() throws IOException {
        int whole = leave(head(JournalFormat.Kind.UNDO), false, Integer.MAX_VALUE);
        place.removeJournals();
        for (int length = 0; length < whole; length++) {
            leave(head(JournalFormat.Kind.UNDO), false, length);
            assertFalse(place.isUnderWay());
            assertEquals(List.of(Leftover.Kind.UNBEGUN_JOURNAL), leftovers());
            try (ObjectSnapshot snapshot = store.open("a/c/0").orElseThrow()) {
                assertEquals(100, snapshot.size());
            }
            assertRecovers(Recovered.NOTHING, OLD, length + " bytes");
        }
    }

    @Test
    void putAndDelete_dropJournals() throws IOException {
        leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
        store.put("a/c/0", Texts.content("new"), Durability.ATOMIC);
        assertFalse(Files.exists(place.own()));
        leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
        store.delete("a/c/0");
        assertFalse(Files.exists(place.own()));
    }

    @Test
    void recover_appendWithALastIndex_isEndedByACut() throws IOException {
        leave(head(JournalFormat.Kind.LAST_INDEX), false, Integer.MAX_VALUE);
        assertRecovers(Recovered.NOTHING, OLD, "not begun");
        leave(head(JournalFormat.Kind.LAST_INDEX), false, Integer.MAX_VALUE);
        Files.write(file, Arrays.copyOf(OLD, 105));
        assertEquals(Recovered.CUT_SHORT, store.recover("a", "a/c/0"));
        assertEquals(Recovered.CUT_SHORT, store.recover("a", "a/c/0"), "until it is cut");
        try (ObjectSnapshot snapshot = store.openToChange("a/c/0").orElseThrow()) {
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
                        ShardWritePolicy.Strategy.APPEND,
                        Optional.empty()),
                Durability.FORCED);
        assertRecovers(Recovered.NOTHING, OLD, "cut");
    }

    @Test
    void reader_ofAPatchCutShort_isToldWhatToDo() throws IOException {
        leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
        StoreDirectory tree = new StoreDirectory(dir, LinkPolicy.INSIDE_ROOT);
        StableFileOpener opening = new StableFileOpener(tree, new FoldedNames(tree), new LockedObjects(tree), 3);
        UnfinishedChangeException e =
                assertThrows(UnfinishedChangeException.class, () -> opening.forReader(file, "a/c/0"));
        assertTrue(
                e.getMessage().contains("a/c/0")
                        && e.getMessage().contains("no progress in 3 attempts")
                        && e.getMessage().contains("repair"),
                e.getMessage());
    }

    @Test
    void reader_ofAPatchUnderWay_waitsForItsEnd() throws Exception {
        OpenJournal journal = OpenJournal.begin(place, head(JournalFormat.Kind.UNDO), before());
        Thread[] reader = new Thread[1];
        byte[][] found = new byte[1][];
        reader[0] = new Thread(() -> {
            try (ObjectSnapshot snapshot = store.open("a/c/0").orElseThrow()) {
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
        try (OpenJournal journal = OpenJournal.begin(place, head(JournalFormat.Kind.UNDO), before())) {
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

    @Test
    void lockOfAJournal_leavesItsContentReadable() throws IOException {
        // on Windows, other handles cannot read locked bytes
        OpenJournal journal = OpenJournal.begin(place, head(JournalFormat.Kind.UNDO), before());
        Path file = place.journals().get(0);
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertNotNull(other.tryLock(0, other.size() + 1, false));
            assertThrows(OverlappingFileLockException.class, () -> other.tryLock());
        } finally {
            journal.end(OpenJournal.Forcing.NO);
        }
    }
}
