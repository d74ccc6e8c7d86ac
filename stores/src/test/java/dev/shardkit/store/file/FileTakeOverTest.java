package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Moves;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
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

    @Test
    void tree_movesWithAllItHas() throws IOException {
        stores();
        Files.writeString(from.root().resolve("notes.txt"), "not a key");
        Optional<Object> identity = identity(from.root().resolve("c/0"));
        assertFalse(to.takeOverTree(MemoryStore.create()));
        try (ObjectSnapshot open = from.open("c/0").orElseThrow()) {
            assertTrue(to.takeOverTree(from));
            assertEquals(4, open.size());
        }
        assertFalse(Files.exists(from.root()));
        assertEquals(identity, identity(to.root().resolve("c/0")), "the same file");
        assertEquals("zero", FileStoreTest.get(to, "c/0"));
        assertEquals("not a key", Files.readString(to.root().resolve("notes.txt")));
        assertTrue(from.open("c/0").isEmpty());
    }

    /** On Windows, a folder with an open file cannot be renamed. */
    @Test
    void tree_ofWindows_isMovedOnceItsFilesAreClosed() throws IOException {
        try (FileSystem windows = Jimfs.newFileSystem(Configuration.windows().toBuilder()
                .setAttributeViews("basic", "dos")
                .build())) {
            Path file = windows.getPath("C:\\from\\c\\0");
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[1]);
            int[] releases = new int[1];
            OpenFileReplacement.Handle open = () -> releases[0]++;
            OpenFileReplacement.add(file, open);
            assertTrue(FileStore.at(windows.getPath("C:\\new\\to"))
                    .takeOverTree(FileStore.at(windows.getPath("C:\\from"))));
            OpenFileReplacement.remove(file, open);
            assertEquals(1, releases[0]);
            assertTrue(Files.exists(windows.getPath("C:\\new\\to\\c\\0")));
        }
    }

    @Test
    void tree_ofAnotherFileSystem_stays() throws IOException {
        stores();
        try (FileSystem other = Jimfs.newFileSystem(Configuration.unix())) {
            assertFalse(FileStore.at(other.getPath("/to")).takeOverTree(from));
        }
        assertEquals("zero", FileStoreTest.get(from, "c/0"));
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
        LinksAndPipes.link(from.root().resolve("link"), Path.of("c/0"));
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
