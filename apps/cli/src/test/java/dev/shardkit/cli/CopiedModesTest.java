package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of private files are private. */
class CopiedModesTest {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

    @TempDir
    Path dir;

    @BeforeEach
    void needsModes() {
        assumeTrue(dir.getFileSystem().supportedFileAttributeViews().contains("posix"));
    }

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    private static String hidden(String node) throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(node))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Files.setPosixFilePermissions(file, PRIVATE);
            }
        }
        return node;
    }

    private void assertModes(Set<String> expected, String node) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> all = Files.walk(Path.of(node))) {
            for (Path file : all.filter(Files::isRegularFile)
                    .filter(f -> !f.toString().contains("/__shardkit/"))
                    .toList()) {
                found.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
        }
        assertEquals(expected, found, node);
    }

    @Test
    void copies_ofPrivateNodes_arePrivate() throws IOException {
        String array = hidden(Nodes.numbers(dir.resolve("a")));
        Set<String> hidden = Set.of("rw-------");
        Cli.good("copy", array, path("same"));
        Cli.good("copy", array, path("other"), "--chunk-shape", "1,2");
        Cli.good("copy", hidden(Nodes.tree(dir.resolve("t"))), path("tree"));
        Cli.run("concat", array, path("same"), "--axis", "1", "--to", path("both"));
        for (String name : Set.of("same", "other", "tree", "both")) {
            assertModes(hidden, path(name));
        }
        assertEquals(
                Cli.good("read", array).out(), Cli.good("read", path("other")).out());
    }

    @Test
    void privateArray_ofAPublicTree_staysPrivate() throws IOException {
        String tree = Nodes.tree(dir.resolve("t"));
        assumeTrue(Files.getPosixFilePermissions(Path.of(tree, "zarr.json")).contains(PosixFilePermission.OTHERS_READ));
        hidden(tree + "/top");
        Cli.good("copy", tree, path("tree"));
        assertModes(Set.of("rw-------"), path("tree/top"));
        assertModes(Set.of("rw-r--r--"), path("tree/deep"));
    }
}
