package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches;
import dev.shardkit.store.file.patch.JournalFormat;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Files that stay open between the changes of an owner, also when others replace or delete them. */
@Timeout(180)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "no file is kept open there")
class OwnedFilesTest extends PatchedFile {
    private static final String KEY = "a/c/0";

    private Patches.Owned open() throws IOException {
        return store.openOwned(KEY).orElseThrow();
    }

    private void write(int at, int... values) throws IOException {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        try (Patches.Owned owned = open()) {
            owned.patch(overwriting(owned.size(), new Edit.Write(at, Bytes.of(bytes))));
        }
    }

    private static Edit.Patch overwriting(long size, Edit.Write... writes) {
        return new Edit.Patch(
                size,
                List.of(),
                List.of(writes),
                Edit.Recovery.JOURNAL,
                ShardWritePolicy.Strategy.IN_PLACE,
                Optional.empty());
    }

    private static byte first(ObjectSnapshot snapshot) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        snapshot.read(0, one);
        return one.get(0);
    }

    /** Without a stamp, writes within one tick of the system's clock would have one version. */
    @Test
    void eachChange_isAnotherVersion_alsoWithinATick() throws IOException {
        FileStore other = FileStore.at(dir);
        String before = "";
        for (int i = 0; i < 300; i++) {
            write(0, i);
            for (FileStore reader : List.of(store, other)) {
                try (ObjectSnapshot seen = reader.open(KEY).orElseThrow()) {
                    assertEquals((byte) i, first(seen));
                    assertFalse(seen.version().equals(before));
                }
            }
            before = store.version(KEY).orElseThrow();
        }
    }

    @Test
    void aSnapshotFromBefore_failsToConfirm() throws IOException {
        try (ObjectSnapshot before = store.open(KEY).orElseThrow()) {
            write(3, 1);
            assertThrows(ObjectChangedException.class, before::confirm);
        }
    }

    /** The open file has old and new bytes, whatever its path leads to afterwards. */
    @Test
    void aSnapshotFromBefore_failsToConfirm_alsoIfTheFileWasReplacedAfterTheChange() throws IOException {
        for (boolean replaced : new boolean[] {true, false}) {
            try (ObjectSnapshot before = store.open(KEY).orElseThrow()) {
                write(3, 1);
                if (replaced) {
                    store.put(KEY, Content.of(Bytes.of(OLD)), Durability.NONE);
                } else {
                    store.delete(KEY);
                }
                assertThrows(ObjectChangedException.class, before::confirm, "replaced: " + replaced);
            }
        }
    }

    @Test
    void aFileThatWasReplaced_isNotWrittenAnyMore() throws IOException {
        write(0, 1);
        Path old = dir.resolve("old");
        Files.createLink(old, file);
        Path next = Files.write(dir.resolve("next"), bytes(5, 100));
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        write(0, 2);
        assertEquals(1, Files.readAllBytes(old)[0]);
        assertEquals(2, Files.readAllBytes(file)[0]);
    }

    @Test
    void aPathThatBecameALinkOutOfTheRoot_isRefused_andTheTargetUntouched() throws IOException {
        write(0, 1);
        Path outside = Files.createTempFile("outside", null);
        try {
            byte[] content = bytes(6, 100);
            Files.write(outside, content);
            store.version(KEY);
            Files.delete(file);
            LinksAndPipes.link(file, outside);
            assertThrows(StoreException.class, () -> write(0, 2));
            assertThrows(StoreException.class, () -> store.version(KEY));
            assertArrayEquals(content, Files.readAllBytes(outside));
        } finally {
            Files.delete(outside);
        }
    }

    @Test
    void anInterruptedPatch_isNotOpenedWithoutAJournal() throws IOException {
        leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
        assertTrue(store.openOwned(KEY).isEmpty());
        Edit.Patch next = overwriting(100, new Edit.Write(0, Bytes.of(new byte[] {9})));
        assertThrows(StoreException.class, () -> store.patch("a", KEY, next, Durability.NONE));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void putsAndDeletes_closeTheFile_evenInUse() throws IOException {
        for (boolean inUse : new boolean[] {true, false}) {
            Patches.Owned owned = open();
            if (!inUse) {
                owned.close();
            }
            store.delete(KEY);
            owned.close();
            assertEquals(0, Descriptors.below(dir), "in use: " + inUse);
            assertTrue(store.openOwned(KEY).isEmpty());
            Files.write(file, OLD);
        }
    }

    @Test
    void anInterrupt_endsOneChange_andTheNextOneWorks() throws IOException {
        write(0, 1);
        try (Patches.Owned owned = open()) {
            Thread.currentThread().interrupt();
            assertThrows(
                    StoreException.class,
                    () -> owned.patch(overwriting(100, new Edit.Write(0, Bytes.of(new byte[] {9})))));
            assertTrue(Thread.interrupted());
        }
        write(1, 2);
        assertEquals(2, Files.readAllBytes(file)[1]);
    }

    @Test
    void twoOwnersOfOneFile_changeTheirOwnBytes() throws IOException {
        try (Patches.Owned one = open();
                Patches.Owned two = open()) {
            one.patch(overwriting(100, new Edit.Write(0, Bytes.of(new byte[] {1}))));
            two.patch(overwriting(100, new Edit.Write(1, Bytes.of(new byte[] {2}))));
        }
        byte[] now = Files.readAllBytes(file);
        assertEquals(1, now[0]);
        assertEquals(2, now[1]);
        assertEquals(OLD[2], now[2]);
    }

    private static Edit.Patch appending(Piece... pieces) {
        return new Edit.Patch(
                100,
                List.of(pieces),
                List.of(),
                Edit.Recovery.LAST_INDEX,
                ShardWritePolicy.Strategy.APPEND,
                Optional.empty());
    }

    /** The copy of bytes opens the file once more; the interrupt has closed the channel. */
    @Test
    void anAppendThatIsInterrupted_isRolledBack() throws IOException {
        try (Patches.Owned owned = open()) {
            Thread.currentThread().interrupt();
            assertThrows(
                    StoreException.class,
                    () -> owned.patch(appending(new Piece.Literal(Bytes.of(bytes(2, 10))), new Piece.Copied(0, 5))));
            assertTrue(Thread.interrupted());
        }
        assertArrayEquals(OLD, Files.readAllBytes(file));
    }

    /** Written by several system calls, or without a checksum that shows the end of the old content. */
    @Test
    void changesThatNeedAJournal_areMadeWithOne() throws IOException {
        byte[] large = bytes(7, (1 << 20) + 1);
        try (Patches.Owned owned = open()) {
            owned.patch(appending(new Piece.Literal(Bytes.of(large))));
        }
        assertTrue(Files.exists(place.own()), "a journal was here");
        store.close();
        assertFalse(Files.exists(place.own()));
        store = FileStore.at(dir);
        try (Patches.Owned owned = open()) {
            owned.patch(new Edit.Patch(
                    100,
                    List.of(new Piece.Literal(Bytes.of(bytes(2, 10)))),
                    List.of(new Edit.Write(0, Bytes.of(bytes(3, 7))), new Edit.Write(90, Bytes.of(bytes(4, 10)))),
                    Edit.Recovery.JOURNAL,
                    ShardWritePolicy.Strategy.APPEND,
                    Optional.empty()));
        }
        assertTrue(Files.exists(place.own()), "a journal was here");
        assertArrayEquals(NEW, Files.readAllBytes(file));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open descriptors are counted in /proc")
    void aClosedStore_keepsNothing() throws IOException {
        Patches.Owned owned = open();
        store.close();
        owned.close();
        Files.delete(file);
        assertEquals(0, Descriptors.below(dir));
    }
}
