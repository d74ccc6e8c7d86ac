package dev.shardkit.it.references;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.composed.Composition;
import dev.shardkit.store.composed.Composition.Kind;
import dev.shardkit.store.composed.Composition.StoredPart;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Arrays of Zarr v2 in several stores, laid out and described as shardedstore 0.3.1 does. */
@Timeout(120)
class ComposedArraysTest {
    @TempDir
    Path dir;

    private final Map<String, StoredPart> mounts = new TreeMap<>();
    private final Map<String, StoredPart> parts = new TreeMap<>();

    private static String zarray(String shape, String chunks) {
        return "{\"zarr_format\":2,\"shape\":" + shape + ",\"chunks\":" + chunks
                + ",\"dtype\":\"|u1\",\"compressor\":null,\"fill_value\":0,\"order\":\"C\",\"filters\":null,"
                + "\"dimension_separator\":\"/\"}";
    }

    private void file(String path, byte... bytes) throws IOException {
        Path file = dir.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private void text(String path, String text) throws IOException {
        file(path, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A group with an array in the base, a group in a folder, and an array whose planes have folders of their own. */
    @BeforeEach
    void write() throws IOException {
        text("base.zarr/.zgroup", "{\"zarr_format\":2}");
        text("base.zarr/plain/.zarray", zarray("[4]", "[2]"));
        file("base.zarr/plain/0", (byte) 1, (byte) 2);
        file("base.zarr/plain/1", (byte) 3, (byte) 4);
        text("group.zarr/.zgroup", "{\"zarr_format\":2}");
        text("group.zarr/x/.zarray", zarray("[3]", "[3]"));
        file("group.zarr/x/0", (byte) 5, (byte) 6, (byte) 7);
        text("base.zarr/arr/.zarray", zarray("[3,2,2]", "[1,1,2]"));
        for (int plane = 0; plane < 3; plane++) {
            String part = "arr-parts/" + plane + ".zarr";
            text(part + "/.zarray", zarray("[6,2]", "[1,2]"));
            file(part + "/0/0", (byte) (10 * plane), (byte) (10 * plane + 1));
            file(part + "/1/0", (byte) (10 * plane + 2), (byte) (10 * plane + 3));
            parts.put("" + plane, folder(part));
        }
        mounts.put("group", folder("group.zarr"));
    }

    private StoredPart folder(String name) {
        return new StoredPart(Kind.FOLDER, dir.resolve(name).toString());
    }

    private String location() throws IOException {
        Composition all = new Composition(folder("base.zarr"), mounts, Map.of("arr", parts));
        text("composed.json", all.json().toString());
        return "composed:" + dir.resolve("composed.json");
    }

    @Test
    void allParts_areRead() throws IOException {
        try (ZarrGroup root = Zarr.openGroup(location())) {
            assertEquals(Set.of("plain", "group", "arr"), root.children().keySet());
        }
        assertArrayEquals(new byte[] {1, 2, 3, 4}, read("plain"));
        assertArrayEquals(new byte[] {5, 6, 7}, read("group/x"));
        assertArrayEquals(new byte[] {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}, read("arr"));
        try (ZarrArray array = Zarr.openArray(location() + "!arr")) {
            assertEquals(6, array.presence().stream().count());
        }
    }

    private byte[] read(String path) throws IOException {
        try (ZarrArray array = Zarr.openArray(location() + "!" + path)) {
            return array.read().bytes();
        }
    }

    @Test
    void writes_reachTheirPart() throws IOException {
        try (ZarrArray array = Zarr.openArray(location() + "!arr")) {
            array.write(Box.of(new long[] {1, 1, 0}, new long[] {2, 1, 1}), new byte[] {98, 99}, 0);
        }
        try (ZarrArray array = Zarr.openArray(location() + "!group/x")) {
            array.write(Box.of(new long[] {1}, new long[] {1}), new byte[] {97}, 0);
        }
        assertArrayEquals(new byte[] {5, 97, 7}, Files.readAllBytes(dir.resolve("group.zarr/x/0")));
        assertArrayEquals(new byte[] {98, 13}, Files.readAllBytes(dir.resolve("arr-parts/1.zarr/1/0")));
        assertArrayEquals(new byte[] {99, 23}, Files.readAllBytes(dir.resolve("arr-parts/2.zarr/1/0")));
        assertArrayEquals(new byte[] {0, 1, 2, 3, 10, 11, 98, 13, 20, 21, 99, 23}, read("arr"));
    }

    /** The name of a part {@code 0} does not show the separator. With the other one, its chunks are strays. */
    @Test
    void chunks_areListedOnce_withTheSeparatorOfTheArray() throws IOException {
        for (String separator : new String[] {"/", "."}) {
            text("base.zarr/arr/.zarray", zarray("[2,2]", "[1,1]").replace("\"/\"", "\"" + separator + "\""));
            parts.clear();
            for (int row = 0; row < 2; row++) {
                String part = "rows/" + row;
                file(part + "/0", (byte) (10 * row));
                file(part + "/1", (byte) (10 * row + 1));
                parts.put("" + row, folder(part));
            }
            try (ZarrArray array = Zarr.openArray(location() + "!arr")) {
                assertArrayEquals(new byte[] {0, 1, 10, 11}, array.read().bytes());
                List<Object> found = new ArrayList<>();
                Verification.of(array).run(found::add);
                assertEquals(List.of(), found, separator);
            }
        }
    }

    /**
     * Writers of Zarr v3 check that all locks of a call are those of one array, which here has a lock file in each
     * part.
     */
    @Test
    void arraysOfZarrV3_inParts_areWritten() throws IOException {
        Files.delete(dir.resolve("base.zarr/arr/.zarray"));
        text(
                "base.zarr/arr/zarr.json",
                "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[4,2,2],\"data_type\":\"uint8\",\"fill_value\":0,"
                        + "\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":[1,1,2]}},"
                        + "\"chunk_key_encoding\":{\"name\":\"v2\",\"configuration\":{\"separator\":\"/\"}},"
                        + "\"codecs\":[{\"name\":\"bytes\"}]}");
        try (ZarrArray array = Zarr.openArray(location() + "!arr")) {
            array.write(Box.of(new long[] {0, 0, 0}, new long[] {4, 2, 1}), new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
        }
        assertArrayEquals(new byte[] {3, 11}, Files.readAllBytes(dir.resolve("arr-parts/1.zarr/0/0")));
        assertArrayEquals(new byte[] {8, 0}, Files.readAllBytes(dir.resolve("base.zarr/arr/3/1/0")));
    }

    @Test
    void archive_isAPart_andMakesAllReadOnly() throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(dir.resolve("group.zip")))) {
            Map<String, byte[]> entries = new LinkedHashMap<>();
            for (String name : new String[] {".zgroup", "x/.zarray", "x/0"}) {
                entries.put(name, Files.readAllBytes(dir.resolve("group.zarr").resolve(name)));
            }
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
        mounts.put("group", new StoredPart(Kind.ZIP, "group.zip"));
        assertArrayEquals(new byte[] {5, 6, 7}, read("group/x"));
        try (ZarrArray array = Zarr.openArray(location() + "!plain")) {
            assertThrows(UnsupportedException.class, () -> array.write(array.domain(), new byte[4], 0));
        }
    }

    @Test
    void parts_outsideTheFolder_areRefusedUnlessAllowed(@TempDir Path other) throws IOException {
        Path moved = other.resolve("group.zarr");
        Files.move(dir.resolve("group.zarr"), moved);
        mounts.put("group", new StoredPart(Kind.FOLDER, moved.toString()));
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> read("group/x"));
        assertTrue(e.getMessage().contains("outside its folder"), e::getMessage);
        mounts.put("group", new StoredPart(Kind.FOLDER, "../" + other.getFileName() + "/group.zarr"));
        assertThrows(UnsupportedException.class, () -> read("group/x"));
        LinksAndPipes.link(dir.resolve("link.zarr"), moved);
        mounts.put("group", folder("link.zarr"));
        assertThrows(UnsupportedException.class, () -> read("group/x"));
        try (ZarrArray array = Zarr.openArray(location() + "!group/x#allow=" + other)) {
            assertArrayEquals(new byte[] {5, 6, 7}, array.read().bytes());
        }
    }

    @Test
    void parts_inOneAnother_orMissing_areRefused() throws IOException {
        mounts.put("group", folder("base.zarr"));
        assertTrue(assertThrows(UnsupportedException.class, () -> read("plain"))
                .getMessage()
                .contains("lie in one another"));
        mounts.put("group", folder("base.zarr/plain"));
        assertThrows(UnsupportedException.class, () -> read("plain"));
        mounts.put("group", folder("none.zarr"));
        assertThrows(StoreException.class, () -> read("plain"));
        mounts.put("group", new StoredPart(Kind.ZIP, "group.zarr"));
        assertThrows(StoreException.class, () -> read("plain"));
    }

    @Test
    void invalidPathInside_isRefused() throws IOException {
        String location = location();
        for (String path : new String[] {"../plain", "group/../plain", "a//b", "__shardkit"}) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> Zarr.openGroup(location + "!" + path));
            assertTrue(e.getMessage().contains("not a key: \"" + path + '"'), e::getMessage);
        }
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void pipe_asDescription_isRefused() throws Exception {
        Path pipe = dir.resolve("pipe");
        LinksAndPipes.pipe(pipe);
        assertThrows(StoreException.class, () -> Zarr.openGroup("composed:" + pipe));
    }
}
