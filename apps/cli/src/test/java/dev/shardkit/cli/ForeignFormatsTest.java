package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.print.elements.ElementFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each command that reads, on each format: an array of 8 by 6 numbers of int32, from 0 to 47. Python's blosc2 and h5py
 * wrote {@code small.b2nd} and {@code small.h5}.
 */
class ForeignFormatsTest {
    private static final byte[] ALL = numbers(IntStream.range(0, 48));

    @TempDir
    Path dir;

    /** What the commands tell of a format. */
    private enum ElementFormat {
        NEUROGLANCER(
                "[8,6,1,1]",
                "chunks [4, 3, 1, 1]",
                "2:4,1:3,:,:",
                "4 of shape [4, 3, 1, 1], 4 stored, 192 bytes",
                "0 shards with 0 inner chunks, 4 chunks; 192 bytes, 0 of them unused; 0 errors",
                "transpose order=[3,2,1,0]",
                "8,6,1,1",
                List.of("0:4,0:3,0:1,0:1", "0:4,3:6,0:1,0:1", "4:8,0:3,0:1,0:1", "4:8,3:6,0:1,0:1"),
                "8_8_40/0-4_0-3_0-1"),
        WKW(
                "[1,8,6,1]",
                "shards [1, 4, 4, 4] of inner chunks [1, 2, 2, 2]",
                ":,2:4,1:3,:",
                "4 of shape [1, 4, 4, 4], 4 stored",
                "4 shards with 32 inner chunks, 0 chunks",
                "wkw block_shape=[1,2,2,2] blocks=\"lz4\"",
                "1,8,6,1",
                List.of(
                        "0:1,0:2,0:2,0:1",
                        "0:1,0:2,2:4,0:1",
                        "0:1,2:4,0:2,0:1",
                        "0:1,2:4,2:4,0:1",
                        "0:1,0:2,4:6,0:1",
                        "0:1,2:4,4:6,0:1",
                        "0:1,4:6,0:2,0:1",
                        "0:1,4:6,2:4,0:1",
                        "0:1,6:8,0:2,0:1",
                        "0:1,6:8,2:4,0:1",
                        "0:1,4:6,4:6,0:1",
                        "0:1,6:8,4:6,0:1"),
                "z0/y0/x0.wkw"),
        N5(
                "[8,6]",
                "chunks [4, 3]",
                "2:4,1:3",
                "4 of shape [4, 3], 4 stored",
                "0 shards with 0 inner chunks, 4 chunks",
                "gzip level=6",
                "8,6",
                List.of("0:4,0:3", "0:4,3:6", "4:8,0:3", "4:8,3:6"),
                "0/0"),
        B2ND(
                "[8,6]",
                "chunks [4, 3]",
                "2:4,1:3",
                "4 of shape [4, 3], 4 stored, 320 bytes",
                "0 shards with 0 inner chunks, 4 chunks; 320 bytes",
                "blosc2.chunk block_shape=[2,3]",
                "8,6",
                List.of("0:4,0:3", "0:4,3:6", "4:8,0:3", "4:8,3:6"),
                ""),
        HDF5(
                "[8,6]",
                "chunks [2, 6]",
                "2:4,1:3",
                "4 of shape [2, 6], 4 stored, 92 bytes",
                "0 shards with 0 inner chunks, 4 chunks; 92 bytes",
                "numcodecs.shuffle elementsize=4",
                "8,6",
                List.of("0:2,0:6", "2:4,0:6", "4:6,0:6", "6:8,0:6"),
                "");

        private final String shape;
        private final String chunks;
        private final String region;
        private final String map;
        private final String verified;
        private final String codecs;
        private final String shardShape;
        private final List<String> regions;
        private final String firstKey;

        ElementFormat(
                String shape,
                String chunks,
                String region,
                String map,
                String verified,
                String codecs,
                String shardShape,
                List<String> regions,
                String firstKey) {
            this.shape = shape;
            this.chunks = chunks;
            this.region = region;
            this.map = map;
            this.verified = verified;
            this.codecs = codecs;
            this.shardShape = shardShape;
            this.regions = regions;
            this.firstKey = firstKey;
        }
    }

    private static byte[] numbers(IntStream numbers) {
        int[] all = numbers.toArray();
        ByteBuffer bytes = ByteBuffer.allocate(4 * all.length).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.stream(all).forEach(bytes::putInt);
        return bytes.array();
    }

    /** Makes the array; returns its location. */
    private String make(ElementFormat format) throws IOException {
        Path at = dir.resolve("made");
        switch (format) {
            case NEUROGLANCER -> {
                String attributes = "{\"resolution\":[8,8,40]}";
                create("neuroglancer:" + at, "--chunk-shape", "4,3,1", "--attributes", attributes);
                return written("neuroglancer:" + at + "/8_8_40");
            }
            case WKW -> {
                create("wkw:" + at, "--chunk-shape", "2,2,2", "--shard-shape", "4,4,4");
                return written("wkw:" + at + "#shape=1,8,6,1");
            }
            case N5 -> {
                Files.createDirectories(at);
                Files.writeString(
                        at.resolve("attributes.json"),
                        "{\"dimensions\":[8,6],\"blockSize\":[4,3],\"dataType\":\"int32\",\"compression\":"
                                + "{\"type\":\"gzip\"}}");
                return written("n5:" + at);
            }
            case B2ND -> {
                return "b2nd:" + unpacked("small.b2nd");
            }
            default -> {
                return "hdf5:" + unpacked("small.h5") + "!counts";
            }
        }
    }

    private static void create(String url, String... options) {
        String[] start = {"create", url, "--shape", "8,6,1", "--data-type", "int32"};
        String[] all = Arrays.copyOf(start, start.length + options.length);
        System.arraycopy(options, 0, all, start.length, options.length);
        Cli.good(all);
    }

    private static String written(String url) {
        assertEquals(0, Cli.run(ALL, "write", url, "--from", "-").status());
        return url;
    }

    private Path unpacked(String name) throws IOException {
        Path file = dir.resolve(name);
        try (InputStream in = ForeignFormatsTest.class.getResourceAsStream(name)) {
            Files.copy(in, file);
        }
        return file;
    }

    @ParameterizedTest
    @EnumSource(ElementFormat.class)
    void factsAndElements_areThoseOfTheFormat(ElementFormat format) throws IOException {
        String location = make(format);
        String info = Cli.good("info", location).out();
        for (String fact : List.of("node type +array", "data type +int32", "shape +" + quoted(format.shape))) {
            assertTrue(info.lines().anyMatch(line -> line.matches(fact)), () -> fact + ": " + info);
        }
        assertTrue(info.contains(format.codecs), info);
        assertEquals(
                List.of("/                              array int32 " + format.shape.replace(",", ", ") + ", "
                        + format.chunks),
                Cli.good("ls", location).lines());
        assertArrayEquals(ALL, Cli.good("read", location, "--format", "raw").bytes());
        assertArrayEquals(
                numbers(IntStream.of(13, 14, 19, 20)),
                Cli.good("read", location, "--format", "raw", "--region", format.region)
                        .bytes());
    }

    private static String quoted(String text) {
        return java.util.regex.Pattern.quote(text);
    }

    @ParameterizedTest
    @EnumSource(ElementFormat.class)
    void chunks_areToldDrawnAndReported(ElementFormat format) throws IOException {
        String location = make(format);
        List<String> chunks = Cli.good("chunks", location).lines();
        assertEquals(
                format.regions, chunks.stream().map(line -> line.split("\t")[1]).toList());
        assertEquals(
                format.regions.size() + "\n",
                Cli.good("chunks", location, "--count").out());
        String map = Cli.good("map", location).out();
        assertTrue(map.contains(format.map), map);
        assertTrue(format != ElementFormat.WKW || map.contains("inner chunks 12, 12 stored"), map);
        assertFalse(map.lines().anyMatch(line -> line.matches("\\|.*[.].*\\|")), map);
        Path report = dir.resolve("report.html");
        Cli.good("report", location, "-o", report.toString());
        String page = Files.readString(report);
        String words = "int32 " + format.shape.replace(",", ", ") + ", " + format.chunks;
        assertTrue(page.contains("<p>" + words), page);
        assertTrue(page.contains("<b>192 bytes</b>"), page);
    }

    @ParameterizedTest
    @EnumSource(ElementFormat.class)
    void copies_areZarr_inAnyLayout(ElementFormat format) throws IOException {
        String location = make(format);
        String copy = dir.resolve("copy").toString();
        String shards = dir.resolve("shards").toString();
        Cli.good("copy", location, copy);
        Cli.good("copy", location, shards, "--shard-shape", format.shardShape, "--chunk-shape", format.shardShape);
        for (String made : List.of(copy, shards)) {
            assertArrayEquals(ALL, Cli.good("read", made, "--format", "raw").bytes());
            String document = Files.readString(Path.of(made).resolve("zarr.json"));
            for (String own : List.of("neuroglancer", "wkw", "blosc2", "hdf5")) {
                assertFalse(document.contains(own), document);
            }
        }
        assertTrue(Cli.good("info", shards).out().contains("sharding_indexed"));
        Cli.good("diff", location, copy, "--ignore-layout");
    }

    /** The first stored chunk is damaged: cut, as raw elements of neuroglancer have no other error, or overwritten. */
    @ParameterizedTest
    @EnumSource(ElementFormat.class)
    void damage_isFound(ElementFormat format) throws IOException {
        String location = make(format);
        String healthy = Cli.good("verify", location).out();
        assertTrue(healthy.startsWith("1 array, " + format.verified), healthy);
        assertTrue(healthy.contains("0 errors, 0 notes"), healthy);
        String[] first = Cli.good("chunks", location).lines().get(0).split("\t");
        Path file = format.firstKey.isEmpty()
                ? dir.resolve(format == ElementFormat.B2ND ? "small.b2nd" : "small.h5")
                : dir.resolve("made").resolve(format.firstKey);
        byte[] bytes = Files.readAllBytes(file);
        int offset = Integer.parseInt(first[3]);
        int size = Integer.parseInt(first[4]);
        if (format == ElementFormat.NEUROGLANCER) {
            bytes = Arrays.copyOf(bytes, size - 1);
        } else {
            Arrays.fill(bytes, offset, offset + size, (byte) 0xff);
        }
        Files.write(file, bytes);
        Cli.Result damaged = Cli.run("verify", location);
        assertEquals(1, damaged.status(), damaged.out());
        assertTrue(damaged.out().contains("1 error, 0 notes"), damaged.out());
        assertEquals(1, Cli.run("read", location).status());
    }
}
