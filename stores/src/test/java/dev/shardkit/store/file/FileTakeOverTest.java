package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Moves;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.PosixFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that get a name in another store. */
class FileTakeOverTest {
    @TempDir
    Path dir;

    private FileStore from;
    private FileStore to;

    private void stores() throws IOException {
        from = FileStore.at(dir.resolve("from"));
        to = FileStore.at(dir.resolve("to"));
        Files.createDirectories(from.root().resolve("c"));
        Files.writeString(from.root().resolve("c/0"), "zero");
    }

    @Test
    void file_isThereOrHere() throws IOException {
        stores();
        Object identity = identity(from.root().resolve("c/0"));
        assertTrue(to.can(Moves.class));
        assertTrue(to.takeOver(from, "c/0", "a/c/7/1", Durability.FORCED));
        assertEquals(identity, identity(to.root().resolve("a/c/7/1")), "the same file");
        assertFalse(Files.exists(from.root().resolve("c/0")));
        assertEquals("zero", FileStoreTest.get(to, "a/c/7/1"));
        assertTrue(from.open("c/0").isEmpty());
        assertFalse(to.takeOver(from, "c/0", "a/c/7/2", Durability.FORCED));
        assertFalse(to.takeOver(from, "nowhere/0", "a/c/7/2", Durability.FORCED));
        assertFalse(to.takeOver(from, "c", "a/c/7/2", Durability.FORCED), "a directory is no object");
    }

    /** Empty on Windows, where files have no identity. */
    private static Optional<Object> identity(Path file) throws IOException {
        return Optional.ofNullable(
                Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    @Test
    void whatIsInTheWay_stays() throws IOException {
        stores();
        Files.createDirectories(to.root());
        Files.writeString(to.root().resolve("x"), "mine");
        StoreException e = assertThrows(StoreException.class, () -> to.takeOver(from, "c/0", "x", Durability.ATOMIC));
        assertTrue(e.getMessage().contains("already exists"), e.getMessage());
        assertEquals("mine", Files.readString(to.root().resolve("x")));
        assertEquals("zero", Files.readString(from.root().resolve("c/0")));
    }

    @Test
    void links_otherStores_andOtherFileSystems_areRefused() throws IOException {
        stores();
        PosixFiles.link(from.root().resolve("link"), Path.of("c/0"));
        assertThrows(UnsupportedException.class, () -> to.takeOver(from, "link", "x", Durability.ATOMIC));
        assertThrows(
                UnsupportedException.class, () -> to.takeOver(MemoryStore.create(), "c/0", "x", Durability.ATOMIC));
        try (FileSystem zip = FileSystems.newFileSystem(
                URI.create("jar:" + dir.resolve("z.zip").toUri()), Map.of("create", "true"))) {
            FileStore zipped = FileStore.at(zip.getPath("/"));
            UnsupportedException e = assertThrows(
                    UnsupportedException.class, () -> zipped.takeOver(from, "c/0", "x", Durability.ATOMIC));
            assertTrue(e.getMessage().contains("different file systems"), e.getMessage());
            assertTrue(zipped.open("x").isEmpty());
        }
        assertEquals("zero", Files.readString(from.root().resolve("c/0")));
    }
}
