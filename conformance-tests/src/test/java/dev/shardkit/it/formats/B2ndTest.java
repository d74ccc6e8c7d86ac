package dev.shardkit.it.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.it.UnpackedSamples;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.testing.StampedFiles;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arrays that Blosc2 wrote ({@code tools/make_blosc2.py}): read, copied, over HTTP, damaged. */
@Timeout(240)
class B2ndTest extends UnpackedSamples {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    B2ndTest() {
        super("blosc2.zip");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(f -> f.toString().endsWith(".bin"))
                    .map(f -> root.relativize(f).toString().replace(".bin", ""))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void everyTypeCodecAndFilter_isRead_inAnyRegion() throws IOException {
        assertEquals(70, names().size());
        for (String name : names()) {
            try (ZarrArray array = Zarr.openArray(root.resolve(name + ".b2nd").toString())) {
                Samples.check(array, expected(name), name);
                assertEquals(0, Verification.of(array).run(finding -> {}).errors(), name);
            }
        }
    }

    @Test
    void location_mayNameTheFormat() throws IOException {
        for (String prefix :
                List.of("b2nd:" + root, "b2nd:" + root.toUri().toString().replaceAll("/+$", ""))) {
            for (String name : List.of("stored", "sparse", "caterva")) {
                try (ZarrArray array = Zarr.openArray(prefix + "/" + name + ".b2nd")) {
                    Samples.check(array, expected(name), prefix);
                }
            }
        }
        ZarrException e = assertThrows(ZarrException.class, () -> Zarr.openArray("b2nd:" + root.resolve("nothing")));
        assertTrue(e.getMessage().contains("nothing/chunks.b2frame"), e.getMessage());
    }

    @Test
    void copy_isZarrV3_ofPlainChunks() throws IOException {
        for (String name : List.of("by/zstd-bitshuffle", "special/mixed", "types/big-u2")) {
            Path target = folder.resolve("copy").resolve(name);
            try (ZarrArray array = Zarr.openArray(root.resolve(name + ".b2nd").toString());
                    Store to = Zarr.openStore(target.toString(), OPTIONS)) {
                Copy.of(array).to(to, OPTIONS);
            }
            try (ZarrArray copied = Zarr.openArray(target.toString())) {
                Samples.check(copied, expected(name), name);
                assertFalse(copied.metadata().codecs().json().toString().contains("blosc2"));
            }
        }
    }

    /** The chunk has more than 64 KiB, so its blocks are read one by one. */
    @Test
    void overHttp_aPartOfALargeChunkIsAPartOfItsBytes() throws IOException {
        try (RangeServer server = RangeServer.over(root)) {
            String url = server.uri().resolve("/large.b2nd").toString();
            try (ZarrArray array = Zarr.openArray("b2nd:" + url)) {
                Samples.check(array, Box.of(array.shape()), expected("large"), "all");
                server.clearLog();
                Samples.check(array, Box.of(new long[3], new long[] {4, 5, 6}), expected("large"), "a block");
                assertTrue(server.log().size() <= 3, () -> "" + server.log());
            }
        }
    }

    /** python-blosc2 (4.14.1) makes such files for expressions and proxies; their chunks read as zeros. */
    @Test
    void arraysWhoseElementsAreElsewhere_areRefusedByName() throws IOException {
        Map<String, String> frames = Map.of(
                "LazyArray",
                "nqhiMmZyYW1lANIAAACnzwAAAAAAAADypBIAVQLTAAAAAAAAAATTAAAAAAAAAADSAAAAAdIAAAAE0gAAAATRAALR"
                        + "AALC2AYAAAAAAAEFAAAAAAAAAAAAk80AIN4AAqRiMm5k0gAAAHqpTGF6eUFycmF50gAAAKHcAALGAAAAIpcAAZHT"
                        + "AAAAAAAAAASR0gAAAASR0gAAAAQA2wAAAAN8dTHGAAAAAQEFAQUICAAAAAgAAAAoAAAAAAAAAAAAAAAAAAAAAAAA"
                        + "MAAAAAAAAACBlAGTzQAG3gAA3AAAzgAAACPYAAAAAAAAAAAAAAAAAAAAAAA=",
                "proxy-source",
                "nqhiMmZyYW1lANIAAACqzwAAAAAAAAD1pBIAVQLTAAAAAAAAAATTAAAAAAAAAADSAAAAAdIAAAAE0gAAAATRAALR"
                        + "AALC2AYAAAAAAAEFAAAAAAAAAAAAk80AI94AAqRiMm5k0gAAAH2scHJveHktc291cmNl0gAAAKTcAALGAAAAIpcA"
                        + "AZHTAAAAAAAAAASR0gAAAASR0gAAAAQA2wAAAAN8dTHGAAAAAQEFAQUICAAAAAgAAAAoAAAAAAAAAAAAAAAAAAAA"
                        + "AAAAMAAAAAAAAACBlAGTzQAG3gAA3AAAzgAAACPYAAAAAAAAAAAAAAAAAAAAAAA=",
                "b2o",
                "nqhiMmZyYW1lANIAAAC4zwAAAAAAAAHMpBIAVQLTAAAAAAAAAATTAAAAAAAAAADSAAAAAdIAAAAE0gAAAATRAALR"
                        + "AALD2AYAAAAAAAEFAAAAAAAAAAAAk80AGt4AAqRiMm5k0gAAAHSjYjJv0gAAAJvcAALGAAAAIpcAAZHTAAAAAAAA"
                        + "AASR0gAAAASR0gAAAAQA2wAAAAN8dTHGAAAAGIKka2luZKhsYXp5ZXhwcqd2ZXJzaW9uAQUBBQgIAAAACAAAACgA"
                        + "AAAAAAAAAAAAAAAAAAAAAAAwAAAAAAAAAIGUAZPNACXeAAKjYjJv0gAAACuwX2Iyb191c2VyX3ZsbWV0YdIAAACv"
                        + "3AACxgAAAH8FAYcBXwAAAF8AAAB/AAAAAAAAAAABBQAAAAAAAAAAAISka2luZKhsYXp5ZXhwcqd2ZXJzaW9uAapl"
                        + "eHByZXNzaW9uqChvMCArIDEpqG9wZXJhbmRzgaJvMIOka2luZKd1cmxwYXRop3ZlcnNpb24Bp3VybHBhdGimYS5i"
                        + "Mm5kxgAAACEFAQcBAQAAAAEAAAAhAAAAAAAAAAABBQAAAAAAAAAAAIDOAAAA7NgAAAAAAAAAAAAAAAAAAAAAAA==");
        for (Map.Entry<String, String> frame : frames.entrySet()) {
            Path file = root.resolve("elsewhere.b2nd");
            Files.write(file, Base64.getDecoder().decode(frame.getValue()));
            ZarrException e = assertThrows(UnsupportedException.class, () -> Zarr.openArray(file.toString()));
            assertTrue(e.getMessage().contains("(metalayer " + frame.getKey() + ")"), e.getMessage());
        }
    }

    /** c-blosc2 states {@code |u1} for elements of any size if the writing program names no type. */
    @Test
    void elementsOfSeveralBytes_withTheDefaultType_areRawBits() throws IOException {
        Path file = root.resolve("untyped.b2nd");
        byte[] typed = Files.readAllBytes(root.resolve("types/uint32.b2nd"));
        String header = new String(typed, StandardCharsets.ISO_8859_1).replaceFirst("<u4", "|u1");
        Files.write(file, header.getBytes(StandardCharsets.ISO_8859_1));
        try (ZarrArray array = Zarr.openArray(file.toString())) {
            assertEquals("r32", array.dataType().name());
            Samples.check(array, expected("types/uint32"), "untyped");
        }
    }

    @Test
    void otherFrames_areRefusedByName() throws IOException {
        byte[] good = Files.readAllBytes(root.resolve("stored.b2nd"));
        Path bad = root.resolve("bad.b2nd");
        Files.write(
                bad,
                new String(good, StandardCharsets.ISO_8859_1)
                        .replace("b2nd", "more")
                        .getBytes(StandardCharsets.ISO_8859_1));
        ZarrException e = assertThrows(UnsupportedException.class, () -> Zarr.openArray(bad.toString()));
        assertTrue(e.getMessage().contains("more"), e.getMessage());
        Files.writeString(bad, "no frame at all");
        e = assertThrows(ZarrException.class, () -> Zarr.openArray(bad.toString()));
        assertTrue(e.getMessage().contains("begins with b2frame"), e.getMessage());
    }

    /** The size lies right before the dictionary, whose magic number is 0xEC30A437. */
    @Test
    void dictionaryOfAnotherSize_isCorrupt() throws IOException {
        byte[] bytes = Files.readAllBytes(root.resolve("dictionary/zstd.b2nd"));
        ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (frame.getInt(at + Integer.BYTES) != 0xEC30A437) {
            at++;
        }
        Path file = root.resolve("damaged.b2nd");
        int[] sizes = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, (128 << 10) + 1, 1, 8, 100};
        for (int size : sizes) {
            Files.write(file, frame.putInt(at, size).array());
            try (ZarrArray array = Zarr.openArray(file.toString())) {
                CorruptDataException e = assertThrows(CorruptDataException.class, array::read, "" + size);
                boolean isOutside = size < 1 || size > 128 << 10;
                String saying = isOutside ? "expected a dictionary of 1 to " : "zstd";
                assertTrue(e.getMessage().contains(saying), e.getMessage());
            }
        }
    }

    /** The words of floating-point numbers, taken for text of two characters, are no characters. */
    @Test
    void textWithAnImpossibleCharacter_isCorrupt() throws IOException {
        for (String name : List.of("special/full", "types/float64")) {
            String frame = new String(Files.readAllBytes(root.resolve(name + ".b2nd")), ISO_8859_1);
            assertTrue(frame.contains("<f8"), name);
            Path file = root.resolve("impossible.b2nd");
            Files.write(file, frame.replace("<f8", "<U2").getBytes(ISO_8859_1));
            try (ZarrArray array = Zarr.openArray(file.toString())) {
                assertThrows(CorruptDataException.class, array::read, name);
            }
        }
    }

    /** Headers, indexes and chunks with changed bytes: a declared error, or elements; never another error. */
    @Test
    void damagedFrames_areDeclaredErrors() throws IOException {
        long seed = 13;
        Random random = new Random(seed);
        int refused = 0;
        for (String name : List.of(
                "split",
                "by/zstd-delta",
                "by/blosclz-shuffle",
                "stored",
                "special/full",
                "dictionary/zstd",
                "dictionary/lz4-split")) {
            byte[] good = Files.readAllBytes(root.resolve(name + ".b2nd"));
            Path file = root.resolve("damaged.b2nd");
            for (int i = 0; i < Rounds.of(20); i++) {
                byte[] bad = i % 4 == 3 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
                for (int k = 0; k <= i % 3 && bad.length > 0; k++) {
                    bad[random.nextInt(i % 2 == 0 ? Math.min(bad.length, 260) : bad.length)] = (byte) random.nextInt();
                }
                StampedFiles.write(file, bad);
                try (ZarrArray array = Zarr.openArray(file.toString())) {
                    if (Arrays.stream(array.shape()).allMatch(n -> n <= 100)) {
                        array.read();
                    }
                } catch (ZarrException e) {
                    assertFalse(e.getMessage().isBlank());
                    refused++;
                }
            }
        }
        assertTrue(refused > Rounds.of(40), "seed " + seed + ": " + refused);
    }

    /** A frame of python-blosc2 with the metalayer "mine" and vlmeta ({@code tools/make_blosc2_metalayers.py}). */
    @Test
    void metalayersOfPrograms_areNamed() throws IOException {
        Path file = folder.resolve("metalayers.b2nd");
        try (InputStream in = Samples.class.getResourceAsStream("metalayers.b2nd")) {
            Files.copy(in, file);
        }
        try (ZarrArray array = Zarr.openArray(file.toString())) {
            assertArrayEquals(new int[] {0, 1, 2, 3}, array.read().ints());
            assertEquals(
                    List.of(
                            "the metalayer mine of the frame is left out",
                            "the metalayers in the trailer of the frame (vlmeta) are left out"),
                    array.metadata().remarks());
        }
    }
}
