package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that commands leave besides the nodes: lock files, which stay and are not counted. */
class OwnFilesTest {
    @TempDir
    Path dir;

    private String url(String name) {
        return dir.resolve(name).toString();
    }

    /** Returns the paths of the files below the folder that are no document, chunk or shard. */
    private Set<String> own(String name) throws IOException {
        try (Stream<Path> files = Files.walk(dir.resolve(name))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> dir.resolve(name).relativize(file).toString().replace('\\', '/'))
                    .filter(file -> file.contains("__"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> locks(String... nodes) {
        Set<String> names = new TreeSet<>();
        for (String node : nodes) {
            names.add(node + "__shardkit/lock");
            names.add(node + "__shardkit/lock-holders");
        }
        return names;
    }

    private void deleteOwn(String name) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(dir.resolve(name))) {
            all = files.filter(file -> file.toString().contains("__shardkit"))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }

    /** Finished commands leave lock files only, which no command counts, and archives hold none. */
    @Test
    void finishedCommands_leaveLockFilesOnly_whichAreNotCounted() throws Exception {
        Files.write(dir.resolve("raw"), new byte[16 * 16]);
        Cli.good("group", url("t"));
        Cli.good("create", url("t/a"), "--shape", "16,16", "--data-type", "uint8", "--chunk-shape", "4,4");
        Cli.good("write", url("t/a"), "--from", url("raw"));
        Cli.good("write", url("t/a"), "--from", url("raw"), "--strategy", "in-place");
        Cli.good("reshard", url("t/a"), "--shard-shape", "8,8");
        Cli.good("concat", url("t/a"), url("t/a"), "--axis", "0", "--to", url("t/both"));
        Cli.good("pyramid", url("t/a"), url("t/image"), "--axes", "y,x", "--levels", "2");
        Cli.good("copy", url("t"), url("copy"));
        Cli.good("copy", url("t"), url("copy.zip"));
        for (String tree : List.of("t", "copy")) {
            Set<String> own = own(tree);
            assertTrue(
                    locks("", "a/", "both/", "image/", "image/0/", "image/1/").containsAll(own), own::toString);
            assertTrue(own.containsAll(locks("a/")), own::toString);
        }
        try (ZipFile zip = new ZipFile(url("copy.zip"))) {
            assertFalse(zip.stream().anyMatch(entry -> entry.getName().contains("__")));
        }
        List<String> before = counted("copy");
        deleteOwn("copy");
        assertEquals(Set.of(), own("copy"));
        assertEquals(before, counted("copy"));
        assertEquals(Set.of(), own("copy"), "reading makes none");
    }

    private List<String> counted(String name) {
        List<String> answers = new ArrayList<>();
        for (String command : List.of("du", "tree", "ls", "verify")) {
            Cli.Result result = Cli.good(command, url(name));
            assertFalse(result.out().contains("__"), result.out());
            answers.add(result.out());
        }
        answers.add(Cli.good("diff", url("t"), url(name)).out());
        return answers;
    }
}
