package dev.shardkit.store.file.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.file.Texts;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Versions of one key are never taken for one another, however quickly they follow. */
@Timeout(180)
class FileTimesTest {
    @TempDir
    Path dir;

    private String version(FileStore store) throws IOException {
        try (ObjectSnapshot snapshot = store.open("k").orElseThrow()) {
            return snapshot.version();
        }
    }

    @Test
    void version_ofQuickPutsOfOneSize_differs() throws IOException {
        FileStore store = FileStore.at(dir);
        Set<String> versions = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            store.put("k", Texts.content("value " + (100 + i)), Durability.ATOMIC);
            versions.add(version(store));
            if (i % 3 == 0) {
                store.delete("k"); // the next file may get this one's inode
            }
        }
        assertEquals(500, versions.size());
    }

    @Test
    void version_ofQuickWritesInPlaceByOthers_differs() throws IOException {
        FileStore store = FileStore.at(dir);
        Set<String> versions = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            Files.writeString(dir.resolve("k"), "value " + (100 + i));
            versions.add(version(store));
        }
        assertEquals(40, versions.size());
    }

    @Test
    void put_overAFileFromTheFuture_isLaterStill() throws IOException {
        FileStore store = FileStore.at(dir);
        store.put("k", Texts.content("a"), Durability.ATOMIC);
        Instant future = Instant.now().plus(Duration.ofHours(1));
        Files.setLastModifiedTime(dir.resolve("k"), FileTime.from(future));
        store.put("k", Texts.content("b"), Durability.ATOMIC);
        assertTrue(Files.getLastModifiedTime(dir.resolve("k")).toInstant().isAfter(future.minusNanos(1000)));
        Files.setLastModifiedTime(
                dir.resolve("k"), FileTime.from(Instant.now().plusMillis(5).plusNanos(1)));
        version(store);
    }

    @Test
    void version_ofAFileWhoseTimeIsSetBack_differs() throws IOException {
        Files.writeString(dir.resolve("k"), "first");
        assumeTrue(FileState.of(dir.resolve("k")).changed().isPresent(), "a file system without change times");
        FileStore store = FileStore.at(dir);
        FileTime time = FileTime.fromMillis(1_700_000_000_000L);
        Set<String> versions = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            Files.writeString(dir.resolve("k"), "value " + (100 + i), StandardOpenOption.WRITE);
            Files.setLastModifiedTime(dir.resolve("k"), time);
            versions.add(version(store));
            assertEquals(Optional.of(version(store)), store.version("k"));
        }
        assertEquals(40, versions.size());
    }

    @Test
    void confirm_ofAFileWhoseTimeWasSetBackMeanwhile_tells() throws IOException {
        Path file = Files.writeString(dir.resolve("k"), "old");
        assumeTrue(FileState.of(file).changed().isPresent(), "a file system without change times");
        FileTime time = FileTime.fromMillis(1_700_000_000_000L);
        Files.setLastModifiedTime(file, time);
        try (ObjectSnapshot snapshot = FileStore.at(dir).open("k").orElseThrow()) {
            snapshot.confirm();
            Files.writeString(file, "new");
            Files.setLastModifiedTime(file, time);
            assertThrows(ObjectChangedException.class, snapshot::confirm);
        }
    }

    @Test
    void confirm_afterALink_tellsOnce() throws IOException {
        FileStore store = FileStore.at(dir);
        store.put("k", Texts.content("value"), Durability.ATOMIC);
        ObjectSnapshot before = store.open("k").orElseThrow();
        store.copy("k", "other", Durability.ATOMIC);
        try (ObjectSnapshot after = store.open("k").orElseThrow()) {
            assertEquals("value", Texts.read(before), "it is the same file");
            after.confirm();
            after.confirm();
        }
        before.close();
    }

    @Test
    void confirm_afterAPut_isOfTheFileThatIsOpen() throws IOException {
        FileStore store = FileStore.at(dir);
        for (int i = 0; i < 50; i++) {
            store.put("k", Texts.content("value " + i), Durability.ATOMIC);
            try (ObjectSnapshot snapshot = store.open("k").orElseThrow()) {
                snapshot.confirm(); // neither the name nor the mode that a put gives changes the file afterwards
            }
        }
    }
}
