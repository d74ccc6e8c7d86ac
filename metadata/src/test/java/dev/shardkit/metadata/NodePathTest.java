package dev.shardkit.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.MetadataException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodePathTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a.b",
                ".a",
                "a..",
                "_a",
                "__",
                "__categories",
                "zarr.json5",
                "name with spaces é",
                "c",
                "-",
                "\\"
            })
    void name_legal_isTaken(String name) {
        assertEquals(List.of("x", name), NodePath.of("/x/" + name).names());
        assertEquals(NodePath.of("x/" + name), NodePath.of("x").child(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"__", "__categories", "__shardkit", "zarr.json"})
    void newName_thatZarrReserves_isRefused(String name) {
        assertThrows(MetadataException.class, () -> NodePath.checkNewName(name));
        assertThrows(MetadataException.class, () -> new NodePath(List.of("x", name)).checkedNew());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "......", "__shardkit", "zarr.json"})
    void name_illegal_isRefused(String name) {
        assertThrows(MetadataException.class, () -> NodePath.checkName(name));
        assertThrows(MetadataException.class, () -> NodePath.of("a/" + name + "/b"));
        assertThrows(MetadataException.class, () -> NodePath.root().child(name));
    }

    @Test
    void child_withASlash_isRefused() {
        assertThrows(MetadataException.class, () -> NodePath.root().child("a/b"));
        assertThrows(MetadataException.class, () -> NodePath.of("//a"));
        assertThrows(MetadataException.class, () -> NodePath.of("a/"));
    }

    @Test
    void path_parts_areNamed() {
        NodePath path = NodePath.of("/a/b");
        assertEquals("/a/b", path.toString());
        assertEquals("a/b", path.key());
        assertEquals("a/b/zarr.json", path.documentKey());
        assertEquals(Optional.of("b"), path.name());
        assertEquals(Optional.of(NodePath.of("a")), path.parent());
        assertTrue(NodePath.of("/").isRoot() && NodePath.of("").isRoot());
        assertEquals("zarr.json", NodePath.root().documentKey());
        assertEquals(Optional.empty(), NodePath.root().parent());
        assertEquals("/", NodePath.root().toString());
    }
}
