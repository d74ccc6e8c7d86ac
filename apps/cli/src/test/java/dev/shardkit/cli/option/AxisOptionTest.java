package dev.shardkit.cli.option;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Axes by name, and lengths as people type them. */
class AxisOptionTest {
    @TempDir
    Path dir;

    private String create(String name, String shape, String names) {
        String url = dir.resolve(name).toString();
        Cli.run("create", url, "--shape", shape, "--data-type", "uint8", "--dimension-names", names);
        return url;
    }

    private static long[] shape(String url) {
        try (ZarrArray array = Zarr.openArray(url)) {
            return array.shape();
        }
    }

    @Test
    void concat_takesTheNameOfAnAxis() {
        String a = create("a", "2,3", "z,y");
        String to = dir.resolve("to").toString();
        Cli.bad(2, "or one of z, y, found q", "concat", a, a, "--axis", "q", "--to", to);
        Cli.good("concat", a, a, "--axis", "y", "--to", to);
        assertArrayEquals(new long[] {2, 6}, shape(to));
    }

    @Test
    void append_saysThatThereAreNoAxes() {
        Cli.bad(2, "has no axes", "append", create("s", "", ""), "--from", "none.raw");
    }

    @Test
    void lengths_mayHaveBlanks_butNotBeNegative() {
        String a = create("a", "2,3", "z,y");
        Cli.good("resize", a, "--shape", "3, 4");
        assertArrayEquals(new long[] {3, 4}, shape(a));
        Cli.bad(2, "must not be negative", "resize", a, "--shape=-1,4");
    }
}
