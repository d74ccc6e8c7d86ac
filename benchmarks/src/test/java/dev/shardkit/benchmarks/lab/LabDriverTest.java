package dev.shardkit.benchmarks.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver's side of the lab's protocol. */
class LabDriverTest {
    private static final int EDGE = 16;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Object WHOLE = List.of(List.of(0, 0), List.of(EDGE, EDGE));
    private static final Object PART = List.of(List.of(3, 5), List.of(2, 3));

    @TempDir
    private Path folder;

    private final short[] values = new short[EDGE * EDGE];

    @BeforeEach
    void writeArray() {
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) (7 * i + 1);
        }
        ArraySpec spec = ArraySpec.of("uint16", EDGE, EDGE).withShardShape(8, 8).withChunkShape(4, 4);
        try (ZarrArray array = Zarr.createArray(location(), spec)) {
            array.write(array.domain(), values, 0);
        }
    }

    private String location() {
        return folder.resolve("a").toString();
    }

    private static List<JsonNode> drive(String peer, List<Map<String, Object>> jobs) throws IOException {
        StringBuilder in = new StringBuilder();
        for (Map<String, Object> job : jobs) {
            in.append(JSON.writeValueAsString(job)).append("\n\n");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LabDriver.run(peer, new ByteArrayInputStream(in.toString().getBytes(StandardCharsets.UTF_8)), out);
        List<JsonNode> lines = new ArrayList<>();
        for (String line : out.toString(StandardCharsets.UTF_8).split("\n")) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    private Map<String, Object> read(Object... regions) {
        return Map.of(
                "op",
                "read",
                "array",
                location(),
                "dtype",
                "uint16",
                "regions",
                List.of(regions),
                "reps",
                2,
                "warmup_reps",
                1,
                "warmup_s",
                0.0,
                "cache",
                true,
                "threads",
                1);
    }

    private static ByteBuffer littleEndian(short... elements) {
        ByteBuffer bytes = ByteBuffer.allocate(elements.length * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asShortBuffer().put(elements);
        return bytes;
    }

    private short at(int y, int x) {
        return values[y * EDGE + x];
    }

    @Test
    void start_saysReadyAndWhoItIs() throws IOException {
        JsonNode ready = drive("shardkit-append", List.of()).get(0);

        assertTrue(ready.get("ready").asBoolean());
        assertEquals("shardkit-append", ready.get("peer").asText());
        assertFalse(ready.get("version").asText().isEmpty());
    }

    @Test
    void read_regions_givesChecksumOfTheirBytesForEachRepetition() throws IOException {
        JsonNode answer = drive("shardkit", List.of(read(WHOLE, PART))).get(1);

        CRC32 crc = new CRC32();
        crc.update(littleEndian(values));
        crc.update(littleEndian(at(3, 5), at(3, 6), at(3, 7), at(4, 5), at(4, 6), at(4, 7)));
        String expected = String.format("%08x", crc.getValue());
        assertEquals(List.of(expected, expected), JSON.convertValue(answer.get("crc"), List.class));
        assertEquals(2, answer.get("reps").size());
        assertTrue(answer.get("min_us").asDouble() <= answer.get("p95_us").asDouble());
        assertTrue(answer.has("open_s"));
    }

    @Test
    void copy_shardByShard_writesTheOtherArray() throws IOException {
        String target = folder.resolve("b").toString();
        Zarr.createArray(
                        target,
                        ArraySpec.of("uint16", EDGE, EDGE).withShardShape(8, 8).withChunkShape(4, 4))
                .close();
        Object right = List.of(List.of(0, 8), List.of(EDGE, 8));
        Object left = List.of(List.of(0, 0), List.of(EDGE, 8));
        JsonNode answer = drive(
                        "shardkit",
                        List.of(Map.of(
                                "op",
                                "copy",
                                "array",
                                location(),
                                "target",
                                target,
                                "regions",
                                List.of(left, right),
                                "readers",
                                2)))
                .get(1);

        assertTrue(answer.get("ok").asBoolean(), answer.toString());
        assertEquals(1, answer.get("reps").size());
        try (ZarrArray copy = Zarr.openArray(target)) {
            assertArrayEquals(values, (short[]) copy.read(copy.domain()).array());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shardkit", "shardkit-forced", "shardkit-in-place", "shardkit-owned", "shardkit-append"})
    void write_regionsAfterOneAnother_areInTheArray(String peer) throws IOException {
        Path raw = folder.resolve("u.raw");
        Files.write(
                raw,
                littleEndian((short) 1, (short) 2, (short) 3, (short) 4, (short) 5, (short) 6, (short) 7)
                        .array());
        Object more = List.of(List.of(9, 9), List.of(1, 1));
        JsonNode answer = drive(
                        peer,
                        List.of(Map.of(
                                "op",
                                "write",
                                "array",
                                location(),
                                "dtype",
                                "uint16",
                                "regions",
                                List.of(PART, more),
                                "reps",
                                1,
                                "source",
                                raw.toString())))
                .get(1);

        assertTrue(answer.get("ok").asBoolean(), answer::toString);
        assertFalse(answer.has("crc"));
        try (ZarrArray array = Zarr.openArray(location())) {
            short[] part =
                    array.read(Box.of(new long[] {3, 5}, new long[] {2, 3})).shorts();
            assertArrayEquals(new short[] {1, 2, 3, 4, 5, 6}, part);
            assertEquals(
                    7, array.read(Box.of(new long[] {9, 9}, new long[] {1, 1})).longAt(0, 0));
            assertEquals(at(0, 0), array.read(Box.of(new long[] {1, 1})).longAt(0, 0));
        }
    }

    @Test
    void badJobs_areAnsweredAndTheNextOneIsDone() throws IOException {
        List<JsonNode> lines = drive(
                "shardkit",
                List.of(
                        Map.of("op", "walk", "array", location(), "regions", List.of()),
                        Map.of("op", "read", "array", location() + "-none", "regions", List.of(PART)),
                        read(PART)));

        assertFalse(lines.get(1).get("ok").asBoolean());
        assertTrue(lines.get(1).get("unsupported").asBoolean());
        assertFalse(lines.get(2).get("ok").asBoolean());
        assertFalse(lines.get(2).get("unsupported").asBoolean());
        String error = lines.get(2).get("error").asText();
        assertTrue(error.contains(MetadataException.class.getName()), error);
        assertTrue(error.contains(location() + "-none"), error);
        assertTrue(lines.get(3).get("ok").asBoolean());
    }

    @Test
    void unknownPeer_isRefusedWithTheKnownOnes() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> drive("shardkit-fast", List.of()));

        assertTrue(e.getMessage().contains("shardkit-in-place"), e.getMessage());
    }
}
