package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code preview}, {@code report} and {@code map --html}. */
class PicturesCommandTest {
    @TempDir
    Path dir;

    @Test
    void preview_drawsARegion() throws IOException {
        String array = Nodes.numbers(dir.resolve("a"));
        byte[] png = Cli.good("preview", array, "--region", "1:4,:", "--colours", "magma", "-o", "-")
                .bytes();
        assertEquals(8, ImageIO.read(new ByteArrayInputStream(png)).getWidth());
        String file = dir.resolve("a.png").toString();
        Cli.good("preview", array, "-o", file);
        assertEquals(6, ImageIO.read(Path.of(file).toFile()).getHeight());
        Cli.bad(2, "--colours", "preview", array, "--colours", "pink", "-o", file);
        Cli.bad(2, "PNG", "preview", array, "-o", dir.resolve("a.jpg").toString());
        Cli.bad(2, "--size", "preview", array, "--size", "1", "-o", file);
        String text = Nodes.tree(dir.resolve("t")) + "/deep/a/b";
        Cli.bad(1, "not numbers", "preview", text, "-o", dir.resolve("b.png").toString());
        assertFalse(Files.exists(dir.resolve("b.png")));
        Cli.bad(1, "not an OME-Zarr image", "preview", dir.resolve("t").toString(), "-o", file);
    }

    @Test
    void report_describesATree() {
        String tree = Nodes.tree(dir.resolve("t"));
        String page = Cli.good("report", tree, "-o", "-").out();
        assertTrue(page.startsWith("<!DOCTYPE html>") && page.contains("/deep/a/b"), page);
        String map = Cli.good("map", tree + "/top", "--html", "-").out();
        assertTrue(map.contains("stored inner chunks"), map);
        Cli.bad(2, "--html draws the whole array", "map", tree + "/top", "0,0", "--html", "-");
    }
}
