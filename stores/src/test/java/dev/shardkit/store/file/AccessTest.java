package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.store.Content;
import dev.shardkit.store.file.disk.FileAccessRights;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.file.patch.JournalFormat;
import dev.shardkit.store.file.patch.OpenJournal;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rewrite keeps who may do what with a file. */
class AccessTest {
    @TempDir
    Path dir;

    @BeforeEach
    void onlyPosix() {
        assumeTrue(dir.getFileSystem().supportedFileAttributeViews().contains("posix"));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }

    private static void setMode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    /** Content that looks at the file that it is written to. */
    private static final class Looking implements Content {
        private final Path dir;
        private final Content content;
        private final List<String> modes = new ArrayList<>();

        Looking(Path dir, Content content) {
            this.dir = dir;
            this.content = content;
        }

        @Override
        public long size() {
            return content.size();
        }

        @Override
        public void writeTo(WritableByteChannel out) throws IOException {
            try (Stream<Path> files = Files.list(dir)) {
                for (Path file : files.filter(f -> f.getFileName().toString().startsWith("__shardkit-tmp-"))
                        .toList()) {
                    modes.add(mode(file));
                }
            }
            content.writeTo(out);
        }
    }

    @Test
    void put_overAFile_keepsItsMode_andIsNeverWider() throws IOException {
        Path file = Files.writeString(dir.resolve("k"), "old");
        FileStore store = FileStore.at(dir);
        for (String mode : List.of("rw-------", "rw-r-----", "rw-rw-rw-", "r--r--r--", "rwxr-x--x", "---------")) {
            setMode(file, mode);
            Looking content = new Looking(dir, Texts.content("new"));
            store.put("k", content, Durability.FORCED);
            assertEquals(mode, mode(file));
            assertEquals(List.of(mode.substring(0, 3) + "------"), content.modes);
        }
    }

    @Test
    void put_ofANewObject_hasTheModeOfNewFiles() throws IOException {
        Path usual = Files.createFile(dir.resolve("usual"));
        FileStore.at(dir).put("k", Texts.content("x"), Durability.ATOMIC);
        assertEquals(mode(usual), mode(dir.resolve("k")));
    }

    @Test
    void put_belowADocument_givesGroupAndOthersNoMore_alsoWhileItIsWritten() throws IOException {
        Files.createDirectories(dir.resolve("a/c"));
        Path usual = Files.createFile(dir.resolve("usual"));
        Path document = Files.writeString(dir.resolve("a/zarr.json"), "{}");
        FileStore store = FileStore.at(dir);
        for (String mode : List.of("rw-------", "r--------", "rw----r--", "rwxrwxrwx")) {
            setMode(document, mode);
            Looking content = new Looking(dir.resolve("a/c"), Texts.content("x"));
            store.put("a/c/" + mode, content, Durability.ATOMIC);
            String expected = mode.equals("rwxrwxrwx")
                    ? mode(usual)
                    : "rw----" + (mode(usual).endsWith("r--") ? mode.substring(6) : "---");
            assertEquals(expected, mode(dir.resolve("a/c/" + mode)));
            assertEquals(List.of(expected), content.modes);
        }
    }

    @Test
    void put_belowADocumentOfAnotherGroup_hasThatGroup() throws IOException {
        Path document = Files.writeString(dir.resolve("zarr.json"), "{}");
        assumeTrue(dir.getFileSystem().supportedFileAttributeViews().contains("unix"));
        try {
            Files.setAttribute(document, "unix:gid", 12345);
        } catch (FileSystemException e) {
            assumeTrue(false, "only root may give files away");
        }
        setMode(document, "rw-r-----");
        Looking content = new Looking(dir, Texts.content("x"));
        FileStore.at(dir).put("k", content, Durability.ATOMIC);
        assertEquals(12345, Files.getAttribute(dir.resolve("k"), "unix:gid"));
        assertEquals(List.of("rw-------"), content.modes);
        assertTrue(List.of("rw-r-----", "rw-------").contains(mode(dir.resolve("k"))));
    }

    @Test
    void put_inPlaceOfOtherObjects_hasTheRightsThatAllOfThemGive() throws IOException {
        setMode(Files.writeString(dir.resolve("x"), "1"), "rw-rw-r--");
        setMode(Files.writeString(dir.resolve("y"), "2"), "rw-r-----");
        Looking looking = new Looking(dir, Texts.content("12"));
        Content content = Content.inPlaceOf(keys -> List.of("x", "absent", "y").forEach(keys), looking);
        FileStore.at(dir).put("k", content, Durability.ATOMIC);
        assertEquals("rw-r-----", mode(dir.resolve("k")));
        assertEquals(List.of("rw-------"), looking.modes);
    }

    @Test
    void put_throughALink_keepsTheModeOfItsTarget() throws IOException {
        Path file = Files.writeString(dir.resolve("target"), "old");
        setMode(file, "rw-r-----");
        LinksAndPipes.link(dir.resolve("k"), Path.of("target"));
        FileStore store = FileStore.at(dir);
        store.put("k", Texts.content("new"), Durability.ATOMIC);
        assertTrue(Files.isSymbolicLink(dir.resolve("k")));
        assertEquals("rw-r-----", mode(file));
        Files.delete(file);
        store.put("k", Texts.content("new"), Durability.ATOMIC);
        assertEquals(
                mode(Files.createFile(dir.resolve("usual"))), mode(dir.resolve("k")), "a link to nothing has no mode");
    }

    @Test
    void put_overAFileOfAnotherGroup_keepsTheGroup() throws IOException {
        Path file = Files.writeString(dir.resolve("k"), "old");
        assumeTrue(dir.getFileSystem().supportedFileAttributeViews().contains("unix"));
        try {
            Files.setAttribute(file, "unix:gid", 12345);
            Files.setAttribute(file, "unix:uid", 12346);
        } catch (FileSystemException e) {
            assumeTrue(false, "only root may give files away");
        }
        setMode(file, "rw-rw----");
        FileStore.at(dir).put("k", Texts.content("new"), Durability.ATOMIC);
        assertEquals("rw-rw----", mode(file));
        assertEquals(12345, Files.getAttribute(file, "unix:gid"));
        assertEquals(12346, Files.getAttribute(file, "unix:uid"));
    }

    @Test
    void give_ofAGroupThatTheProcessMayNotGive_givesItNoMoreThanOthersHad() throws IOException {
        Path file = Files.writeString(dir.resolve("k"), "old");
        assumeTrue(dir.getFileSystem().supportedFileAttributeViews().contains("unix"));
        setMode(file, "rw-rw-r--");
        FileAccessRights access = FileAccessRights.of(file).orElseThrow();
        int impossible = -1; // which asks the system to leave the group as it is
        new FileAccessRights(access.mode(), access.owner().map(o -> new FileAccessRights.Owner(o.user(), impossible)))
                .applyTo(file);
        assertEquals("rw-r--r--", mode(file));
    }

    @Test
    void journal_hasTheModeOfTheFileThatIsPatched() throws IOException {
        Path file = Files.writeString(dir.toRealPath().resolve("k"), "old");
        JournalDirectory place = JournalDirectory.of(file);
        for (String mode : List.of("rw-------", "rw-r-----", "rw-rw-rw-")) {
            setMode(file, mode);
            JournalFormat.Head head = new JournalFormat.Head(JournalFormat.Kind.UNDO, 3, 3, "", "k");
            try (OpenJournal journal = OpenJournal.begin(place, head, ByteBuffer.allocate(0))) {
                assertEquals(mode, mode(place.journals().get(0)));
                journal.end(OpenJournal.Forcing.NO);
            }
        }
    }
}
