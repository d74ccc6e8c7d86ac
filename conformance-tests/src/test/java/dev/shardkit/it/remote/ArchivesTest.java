package dev.shardkit.it.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Hit;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays in ZIP archives: local ones are written and read, all are read by ranges. */
@Timeout(120)
class ArchivesTest {
    @TempDir
    private Path folder;

    private static ArraySpec spec(IndexLocation location) {
        return ArraySpec.of("int32", 256, 256)
                .withChunkShape(16, 16)
                .withShardShape(128, 128)
                .withIndexLocation(location)
                .withCodecs(Codecs.bytesLittleEndian());
    }

    private static int[] values() {
        return IntStream.range(0, 256 * 256).toArray();
    }

    private static void write(String location, IndexLocation index) {
        try (ZarrArray array = Zarr.createArray(location, spec(index))) {
            array.write(array.domain(), values(), 0);
        }
    }

    private static Box chunk(long row, long column) {
        return Box.of(new long[] {row * 16, column * 16}, new long[] {16, 16});
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.zip", "a.ozx", "zip:a.bin", "zip:a.zip!inner/array", "a.zip|zip:x|zarr3:y/"})
    void array_isWrittenReadAndChanged(String name) {
        String location = name.startsWith("zip:") ? "zip:" + folder + "/" + name.substring(4) : folder + "/" + name;
        write(location, IndexLocation.END);
        int[] expected = values();
        try (ZarrArray array = Zarr.openArray(location)) {
            assertArrayEquals(expected, array.read().ints());
            array.write(chunk(3, 3), new int[256], 0);
            for (int i = 0; i < 256; i++) {
                expected[(48 + i / 16) * 256 + 48 + i % 16] = 0;
            }
            assertArrayEquals(expected, array.read().ints(), "before it is published");
        }
        try (ZarrArray array = Zarr.openArray(location)) {
            assertArrayEquals(expected, array.read().ints());
            List<Finding> findings = new ArrayList<>();
            Verification.of(array).run(findings::add);
            assertEquals(List.of(), findings);
        }
    }

    /** Several writers in one program change one shard under conditions, since archives have no locks. */
    @Test
    void parallelWrites_ofOneShard_loseNothing() {
        String location = folder.resolve("a.zip").toString();
        write(location, IndexLocation.END);
        try (ZarrArray array = Zarr.openArray(location)) {
            IntStream.range(0, 64).parallel().forEach(i -> {
                int[] ones = new int[256];
                Arrays.fill(ones, -i);
                array.write(chunk(i / 8, i % 8), ones, 0);
            });
        }
        try (ZarrArray array = Zarr.openArray(location)) {
            for (int i = 0; i < 64; i++) {
                assertEquals(-i, array.read(chunk(i / 8, i % 8)).ints()[7]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void partOfAShard_inAnArchiveOnAServer_isRead_byRanges(IndexLocation index) throws IOException {
        Path archive = folder.resolve("a.zip");
        write(archive.toString(), index);
        try (RangeServer server = RangeServer.start()) {
            server.put("data/a.zip", Files.readAllBytes(archive));
            try (ZarrArray array = Zarr.openArray(server.uri() + "/data/a.zip")) {
                assertEquals(2, server.log().size(), "the end with the directory, zarr.json: " + server.log());
                server.clearLog();
                assertEquals(
                        values()[9 * 16 * 256 + 32], array.read(chunk(9, 2)).ints()[0]);
                assertEquals(2, server.log().size(), "the index, the inner chunk: " + server.log());
                assertEquals(
                        64 * 16 + 4 + 1024,
                        server.log().stream().mapToLong(Hit::bytes).sum());
                server.clearLog();
                assertEquals(
                        values()[10 * 16 * 256 + 80], array.read(chunk(10, 5)).ints()[0]);
                assertEquals(1, server.log().size(), "the inner chunk: " + server.log());
                assertArrayEquals(values(), array.read().ints());
            }
        }
    }

    /** A directory of 1,804 entries takes two requests, and chunks that are neighbours in the archive one. */
    @Test
    void archiveOfManyEntries_isOpenedByTwoRequests() throws IOException {
        ArraySpec many = ArraySpec.of("uint8", 1803, 10).withChunkShape(1, 10).withCodecs(Codecs.bytesLittleEndian());
        Path archive = folder.resolve("many.zip");
        byte[] values = new byte[18030];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) (i % 251 + 1);
        }
        try (ZarrArray array = Zarr.createArray(archive.toString(), many)) {
            array.write(array.domain(), values, 0);
        }
        try (RangeServer server = RangeServer.start()) {
            server.put("many.zip", Files.readAllBytes(archive));
            try (Store store = Zarr.openStore(server.uri() + "/many.zip", ZarrOptions.defaults());
                    ZarrArray array = Zarr.openArray(store, "", ZarrOptions.defaults())) {
                assertEquals(3, server.log().size(), "two for the directory, one for zarr.json: " + server.log());
                server.clearLog();
                assertArrayEquals(values, array.read().bytes());
                assertTrue(server.log().size() <= 4, "neighbouring chunks are one range: " + server.log());
            }
        }
    }

    @Test
    void archiveThatIsReplaced_whileItIsOpen_isReadAnew() throws IOException {
        Path archive = folder.resolve("a.zip");
        write(archive.toString(), IndexLocation.END);
        try (RangeServer server = RangeServer.start()) {
            server.put("a.zip", Files.readAllBytes(archive));
            try (ZarrArray array = Zarr.openArray(server.uri() + "/a.zip");
                    ZarrArray local = Zarr.openArray(archive.toString())) {
                assertEquals(0, array.read(chunk(0, 0)).ints()[0]);
                assertEquals(0, local.read(chunk(0, 0)).ints()[0]);
                try (ZarrArray writer = Zarr.openArray(archive.toString())) {
                    int[] next = new int[256 * 128];
                    Arrays.fill(next, 7);
                    writer.write(Box.of(new long[] {0, 0}, new long[] {128, 256}), next, 0);
                }
                server.put("a.zip", Files.readAllBytes(archive));
                assertEquals(7, array.read(chunk(1, 1)).ints()[0]);
                assertEquals(7, local.read(chunk(1, 1)).ints()[0]);
                assertEquals(
                        values()[255 * 256 + 255], local.read(chunk(15, 15)).ints()[255]);
            }
        }
    }

    @Test
    void tree_isCopiedIntoAnArchive_andOut() {
        Path plain = folder.resolve("plain");
        try (ZarrGroup group = Zarr.createGroup(
                        plain.toString(), new Json.Obj(Map.of()), IfExists.REFUSE, ZarrOptions.defaults());
                ZarrArray array = group.createArray("x", spec(IndexLocation.END), IfExists.REFUSE)) {
            array.write(array.domain(), values(), 0);
        }
        String archive = folder.resolve("copy.ozx").toString();
        copy(plain.toString(), archive);
        copy(archive, folder.resolve("back").toString());
        for (String place : List.of(archive + "|zip:x", folder.resolve("back/x").toString())) {
            try (ZarrArray array = Zarr.openArray(place)) {
                assertArrayEquals(values(), array.read().ints(), place);
            }
        }
        try (ZarrGroup group = Zarr.openGroup(archive)) {
            assertEquals(List.of("x"), List.copyOf(group.children().keySet()));
        }
    }

    private static void copy(String from, String to) {
        try (ZarrNode source = Zarr.open(from, ZarrOptions.defaults());
                Store target = Zarr.openStore(to, ZarrOptions.defaults())) {
            Copy.of(source).to(target, ZarrOptions.defaults());
        }
    }

    @Test
    void archiveInAnArchive_isRead() throws IOException {
        Path inner = folder.resolve("inner.zip");
        write(inner.toString(), IndexLocation.END);
        Path outer = folder.resolve("outer.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(outer))) {
            zip.setLevel(0);
            zip.putNextEntry(new ZipEntry("data/inner.zip"));
            Files.copy(inner, zip);
        }
        for (String location : List.of(
                outer + "|zip:data/inner.zip|zip:|zarr3:",
                "zip:zip:" + outer + "!data/inner.zip!",
                outer.toUri() + "|zip:data/inner.zip|zip:")) {
            try (ZarrArray array = Zarr.openArray(location)) {
                assertArrayEquals(values(), array.read().ints(), location);
            }
        }
    }

    @Test
    void wrongLocation_saysWhatALocationMayBe() {
        for (String wrong : List.of("zip:", "zip:!x", "zip:https:", "zip:https://host", "zip:memory:x", "zip:a/#b=c")) {
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class, () -> Zarr.openArray(wrong).close(), wrong);
            assertTrue(e.getMessage().contains("expected"), e.getMessage());
        }
        for (String wrong : List.of("a.zip|zip:x|gzip:", "|zip:", "a|zarr3:|zip:", "a.zip|zip:|x")) {
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class, () -> Zarr.openArray(wrong).close(), wrong);
            assertTrue(e.getMessage().contains("expected a location such as URL|zip:PATH|zarr3:PATH"), e.getMessage());
        }
    }

    @Test
    void archiveThatIsNotThere_orCannotBeWritten_saysSo() {
        try (RangeServer server = RangeServer.start()) {
            URI missing = server.uri().resolve("/none.zip");
            StoreException e = assertThrows(StoreException.class, () -> Zarr.openArray(missing.toString())
                    .close());
            assertTrue(e.getMessage().contains("there is no archive zip:http"), e.getMessage());
            server.put("a.zip", new byte[] {'P', 'K', 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
            UnsupportedException read = assertThrows(
                    UnsupportedException.class, () -> Zarr.createArray(server.uri() + "/a.zip", spec(IndexLocation.END))
                            .close());
            assertTrue(read.getMessage().contains("cannot write"), read.getMessage());
        }
    }

    /** A folder may be named as archives are. */
    @Test
    void folderOfThatName_isAFolder() throws IOException {
        Path named = Files.createDirectories(folder.resolve("a.zip"));
        write(named.toString(), IndexLocation.END);
        assertTrue(Files.exists(named.resolve("zarr.json")));
    }
}
