package dev.shardkit.cli.command.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MoveCommandTest {
    @TempDir
    Path folder;

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private static List<String> names(Path group) throws IOException {
        String document = Files.readString(group.resolve("zarr.json"));
        return List.of("top", "deep", "deep/a/b", "empty", "new", "new/a/b").stream()
                .filter(name -> document.contains("\"" + name + "\":"))
                .toList();
    }

    @Test
    void array_moves_withItsElements() {
        Nodes.numbers(folder.resolve("a.zarr"));
        String before = Cli.good("read", at("a.zarr")).out();
        Cli.good("mv", at("a.zarr"), at("below/b.zarr"));
        assertEquals(before, Cli.good("read", at("below/b.zarr")).out());
        assertFalse(Files.exists(folder.resolve("a.zarr")));
    }

    @Test
    void group_moves_andConsolidatedMetadataFollow() throws IOException {
        Path tree = folder.resolve("t.zarr");
        Nodes.tree(tree);
        Cli.good("consolidate", tree.toString());
        assertEquals(List.of("top", "deep", "deep/a/b", "empty"), names(tree));
        Cli.good("mv", tree + "/deep", tree + "/new");
        assertEquals(List.of("top", "empty", "new", "new/a/b"), names(tree));
        assertEquals("\"x\"", Cli.good("read", tree + "/new/a/b").lines().get(0));
    }

    @Test
    void archive_isCopied_thenTheSourceRemoved() {
        Nodes.numbers(folder.resolve("a.zarr"));
        String before = Cli.good("read", at("a.zarr")).out();
        Cli.good("mv", at("a.zarr"), at("b.zip"));
        assertEquals(before, Cli.good("read", at("b.zip")).out());
        assertFalse(Files.exists(folder.resolve("a.zarr/zarr.json")));
    }

    @Test
    void archiveThatCannotBePublished_leavesTheSource() throws IOException {
        String array = Nodes.numbers(folder.resolve("a.zarr"));
        Files.createDirectory(folder.resolve("__shardkit-archive-lock-b.zip")); // publishing locks this name
        Cli.bad(1, "expected a regular file", "mv", array, at("b.zip"));
        Cli.good("info", array);
        assertFalse(Files.exists(folder.resolve("b.zip")));
    }

    @Test
    void withinOneArchive_moves() {
        Nodes.tree(folder.resolve("t.zarr"));
        Cli.good("copy", at("t.zarr"), at("m.zip"));
        String archive = "zip:" + at("m.zip") + "!";
        String before = Cli.good("read", archive + "top").out();
        Cli.good("mv", archive + "top", archive + "moved");
        assertEquals(before, Cli.good("read", archive + "moved").out());
        Cli.bad(1, "no Zarr v3 array or group", "info", archive + "top");
    }

    @Test
    void otherFiles_areNotLost() throws IOException {
        Path tree = folder.resolve("t.zarr");
        Nodes.tree(tree);
        Path note = Files.writeString(tree.resolve("deep/a/note.txt"), "text");
        Cli.bad(1, "no array or group: deep/a/note.txt", "mv", tree.toString(), at("t.zip"));
        assertTrue(Files.exists(note));
        Cli.good("info", tree.toString());
        Files.move(note, tree.resolve("top/c/note"));
        Cli.bad(1, "no array or group: top/c/note", "mv", tree.toString(), at("t.zip"));
        Cli.good("mv", tree.toString(), at("u.zarr"));
        assertTrue(Files.exists(folder.resolve("u.zarr/top/c/note")), "a rename takes everything");
        Files.delete(folder.resolve("u.zarr/top/c/note"));
        Cli.good("mv", at("u.zarr"), at("u.zip"));
        assertEquals(
                "\"x\"",
                Cli.good("read", "zip:" + at("u.zip") + "!deep/a/b").lines().get(0));
    }

    @Test
    void nothing_isOverwritten() throws IOException {
        String array = Nodes.numbers(folder.resolve("a.zarr"));
        String other = Nodes.sparse(folder.resolve("b.zarr"));
        Cli.bad(1, "never overwritten by a move", "mv", array, other);
        Path full = Files.createDirectory(folder.resolve("full"));
        Files.writeString(full.resolve("thesis.txt"), "text");
        Cli.bad(1, "is not empty", "mv", array, full.toString());
        Cli.bad(1, "an array has no children", "mv", array, other + "/c");
        Cli.bad(2, "lies within the other", "mv", array, array + "/c");
        Cli.bad(1, "this place does not exist", "mv", at("missing"), at("c"));
        Path link = LinksAndPipes.link(folder.resolve("link.zarr"), Path.of(array));
        Cli.bad(1, "is a symbolic link", "mv", link.toString(), at("c"));
        Cli.good("info", array);
        Cli.good("info", other);
        assertTrue(Files.exists(full.resolve("thesis.txt")));
    }
}
