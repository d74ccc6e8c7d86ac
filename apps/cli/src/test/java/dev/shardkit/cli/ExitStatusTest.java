package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of exit statuses in the guide: each line here is one case of it. */
class ExitStatusTest {
    @TempDir
    Path dir;

    private final List<String> wrong = new ArrayList<>();

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    private void expect(int status, String... command) {
        Cli.Result result = Cli.run(command);
        if (result.status() != status) {
            wrong.add("expected " + status + ", found " + result.status() + ": " + String.join(" ", command) + "\n"
                    + result.err());
        }
    }

    private void prepare() throws IOException {
        String array = Nodes.numbers(dir.resolve("a"));
        Cli.good("group", path("g"));
        Cli.good("copy", array, path("g/child"));
        Cli.good("copy", array, path("other"));
        try (var other = Zarr.openArray(path("other"))) {
            other.write(other.domain(), new int[(int) (other.shape()[0] * other.shape()[1])], 0);
        }
        Zarr.createArray(path("bytes"), ArraySpec.of("uint8", 4)).close();
        Files.write(dir.resolve("odd.raw"), new byte[3]);
    }

    @Test
    void table_holds() throws IOException {
        prepare();
        // 0: done
        expect(0, "info", path("a"));
        expect(0, "diff", path("a"), path("g/child"));
        expect(0, "verify", path("a"));
        expect(0, "attrs", path("a"), "--set", "k=1");
        // 1: what is stored does not allow it, or a store fails
        expect(1, "info", path("missing"));
        expect(1, "create", path("a"), "--shape", "3", "--data-type", "uint8");
        expect(1, "group", path("g"));
        expect(1, "rm", path("g"));
        expect(1, "rm", path("missing"));
        expect(1, "attrs", path("a"), "--remove", "nope");
        expect(1, "attrs", path("a"), "--get", "nope");
        expect(1, "copy", path("missing"), path("x"));
        expect(1, "write", path("a"), "--from", path("missing.raw"));
        expect(1, "info", "http://127.0.0.1:1/a");
        // 1: a check found something
        expect(1, "diff", path("a"), path("other"));
        expect(1, "ome", "validate", path("g"));
        // 2: the command line is wrong, or what it gives does not fit the array
        expect(2, "inof", path("a"));
        expect(2, "info");
        expect(2, "create", path("n"), "--shape", "x", "--data-type", "uint8");
        expect(2, "create", path("n"), "--shape", "3", "--data-type", "uint17");
        expect(2, "read", path("a"), "--region", "0:99,0");
        expect(2, "append", path("a"), "--from", path("odd.raw"));
        expect(2, "append", path("a"), "--from", path("odd.raw"), "--axis", "7");
        expect(2, "write", path("a"), "--from", path("odd.raw"));
        expect(2, "import", path("odd.raw"), path("n"), "--shape", "4", "--data-type", "uint8");
        expect(2, "resize", path("a"), "--shape", "1");
        expect(2, "attrs", path("a"), "--replace", "{");
        // 3: a command that reports findings by status 1 did not finish
        expect(3, "diff", path("a"), path("missing"));
        expect(3, "verify", path("missing"));
        expect(3, "ome", "validate", path("missing"));
        expect(3, "compact", path("missing"));
        expect(3, "repair", path("missing"));
        expect(3, "convert", path("missing"));
        expect(3, "reshard", path("missing"), "--shard-shape", "auto");
        assertEquals(List.of(), wrong);
    }

    @Test
    void helpOfCommandsWithStatus3_listsIt() {
        for (String[] command : new String[][] {
            {"diff"}, {"verify"}, {"ome"}, {"compact"}, {"repair"}, {"convert"}, {"reshard"}, {"aggregate"}
        }) {
            String help = Cli.good(command[0], "--help").out();
            assertTrue(help.contains("Exit status") && help.contains("3"), help);
        }
    }
}
