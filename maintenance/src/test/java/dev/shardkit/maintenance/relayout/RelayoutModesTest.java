package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.layout.ShardLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Private files stay private during and after a change of layout. */
@Timeout(120)
class RelayoutModesTest {
    private static final String PRIVATE = "rw-------";

    @TempDir
    Path dir;

    @BeforeEach
    void onlyPosix() throws IOException {
        assumeTrue(dir.getFileSystem().supportedFileAttributeViews().contains("posix"));
        Path usual = Files.createFile(dir.resolve("usual"));
        assumeTrue(!mode(usual).equals(PRIVATE), "the umask of this process hides the difference");
    }

    /** Eight shards of two chunks with different elements. */
    private Path array(String name) {
        Path at = dir.resolve(name);
        ArraySpec spec = ArraySpec.of("int32", 16, 4).withChunkShape(1, 4).withShardShape(2, 4);
        try (ZarrArray array = Zarr.createArray(at.toString(), spec)) {
            array.write(array.domain(), elements(), 0);
        }
        return at;
    }

    private static int[] elements() {
        return IntStream.rangeClosed(1, 64).toArray();
    }

    private static String mode(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void setMode(Path file, String mode) {
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The modes of all files with data or metadata; lock files hold neither. */
    private static Map<String, String> modes(Path root) throws IOException {
        Map<String, String> modes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(Files::isRegularFile)
                    .filter(f -> !f.getParent().getFileName().toString().equals("__shardkit"))
                    .forEach(f -> modes.put(root.relativize(f).toString().replace('\\', '/'), mode(f)));
        }
        return modes;
    }

    private static void assertAll(String expected, Path root, int chunks) throws IOException {
        Map<String, String> modes = modes(root);
        modes.remove("zarr.json");
        assertEquals(chunks, modes.size(), modes::toString);
        modes.forEach((file, mode) -> assertEquals(expected, mode, file));
    }

    private static void setChunks(Path root, String mode) throws IOException {
        modes(root).keySet().stream().filter(f -> f.startsWith("c/")).forEach(f -> setMode(root.resolve(f), mode));
    }

    /** Runs a change and checks the modes of all staged files at each progress report. */
    private static void change(Path at, ShardLayout layout, long... chunk) {
        int[] staged = new int[1];
        try (ZarrArray array = Zarr.openArray(at.toString())) {
            Progress looking = (path, done, total) -> {
                try {
                    modes(at).forEach((file, mode) -> {
                        if (file.startsWith("__relayout/new/")) {
                            staged[0]++;
                            assertEquals(PRIVATE, mode, file);
                        }
                    });
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            };
            Relayout relayout = Relayout.of(array, layout).withProgress(looking);
            (chunk.length == 0 ? relayout : relayout.withChunkShape(chunk)).run(Mode.APPLY, reported -> {});
        }
        assertTrue(staged[0] > 0, "no staged file was seen");
    }

    @Test
    void everyChangeOfLayout_ofPrivateShards_leavesThemPrivate() throws IOException {
        for (String document : List.of(PRIVATE, "rw-r--r--")) {
            Path at = array(document);
            setMode(at.resolve("zarr.json"), document);
            setChunks(at, PRIVATE);
            change(at, ShardLayout.shardShape(4, 4));
            assertAll(PRIVATE, at, 4);
            change(at, ShardLayout.unsharded());
            assertAll(PRIVATE, at, 16);
            change(at, ShardLayout.shardShape(8, 4));
            assertAll(PRIVATE, at, 2);
            change(at, ShardLayout.shardShape(8, 4), 2, 2);
            assertAll(PRIVATE, at, 2);
            assertEquals(document, mode(at.resolve("zarr.json")));
            try (ZarrArray array = Zarr.openArray(at.toString())) {
                int[] found = new int[64];
                array.readInto(found, 0, array.domain());
                assertArrayEquals(elements(), found);
            }
        }
    }

    @Test
    void newShard_ofShardsOfSeveralModes_hasTheRightsOfEach() throws IOException {
        Path at = array("a.zarr");
        setChunks(at, "rw-rw-r--");
        setMode(at.resolve("c/0/0"), "rw-r-----");
        setMode(at.resolve("c/1/0"), "rw-rw-r--");
        setMode(at.resolve("c/7/0"), "r--r--r--");
        try (ZarrArray array = Zarr.openArray(at.toString())) {
            Relayout.of(array, ShardLayout.shardShape(4, 4)).run(Mode.APPLY, reported -> {});
        }
        assertEquals("rw-r-----", mode(at.resolve("c/0/0")));
        assertEquals("rw-rw-r--", mode(at.resolve("c/1/0")), "also where the umask is narrower");
        assertEquals("r--r--r--", mode(at.resolve("c/3/0")));
    }

    @Test
    void newChunk_ofAnArrayWithAPrivateDocument_isPrivate() throws IOException {
        Path at = array("a.zarr");
        setMode(at.resolve("zarr.json"), PRIVATE);
        Files.delete(at.resolve("c/0/0"));
        try (ZarrArray array = Zarr.openArray(at.toString())) {
            array.write(array.domain(), elements(), 0);
        }
        assertEquals(PRIVATE, mode(at.resolve("c/0/0")));
        assertEquals(mode(dir.resolve("usual")), mode(at.resolve("c/1/0")), "an existing shard keeps its mode");
    }
}
