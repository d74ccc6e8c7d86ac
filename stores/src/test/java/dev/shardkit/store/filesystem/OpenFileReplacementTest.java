package dev.shardkit.store.filesystem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of open files, on a file system with the names of Windows whose refusals the tests make. */
class OpenFileReplacementTest {
    private final FileSystem windows = Jimfs.newFileSystem(Configuration.windows().toBuilder()
            .setAttributeViews("basic", "dos")
            .build());
    private final Path file = windows.getPath("C:\\a\\c\\0");
    private int tries;

    @BeforeEach
    void make() throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[1]);
    }

    @AfterEach
    void close() throws IOException {
        windows.close();
    }

    /** A file that is open until it is released. */
    private static final class Open implements OpenFileReplacement.Handle {
        private boolean open = true;

        @Override
        public void release() {
            open = false;
        }
    }

    private void refuse() throws AccessDeniedException {
        throw new AccessDeniedException(file.toString());
    }

    @Test
    void ownHandles_areReleasedOnRefusal() throws IOException {
        Open own = new Open();
        Open ofOther = new Open();
        OpenFileReplacement.add(file, own);
        OpenFileReplacement.add(file.resolveSibling("1"), ofOther);
        OpenFileReplacement.change(windows.getPath("C:\\A\\C\\0"), Duration.ZERO, () -> {
            tries++;
            if (own.open) {
                refuse();
            }
        });
        assertEquals(2, tries);
        assertTrue(ofOther.open);
        OpenFileReplacement.remove(file, own);
        OpenFileReplacement.remove(file.resolveSibling("1"), ofOther);
    }

    @Test
    void changeThatIsAllowed_releasesNothing() throws IOException {
        Open own = new Open();
        OpenFileReplacement.add(file, own);
        OpenFileReplacement.change(file, Duration.ZERO, () -> tries++);
        OpenFileReplacement.remove(file, own);
        assertEquals(1, tries);
        assertTrue(own.open);
    }

    @Test
    void otherProgramsHandle_isWaitedFor() throws IOException {
        OpenFileReplacement.change(file, Duration.ofMinutes(10), () -> {
            if (++tries < 9) {
                throw new FileSystemException(file.toString(), null, "used by another process");
            }
        });
        assertEquals(9, tries);
    }

    @Test
    void otherProgramsHandle_thatStays_isNamed() {
        FileSystemException e = assertThrows(
                FileSystemException.class, () -> OpenFileReplacement.change(file, Duration.ZERO, this::refuse));
        assertTrue(e.getReason().contains("another program has C:\\a\\c\\0 open"), e.getReason());
        assertTrue(e.getCause() instanceof AccessDeniedException);
    }

    @Test
    void otherFailures_areNotRetried() throws IOException {
        assertThrows(
                NoSuchFileException.class,
                () -> OpenFileReplacement.change(file, Duration.ofDays(1), () -> {
                    throw new NoSuchFileException("x");
                }));
        Files.setAttribute(file, "dos:readonly", true);
        assertThrows(
                AccessDeniedException.class, () -> OpenFileReplacement.change(file, Duration.ofDays(1), this::refuse));
        assertThrows(
                AccessDeniedException.class,
                () -> OpenFileReplacement.change(file.getParent(), Duration.ofDays(1), this::refuse));
    }

    @Test
    void onPosix_nothingIsRetried() throws IOException {
        try (FileSystem unix = Jimfs.newFileSystem(Configuration.unix())) {
            Path other = unix.getPath("/a");
            Open own = new Open();
            OpenFileReplacement.add(other, own);
            assertThrows(
                    AccessDeniedException.class,
                    () -> OpenFileReplacement.change(other, Duration.ofDays(1), () -> {
                        tries++;
                        refuse();
                    }));
            assertThrows(
                    AccessDeniedException.class,
                    () -> OpenFileReplacement.retrying(other, () -> {
                        tries++;
                        throw new AccessDeniedException("/a");
                    }));
            assertEquals(2, tries);
            assertTrue(own.open);
        }
    }

    @Test
    void vanishingFile_isLookedForAgain() throws IOException {
        assertEquals(5, OpenFileReplacement.retrying(file, () -> {
            if (++tries < 5) {
                refuse();
            }
            return tries;
        }));
        assertThrows(
                AccessDeniedException.class,
                () -> OpenFileReplacement.retrying(file, () -> {
                    refuse();
                    return 0;
                }));
    }
}
