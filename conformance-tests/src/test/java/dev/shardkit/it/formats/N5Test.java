package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** N5 that tensorstore and lz4-java wrote ({@code tools/make_n5.py}): read, written, copied, over HTTP, damaged. */
@Timeout(240)
@Tag("one-jdk")
class N5Test {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final List<String> TYPES =
            List.of("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float32", "float64");
    private static final List<String> CODECS = List.of(
            "by/codec/raw",
            "by/codec/gzip",
            "by/codec/zlib",
            "by/codec/bzip2",
            "by/codec/xz",
            "by/codec/zstd",
            "by/codec/blosc",
            "java/raw",
            "java/lz4");

    @TempDir
    Path folder;

    private Path root;

    @BeforeEach
    void unpack() throws IOException {
        root = folder.resolve("data.n5");
        try (InputStream in = Samples.class.getResourceAsStream("n5.zip");
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = root.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.write(file, zip.readAllBytes());
            }
        }
    }

    /** Element i, counted with the first dimension fastest, is (i * 7919) % 60013 in the array's type. */
    private static long expected(long[] at, long[] shape, String type) {
        long i = 0;
        for (int d = shape.length - 1; d >= 0; d--) {
            i = i * shape[d] + at[d];
        }
        long value = i * 7919 % 60013;
        return switch (type) {
            case "uint8" -> value & 0xff;
            case "int8" -> (byte) value;
            case "int16" -> (short) value;
            default -> value;
        };
    }

    private static void check(ZarrArray array, Box region) {
        NdArray found = array.read(region);
        String type = array.dataType().name();
        for (long i = 0; i < region.count(); i++) {
            long[] at = Shapes.unravel(i, region.shape());
            long[] in = at.clone();
            for (int d = 0; d < in.length; d++) {
                in[d] += region.origin(d);
            }
            long value = type.startsWith("float") ? (long) found.doubleAt(at) : found.longAt(at);
            assertEquals(expected(in, array.shape(), type), value, () -> array.path() + " at " + List.of(in));
        }
    }

    @Test
    void everyTypeAndCodec_isRead_inAnyRegion() {
        try (ZarrGroup group = Zarr.openGroup(root.toString())) {
            assertEquals(Optional.of("n5"), group.nodeFormat());
            for (String type : TYPES) {
                ZarrArray array = group.array("types/" + type);
                assertEquals(type, array.dataType().name());
                check(array, Box.of(array.shape()));
            }
            for (String path : CODECS) {
                ZarrArray array = group.array(path);
                assertArrayEquals(new long[] {7, 5, 4}, array.shape(), "N5's order");
                check(array, Box.of(array.shape()));
                check(array, Box.of(new long[] {3, 2, 1}, new long[] {4, 3, 3}));
                check(array, Box.of(new long[] {6, 4, 3}, new long[] {1, 1, 1}));
            }
            byte[] line = group.array("java/varlength").read().bytes();
            for (int i = 0; i < line.length; i++) {
                assertEquals(i / 100, line[i]);
            }
        }
    }

    /** Damaged payloads would fail if a block were decoded; cut blocks would become whole if it were encoded. */
    @Test
    void copy_movesBlocksAsTheyAre_ifZarrNamesTheirCodecs() throws IOException {
        int moved = 0;
        for (String path : List.of("by/codec/raw", "by/codec/gzip", "by/codec/zstd", "by/codec/blosc", "java/raw")) {
            Path from = root.resolve(path);
            Path to = folder.resolve("moved").resolve(path);
            try (java.util.stream.Stream<Path> files = Files.walk(from)) {
                for (Path file : files.filter(f -> f.getFileName().toString().matches("[0-9]+"))
                        .filter(Files::isRegularFile)
                        .toList()) {
                    byte[] block = Files.readAllBytes(file);
                    java.util.Arrays.fill(block, 20, block.length, (byte) 0xa5);
                    Files.write(file, block);
                }
            }
            try (ZarrArray array = Zarr.openArray(from.toString());
                    Store target = Zarr.openStore(to.toString(), OPTIONS)) {
                Copy.of(array).to(target, OPTIONS);
            }
            try (java.util.stream.Stream<Path> files = Files.walk(from)) {
                for (Path file : files.filter(Files::isRegularFile)
                        .filter(f -> !f.getFileName().toString().equals("attributes.json"))
                        .toList()) {
                    assertArrayEquals(
                            Files.readAllBytes(file),
                            Files.readAllBytes(to.resolve(from.relativize(file))),
                            () -> "" + file);
                    moved++;
                }
            }
        }
        assertTrue(moved > 20, "" + moved);
    }

    @Test
    void absentBlocks_areZero_andAxesNameDimensions() {
        try (ZarrArray line = Zarr.openArray(root.resolve("line").toString())) {
            int[] values = line.read().ints();
            assertArrayEquals(new int[4], java.util.Arrays.copyOfRange(values, 4, 8));
            assertEquals(9 * 7919 % 60013, values[9]);
            assertEquals(Optional.of(List.of(Optional.of("x"))), line.metadata().dimensionNames());
            assertEquals(
                    Set.of("axes", "units", "resolution"),
                    line.attributes().members().keySet());
        }
    }

    @Test
    void foldersWithoutDocument_areGroups_foldersOfBlocksAreNot() {
        try (ZarrGroup group = Zarr.openGroup(root.toString())) {
            assertEquals(Set.of("by", "java", "line", "types"), group.childNames());
            assertEquals(Set.of("codec"), group.group("by").childNames());
            assertEquals(Set.of("title"), group.attributes().members().keySet());
            assertEquals(Optional.empty(), group.find("by/codec/raw/0"));
            assertEquals(Optional.empty(), group.find("nothing"));
            Verification.Summary summary = Verification.of(group).run(finding -> {});
            assertEquals(21, summary.arrays());
            assertEquals(0, summary.errors());
            assertEquals(0, summary.notes());
        }
    }

    @Test
    void elements_areWritten() {
        for (String path : CODECS) {
            try (ZarrArray array = Zarr.openArray(root.resolve(path).toString())) {
                Box box = Box.of(new long[] {5, 3, 2}, new long[] {2, 2, 2});
                array.write(box, new short[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
                assertArrayEquals(
                        new short[] {1, 2, 3, 4, 5, 6, 7, 8}, array.read(box).shorts(), path);
                check(array, Box.of(new long[] {4, 3, 3}));
                check(array, Box.of(new long[] {0, 0, 2}, new long[] {5, 5, 2}));
            }
        }
    }

    @Test
    void copyAndConversion_areZarrV3() throws IOException {
        Path copy = folder.resolve("copy.zarr");
        try (ZarrGroup group = Zarr.openGroup(root.toString());
                Store to = Zarr.openStore(copy.toString(), OPTIONS)) {
            Copy.of(group).to(to, OPTIONS);
        }
        try (ZarrGroup group = Zarr.openGroup(copy.toString())) {
            assertEquals(Optional.empty(), group.nodeFormat());
            CODECS.forEach(path -> check(group.array(path), Box.of(new long[] {7, 5, 4})));
        }
        Path converted = folder.resolve("converted.zarr");
        try (Store from = Zarr.openStore(root.toString(), OPTIONS);
                Store to = Zarr.openStore(converted.toString(), OPTIONS)) {
            Conversion.to(from, to, OPTIONS).run(Mode.APPLY, node -> {});
        }
        String cut = "java/raw/1/1/1";
        assertArrayEquals(Files.readAllBytes(root.resolve(cut)), Files.readAllBytes(converted.resolve(cut)));
        try (ZarrArray lz4 = Zarr.openArray(converted.resolve("java/lz4").toString())) {
            check(lz4, Box.of(new long[] {7, 5, 4}));
            assertFalse(lz4.metadata().codecs().json().toString().contains("n5.lz4_block"), "no name of Zarr v3");
        }
    }

    @Test
    void overHttp_onlyIfTheLocationNamesIt() throws IOException {
        try (RangeServer server = RangeServer.over(root)) {
            String url = server.uri().resolve("/").toString();
            assertThrows(ZarrException.class, () -> Zarr.openGroup(url));
            assertTrue(
                    server.log().stream().noneMatch(hit -> hit.key().contains("attributes.json")),
                    () -> "requests for N5: " + server.log());
            try (ZarrArray array = Zarr.openArray("n5:" + url + "by/codec/zstd")) {
                check(array, Box.of(array.shape()));
            }
        }
    }

    @Test
    void location_mayBeRelativeOrAFile() {
        try (ZarrArray array = Zarr.openArray("n5:" + root.resolve("by/codec/gzip"))) {
            check(array, Box.of(array.shape()));
        }
        try (ZarrArray array =
                Zarr.openArray("n5:" + root.resolve("by/codec/gzip").toUri())) {
            check(array, Box.of(array.shape()));
        }
    }

    @Test
    void damagedBlocks_areDeclaredErrors() throws IOException {
        Path block = root.resolve("java/lz4/0/0/0");
        byte[] good = Files.readAllBytes(block);
        assertRefused(block, good, 1, 1, UnsupportedException.class, "varlength");
        assertRefused(block, good, 1, 2, UnsupportedException.class, "object");
        assertRefused(block, good, 0, 9, CorruptDataException.class, "mode 0 (default)");
        assertRefused(block, good, 3, 2, CorruptDataException.class, "expected 3 dimensions, found 2");
        assertRefused(block, good, 4, 0x7f, CorruptDataException.class, "at most [4, 3, 3]");
        assertRefused(block, good, good.length - 30, 1, ZarrException.class, "");
        assertRefused(block, good, 16 + 17, 1, ChecksumException.class, "checksum");
        Files.write(block, java.util.Arrays.copyOf(good, 10));
        try (ZarrArray array = Zarr.openArray(root.resolve("java/lz4").toString())) {
            CorruptDataException e = assertThrows(CorruptDataException.class, array::read);
            assertTrue(e.getMessage().contains("a header of at least 16 bytes, found 10"), e.getMessage());
        }
    }

    private void assertRefused(
            Path block, byte[] good, int at, int value, Class<? extends ZarrException> kind, String message)
            throws IOException {
        byte[] bad = good.clone();
        bad[at] = (byte) (bad[at] == value ? value + 1 : value);
        Files.write(block, bad);
        try (ZarrArray array = Zarr.openArray(root.resolve("java/lz4").toString())) {
            ZarrException e = assertThrows(kind, array::read, message);
            assertTrue(e.getMessage().contains(message), e.getMessage());
        }
    }

    @Test
    void malformedDocument_namesFileAndMember() throws IOException {
        Path document = root.resolve("line/attributes.json");
        String good = Files.readString(document);
        Files.writeString(document, good.replace("[4]", "[4, 4]"));
        ZarrException e = assertThrows(
                MetadataException.class,
                () -> Zarr.openArray(document.getParent().toString()));
        assertTrue(e.getMessage().contains("attributes.json: /blockSize: expected 1 lengths"), e.getMessage());
        Files.writeString(document, good.replace("raw", "jpeg"));
        e = assertThrows(
                UnsupportedException.class,
                () -> Zarr.openArray(document.getParent().toString()));
        assertTrue(e.getMessage().contains("jpeg"), e.getMessage());
    }

    @Test
    void conversionInPlace_writesDocumentsBeside() throws IOException {
        try (Store store = Zarr.openStore(root.resolve("by/codec/zstd").toString(), OPTIONS)) {
            Conversion.inPlace(store, OPTIONS).run(Mode.APPLY, node -> {});
        }
        assertTrue(Files.exists(root.resolve("by/codec/zstd").resolve(NodePath.DOCUMENT)));
        try (ZarrArray array = Zarr.openArray(root.resolve("by/codec/zstd").toString())) {
            assertEquals(Optional.empty(), array.nodeFormat());
            assertEquals(
                    List.of("n5_default"),
                    array.metadata().codecs().codecs().stream()
                            .map(c -> c.name())
                            .toList());
            check(array, Box.of(array.shape()));
        }
    }
}
