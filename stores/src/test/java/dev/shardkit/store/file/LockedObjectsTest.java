package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches.Recovered;
import dev.shardkit.store.file.patch.JournalFormat;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store knows of an object while its lock is held, and when it forgets that. */
@SuppressWarnings("try") // locks are held, not used
class LockedObjectsTest extends PatchedFile {
    private Locks.Lock lock(String key) {
        Locks.Lock lock = store.lock("a", key, Duration.ofMinutes(1));
        assertEquals(Recovered.NOTHING, store.recover("a", key));
        return lock;
    }

    @Test
    void patches_underOneLock_leaveNoJournal() throws IOException {
        try (Locks.Lock held = lock("a/c/0")) {
            assertTrue(!held.generation().isEmpty());
            store.patch("a", "a/c/0", patch(), Durability.ATOMIC);
            store.patch("a", "a/c/0", patch(), Durability.FORCED);
        }
        assertArrayEquals(NEW, Files.readAllBytes(file));
        assertEquals(List.of(), place.journals());
    }

    @Test
    void replacedLink_isForgotten() throws IOException {
        Path target = Files.write(dir.resolve("a/target"), OLD);
        LinksAndPipes.link(dir.resolve("a/c/1"), Path.of("../target"));
        try (Locks.Lock held = lock("a/c/1")) {
            assertTrue(store.delete("a/c/1"));
            assertTrue(store.openToChange("a/c/1").isEmpty());
            store.put("a/c/1", Texts.content("x".repeat(100)), Durability.NONE);
            store.patch("a", "a/c/1", patch(), Durability.ATOMIC);
        }
        assertArrayEquals(OLD, Files.readAllBytes(target));
        assertEquals(110, Files.size(dir.resolve("a/c/1")));
    }

    /** The holder has read the object at the old place. */
    @Test
    void linkThatLeadsElsewhere_isNeitherReplacedNorDeleted() throws IOException {
        Path link = dir.resolve("a/c/1");
        Path other = Files.write(dir.resolve("a/other"), NEW);
        Files.write(dir.resolve("a/target"), OLD);
        LinksAndPipes.link(link, Path.of("../target"));
        for (boolean deleted : new boolean[] {false, true}) {
            try (Locks.Lock held = lock("a/c/1")) {
                Files.delete(link);
                LinksAndPipes.link(link, Path.of("../other"));
                StoreException e = assertThrows(StoreException.class, () -> {
                    if (deleted) {
                        store.delete("a/c/1");
                    } else {
                        store.put("a/c/1", Texts.content("x"), Durability.NONE);
                    }
                });
                assertTrue(e.getMessage().contains("leads elsewhere"), e.getMessage());
            }
            assertArrayEquals(NEW, Files.readAllBytes(other));
            Files.delete(link);
            LinksAndPipes.link(link, Path.of("../target"));
        }
    }

    @Test
    void linkThatAppears_isSeenByTheNextHolder(@TempDir Path outside) throws IOException {
        lock("a/c/0").close();
        Files.move(file, outside.resolve("0"));
        LinksAndPipes.link(file, outside.resolve("0"));
        try (Locks.Lock held = store.lock("a", "a/c/0", Duration.ofMinutes(1))) {
            StoreException e =
                    assertThrows(StoreException.class, () -> store.patch("a", "a/c/0", patch(), Durability.ATOMIC));
            assertTrue(e.getMessage().contains("a symbolic link leads out"), e.getMessage());
        }
        assertArrayEquals(OLD, Files.readAllBytes(outside.resolve("0")));
    }

    @Test
    void failedPatch_makesTheNextLookForJournals() throws IOException {
        try (Locks.Lock held = lock("a/c/0")) {
            Thread.currentThread().interrupt();
            assertThrows(StoreException.class, () -> store.patch("a", "a/c/0", patch(), Durability.ATOMIC));
            assertTrue(Thread.interrupted());
            leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
            StoreException e =
                    assertThrows(StoreException.class, () -> store.patch("a", "a/c/0", patch(), Durability.ATOMIC));
            assertTrue(e.getMessage().contains("an earlier patch was interrupted"), e.getMessage());
        }
    }

    @Test
    void journalsOfOthers_areLookedForWithoutTheLock() throws IOException {
        lock("a/c/0").close();
        leave(head(JournalFormat.Kind.UNDO), true, Integer.MAX_VALUE);
        assertThrows(StoreException.class, () -> store.patch("a", "a/c/0", patch(), Durability.ATOMIC));
    }

    @Test
    void objectThatVanishes_isAbsent() throws IOException {
        try (Locks.Lock held = lock("a/c/0")) {
            Files.delete(file);
            assertTrue(store.openToChange("a/c/0").isEmpty());
            assertTrue(store.version("a/c/0").isEmpty());
            Files.write(file, NEW);
            try (ObjectSnapshot snapshot = store.openToChange("a/c/0").orElseThrow()) {
                assertEquals(110, snapshot.size());
            }
        }
    }
}
