package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.file.disk.ReservedFiles;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Junctions of Windows, which Java calls directories. Only their attributes can be tested elsewhere. */
class JunctionsTest {
    @TempDir
    private Path dir;

    /** What Java says of a junction. */
    private static final BasicFileAttributes JUNCTION = new BasicFileAttributes() {
        @Override
        public boolean isDirectory() {
            return true;
        }

        @Override
        public boolean isOther() {
            return true;
        }

        @Override
        public boolean isRegularFile() {
            return false;
        }

        @Override
        public boolean isSymbolicLink() {
            return false;
        }

        @Override
        public FileTime lastModifiedTime() {
            return FileTime.fromMillis(0);
        }

        @Override
        public FileTime lastAccessTime() {
            return FileTime.fromMillis(0);
        }

        @Override
        public FileTime creationTime() {
            return FileTime.fromMillis(0);
        }

        @Override
        public long size() {
            return 0;
        }

        @Override
        public Object fileKey() {
            return "";
        }
    };

    @Test
    void removal_deletesAJunction_andDoesNotEnterIt() throws IOException {
        Path junction = Files.createDirectory(dir.resolve("junction")); // empty, so deleting it shows
        assertEquals(FileVisitResult.SKIP_SUBTREE, new TreeRemoval(null).preVisitDirectory(junction, JUNCTION));
        assertFalse(Files.exists(junction));
    }

    @Test
    void withdrawal_doesNotEnterAJunction() throws IOException {
        Files.createDirectories(dir.resolve("junction/__shardkit"));
        Files.createFile(dir.resolve("junction/__shardkit/lock"));
        Path document = Files.writeString(dir.resolve("junction/zarr.json"), "{}");
        assertEquals(
                FileVisitResult.SKIP_SUBTREE,
                new WriterExclusion(Duration.ofSeconds(60)).preVisitDirectory(dir.resolve("junction"), JUNCTION));
        assertTrue(Files.exists(document));
    }

    @Test
    void junction_isNoDirectoryOfTheStore() throws IOException {
        assertTrue(ReservedFiles.isJunction(JUNCTION));
        assertFalse(ReservedFiles.isJunction(ReservedFiles.attributes(dir)));
    }
}
