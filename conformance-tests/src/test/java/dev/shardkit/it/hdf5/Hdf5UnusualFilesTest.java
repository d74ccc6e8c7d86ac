package dev.shardkit.it.hdf5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.it.UnpackedSamples;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.testing.StampedFiles;
import dev.shardkit.testkit.server.RangeServer;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** HDF5 files that are unusual or claim too much ({@code tools/make_hdf5_odd.py}), and unusual locations. */
@Timeout(120)
@Tag("one-jdk")
class Hdf5UnusualFilesTest extends UnpackedSamples {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    Hdf5UnusualFilesTest() {
        super("hdf5-odd.zip");
    }

    private String file(String name) {
        return "hdf5:" + root.resolve(name);
    }

    private static Set<String> names(String location) {
        try (ZarrGroup group = Zarr.openGroup(location, OPTIONS)) {
            return Set.copyOf(group.childNames());
        }
    }

    private static void holds(String location, long... expected) {
        try (ZarrArray array = Zarr.openArray(location, OPTIONS)) {
            assertArrayEquals(expected, (long[]) array.read().array(), location);
        }
    }

    @Test
    void attributesWithoutElements_areEmptyLists() {
        try (ZarrArray array = Zarr.openArray(file("empty-attributes.h5") + "!x", OPTIONS)) {
            assertEquals(
                    "{\"lists\":[],\"array\":[],\"after\":1}",
                    array.attributes().toString());
        }
    }

    @Test
    void elementsThatAreTheSameText_areLeftOut() {
        try (ZarrArray array = Zarr.openArray(file("bomb.h5") + "!x", OPTIONS)) {
            assertEquals("{}", array.attributes().toString());
        }
    }

    @Test
    void thousandsOfSoftLinks_areRead_andCirclesEnd() {
        for (String name : List.of("soft.h5", "soft-latest.h5")) {
            assertEquals(3002, names(file(name)).size(), name);
            holds(file(name) + "!l2999", 0, 1, 2, 3);
        }
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> names(file("circles.h5")));
        assertTrue(e.getMessage().contains("links take more than"), e.getMessage());
    }

    @Test
    void datatypesWithNames_areNotListed() {
        assertEquals(Set.of("x"), names(file("named-type.h5")));
    }

    @Test
    void typesThatClaimManyBytes_areErrorsOfTheirDatasets() {
        String file = file("large-types.h5");
        assertTrue(names(file).containsAll(Set.of("array", "text0", "text7", "y")));
        holds(file + "!y", 0, 1, 2, 3);
        assertThrows(ZarrException.class, () -> Zarr.openArray(file + "!array", OPTIONS));
        try (ZarrGroup group = Zarr.openGroup(file, OPTIONS)) {
            ZarrException e = assertThrows(UnsupportedException.class, () -> group.array("text7"));
            assertTrue(e.getMessage().contains("larger than the file"), e.getMessage());
        }
    }

    @Test
    void deepGroups_areRead_andDeeperOnesAreErrorsWithTheirName() {
        holds(file("deep-400.h5") + "!" + "g/".repeat(400) + "x", 0, 1, 2);
        holds(file("deep-600.h5") + "!y", 0, 1, 2, 3);
        try (ZarrGroup group = Zarr.openGroup(file("deep-600.h5"), OPTIONS)) {
            ZarrException e = assertThrows(UnsupportedException.class, () -> group.array("g/".repeat(499) + "g"));
            assertTrue(e.getMessage().contains("g/g/g"), e.getMessage());
        }
    }

    @Test
    void objectsThatCannotBeRead_hideNoOthers() {
        String file = file("unreadable.h5");
        holds(file + "!y", 0, 1, 2, 3);
        try (ZarrGroup group = Zarr.openGroup(file, OPTIONS)) {
            assertEquals(Set.of("g", "d", "soft", "y"), Set.copyOf(group.childNames()));
            for (String name : List.of("g", "d", "soft")) {
                ZarrException e = assertThrows(UnsupportedException.class, () -> group.array(name));
                assertTrue(e.getMessage().contains("version 9"), e.getMessage());
            }
        }
    }

    @Test
    void pathsAndLabelsThatMultiply_areErrors() throws IOException {
        String deep = ("n".repeat(200) + "/").repeat(400);
        holds(file("long-keys.h5") + "!y", 0, 1, 2, 3);
        try (ZarrGroup group = Zarr.openGroup(file("long-keys.h5"), OPTIONS)) {
            ZarrException e = assertThrows(UnsupportedException.class, () -> group.array(deep + "many"));
            assertTrue(e.getMessage().contains("characters"), e.getMessage());
        }
        try (Store store = Zarr.openStore(root.toString(), OPTIONS)) {
            Hdf5References references = Hdf5References.of(store, "long-keys.h5", "", "long-keys.h5");
            assertTrue(references.leftOut().get(0).contains("characters"), () -> "" + references.leftOut());
        }
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> names(file("long-links.h5")));
        assertTrue(e.getMessage().contains("characters"), e.getMessage());
        holds(file("labels.h5") + "!y", 0, 1, 2, 3);
        e = assertThrows(UnsupportedException.class, () -> Zarr.openArray(file("labels.h5") + "!x", OPTIONS));
        assertTrue(e.getMessage().contains("larger than"), e.getMessage());
    }

    /** No other check sees these bytes, or it sees elements at other places. */
    @Test
    void aChangedByteOfAnyStructure_isAnErrorWithBothChecksums() throws IOException {
        byte[] good = Files.readAllBytes(root.resolve("checksums.h5"));
        String text = new String(good, StandardCharsets.ISO_8859_1);
        assertEquals("", damage("checksums.h5"));
        for (String place : ("HDF 10,OHDR 5,OCHK 7,FAHD 5,FADB 5,FADB 19,EAHD 5,EAIB 5,EASB 5,EADB 5,BTHD 14,BTIN 6,"
                        + "BTLF 6,FRHP 14,FHIB 6,FHDB 6")
                .split(",")) {
            String[] parts = place.split(" ");
            int found = 0;
            for (int at = text.indexOf(parts[0]); at >= 0; at = text.indexOf(parts[0], at + 1)) {
                byte[] bad = good.clone();
                bad[at + Integer.parseInt(parts[1])] ^= (byte) 0x80;
                StampedFiles.write(root.resolve("bad.h5"), bad);
                String message = damage("bad.h5");
                assertTrue(
                        message.isEmpty() || message.matches("(?s).*byte \\d+: expected the checksum 0x.*, found 0x.*"),
                        place + ": " + message);
                found += message.isEmpty() ? 0 : 1;
            }
            assertTrue(found >= (place.startsWith("FADB") ? 2 : 1), place);
        }
    }

    /** Returns the message of the error of reading everything; empty if there is none. */
    private String damage(String name) {
        try (ZarrGroup group = Zarr.openGroup(file(name), OPTIONS)) {
            for (String array : List.of("one-block", "pages", "grows", "tree")) {
                group.array(array).read();
            }
            assertEquals(60, group.group("links").childNames().size());
            assertEquals(7, group.group("more").attributes().members().size());
            return "";
        } catch (CorruptDataException e) {
            return e.getMessage();
        }
    }

    @Test
    void textOfFixedSize_losesItsPaddingOnly() {
        try (ZarrGroup group = Zarr.openGroup(file("texts.h5"), OPTIONS)) {
            assertEquals(
                    "{\"terminated\":\"a \\u000a\",\"zeros\":\"a\\u0000b \\u000a\",\"spaces\":\"l \\u000ax\\u000a\","
                            + "\"numpy\":\"line \\u000a\"}",
                    group.attributes().toString());
        }
    }

    @Test
    void dimensionNearTheLongest_hasItsChunks() {
        try (ZarrArray x = Zarr.openArray(file("longest.h5") + "!x", OPTIONS)) {
            assertEquals(Long.MAX_VALUE - 807, x.shape()[0]);
            byte[] first = x.read(Box.of(new long[] {8})).bytes();
            assertArrayEquals(new byte[] {7, 7, 7, 7, 7, 9, 7, 7}, first);
        }
    }

    @Test
    void namesOfValues_haveTheNumbersOfTheirType() {
        try (ZarrArray levels = Zarr.openArray(file("longest.h5") + "!levels", OPTIONS)) {
            assertEquals(
                    List.of("/data_type: the names of the values are left out: high = 300, low = -1"),
                    levels.metadata().remarks());
            assertArrayEquals(new short[] {-1, 300, -1}, levels.read().shorts());
        }
    }

    /** The places of chunks belong to one version of the file. */
    @Test
    void replacedFile_isAnError_untilItIsOpenedAgain() throws IOException {
        Path live = root.resolve("live.h5");
        Files.copy(root.resolve("swap1.h5"), live);
        try (RangeServer server = RangeServer.over(root)) {
            for (String location :
                    List.of("hdf5:" + live, "hdf5:" + server.uri().resolve("/live.h5"))) {
                Files.copy(root.resolve("swap1.h5"), live, StandardCopyOption.REPLACE_EXISTING);
                try (ZarrArray a = Zarr.openArray(location + "!a", OPTIONS)) {
                    assertEquals(1, ((double[]) a.read().array())[0]);
                    Path next = root.resolve("next.h5");
                    Files.copy(root.resolve("swap2.h5"), next);
                    Files.move(next, live, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
                    CorruptDataException e = assertThrows(CorruptDataException.class, a::read);
                    assertTrue(e.getMessage().contains("has changed"), e.getMessage());
                }
                try (ZarrArray a = Zarr.openArray(location + "!a", OPTIONS)) {
                    assertEquals(1, ((double[]) a.read().array())[0]);
                }
            }
        }
    }

    @Test
    void namesOfFiles_mayHaveAnyCharacters() throws IOException {
        for (String name : List.of(
                "a b.h5", "é.h5", "a+b,c.h5", "a'b.h5", "ab:c.h5", "a%41b.h5", "a#b?.h5", "a!b.h5", "{{x}}.h5")) {
            if (File.separatorChar == '\\' && name.matches(".*[:?].*")) {
                continue; // no names of Windows
            }
            Path path = root.resolve(name);
            Files.copy(root.resolve("named-type.h5"), path);
            String escaped = path.toUri().toString().replace("!", "%21");
            try (ZarrArray array = Zarr.openArray("hdf5:" + escaped + "!x", OPTIONS)) {
                assertArrayEquals(
                        new double[] {0, 1, 2}, (double[]) array.read().array(), name);
            }
        }
    }

    @Test
    void fileInAnArchive_isRead_withATrailingMark() throws IOException {
        Path archive = root.resolve("z.zip");
        try (OutputStream out = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : List.of("top.h5", "in/m m.h5")) {
                zip.putNextEntry(new ZipEntry(name));
                Files.copy(root.resolve("soft-latest.h5"), zip);
            }
        }
        holds("hdf5:zip:" + archive + "!top.h5!x", 0, 1, 2, 3);
        holds("hdf5:zip:" + archive.toUri() + "!in/m%20m.h5!l7", 0, 1, 2, 3);
        assertTrue(names("hdf5:zip:" + archive + "!in/m%20m.h5!").contains("x"));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> names(
                        "hdf5:zip:" + archive.toString().replace('\\', '/') + "!top.h5")
                .size());
        assertTrue(e.getMessage().contains("at the end"), e.getMessage());
    }

    @Test
    void fileInACache_isRead() throws IOException {
        try (RangeServer server = RangeServer.over(root)) {
            URI url = server.uri().resolve("/soft-latest.h5");
            System.setProperty("shardkit.cache.folder", folder.resolve("cache").toString());
            try {
                holds("hdf5:cache:" + url + "!x", 0, 1, 2, 3);
            } finally {
                System.clearProperty("shardkit.cache.folder");
            }
        }
    }
}
