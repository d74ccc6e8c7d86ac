package dev.shardkit.maintenance.adopt;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.adopt.Adoption.Chunk;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.ForeignBytes;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testing.Log;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of another format become shards. The files have a header, chunks as zlib streams in arbitrary order, and a
 * footer.
 */
@Timeout(120)
class AdoptionTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path folder;

    private Path file;
    private Path array;
    private byte[] content;
    private List<Chunk> chunks;

    private static ArraySpec spec() {
        return ArraySpec.of("int16", 30, 20)
                .withChunkShape(10, 10)
                .withShardShape(30, 20)
                .withFillValue(Json.of(7))
                .withCodecs(
                        Codecs.bytesLittleEndian(),
                        Json.object()
                                .with("name", Json.of("numcodecs.zlib"))
                                .with("configuration", Json.object().with("level", Json.of(4))));
    }

    private static ArrayMetadata metadata() {
        return Zarr.describe(spec(), OPTIONS);
    }

    private static Adoption adoption() {
        return Adoption.of(metadata(), new long[2], OPTIONS);
    }

    @BeforeEach
    void write() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("a header of somebody".repeat(20).getBytes());
        chunks = new ArrayList<>();
        for (int cell : new int[] {4, 0, 2, 1, 3}) { // chunk (2, 1) is missing
            ByteBuffer elements = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < 100; i++) {
                elements.putShort((short) ((cell / 2 * 10 + i / 10) * 20 + cell % 2 * 10 + i % 10));
            }
            int offset = bytes.size();
            try (DeflaterOutputStream zlib = new DeflaterOutputStream(bytes, new Deflater(9))) {
                zlib.write(elements.array());
            }
            chunks.add(new Chunk(new long[] {cell / 2, cell % 2}, offset, bytes.size() - offset));
            bytes.write('#');
        }
        bytes.writeBytes("a footer of somebody".getBytes());
        content = bytes.toByteArray();
        file = folder.resolve("data.h5");
        array = folder.resolve("array");
        Files.write(file, content);
    }

    private static short[] expected() {
        short[] all = new short[600];
        for (int i = 0; i < all.length; i++) {
            all[i] = (short) (i / 20 >= 20 && i % 20 >= 10 ? 7 : i);
        }
        return all;
    }

    private static void reads(String location) {
        try (ZarrArray opened = Zarr.openArray(location)) {
            assertTrue(opened.isSharded());
            assertArrayEquals(expected(), opened.read().shorts(), location);
            assertEquals(21 * 20 + 3, opened.read(box(at(21, 3), 1, 1)).shorts()[0]);
        }
    }

    private byte[] original() throws IOException {
        return Arrays.copyOf(Files.readAllBytes(file), content.length);
    }

    @Test
    void append_makesAShard_andChangesNothingElse() throws IOException {
        Adoption.Result dry = adoption().append(file, array, chunks, Mode.DRY_RUN);
        assertArrayEquals(content, Files.readAllBytes(file));
        assertFalse(Files.exists(array));
        Adoption.Result done = adoption().append(file, array, chunks, Mode.APPLY);
        assertEquals(dry, done);
        assertEquals(new Adoption.Result("c/0/0", 5, content.length, 64 + 6 * 16 + 4), done);
        assertEquals(content.length + done.added(), Files.size(file));
        assertArrayEquals(content, original());
        assertTrue(Files.isSameFile(file, array.resolve("c/0/0")));
        reads(array.toString());
        try (ZarrArray opened = Zarr.openArray(array.toString())) {
            assertEquals(0, Verification.of(opened).run(f -> {}).errors());
        }
    }

    @Test
    void append_again_endsWhatWasCutShort() throws IOException {
        Files.createDirectories(array.resolve("c/0"));
        Files.createLink(array.resolve("c/0/0"), file); // killed after the link
        adoption().append(file, array, chunks, Mode.APPLY);
        reads(array.toString());
        Files.delete(array.resolve("zarr.json")); // killed before the metadata
        assertEquals(0, adoption().append(file, array, chunks, Mode.APPLY).added());
        reads(array.toString());
        assertEquals(0, adoption().append(file, array, chunks, Mode.APPLY).added());
        StoreException other = assertThrows(
                StoreException.class, () -> adoption().append(file, array, chunks.subList(1, 5), Mode.APPLY));
        assertTrue(other.getMessage().contains("already adopted with another index"), other.getMessage());
        assertArrayEquals(content, original());
    }

    @Test
    void undo_givesTheFileBack() throws IOException {
        adoption().append(file, array, chunks, Mode.APPLY);
        long size = Files.size(file);
        adoption().undo(file, array, Mode.DRY_RUN);
        assertEquals(size, Files.size(file));
        assertThrows(StoreException.class, () -> adoption().undo(array.resolve("c/0/0"), array, Mode.APPLY));
        assertEquals(
                content.length - size, adoption().undo(file, array, Mode.APPLY).added());
        assertArrayEquals(content, Files.readAllBytes(file));
        assertFalse(Files.exists(array.resolve("c/0/0")));
        StoreException e = assertThrows(StoreException.class, () -> adoption().undo(file, array, Mode.APPLY));
        assertTrue(e.getMessage().contains("is not an unchanged index of an adoption"), e.getMessage());
        assertArrayEquals(content, Files.readAllBytes(file));
    }

    @Test
    void undo_ofAFileThatWentOn_isRefused() throws IOException {
        adoption().append(file, array, chunks, Mode.APPLY);
        byte[] grown = Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) + 10);
        Files.write(file, grown);
        assertThrows(StoreException.class, () -> adoption().undo(file, array, Mode.APPLY));
        assertArrayEquals(grown, Files.readAllBytes(file));
    }

    @Test
    void writes_neverChangeTheFile() throws IOException {
        adoption().append(file, array, chunks, Mode.APPLY);
        byte[] adopted = Files.readAllBytes(file);
        for (Strategy strategy : Strategy.values()) {
            ZarrOptions options =
                    OPTIONS.withWritePolicy(ShardWritePolicy.defaults().withStrategy(strategy));
            try (ZarrArray opened = Zarr.openArray(array.toString(), options)) {
                UnsupportedException e = assertThrows(
                        UnsupportedException.class,
                        () -> opened.write(box(at(0, 0), 1, 1), new short[] {5}, 0),
                        strategy.toString());
                assertTrue(e.getMessage().contains("foreignBytes KEEP or DROP"), e.getMessage());
                assertArrayEquals(adopted, Files.readAllBytes(file), strategy.toString());
            }
        }
        ZarrOptions reported = OPTIONS.withWritePolicy(
                ShardWritePolicy.defaults().withStrategy(Strategy.APPEND).withForeignBytes(ForeignBytes.DROP));
        Log log = new Log();
        try (ZarrArray opened = Zarr.openArray(array.toString(), reported.withListener(log))) {
            opened.write(box(at(0, 0), 1, 1), new short[] {5}, 0);
            assertEquals(5, opened.read(box(at(0, 0), 1, 1)).shorts()[0]);
            assertTrue(log.of("fallback").get(0).contains("an adopted file"), () -> log.of("")
                    .toString());
        }
        assertArrayEquals(adopted, Files.readAllBytes(file));
        assertFalse(Files.isSameFile(file, array.resolve("c/0/0")));
    }

    /** Unencoded chunks of one size. Only the marker prevents writes in place. */
    @Test
    void writesInPlace_ofUnencodedChunks_areDeclined() throws IOException {
        byte[] raw = new byte[600 * 2];
        Arrays.fill(raw, (byte) 3);
        Files.write(file, raw);
        ArrayMetadata plain = Zarr.describe(
                ArraySpec.of("int16", 30, 20)
                        .withChunkShape(10, 20)
                        .withShardShape(30, 20)
                        .withCodecs(Codecs.bytesLittleEndian()),
                OPTIONS);
        List<Chunk> slabs =
                List.of(new Chunk(at(0, 0), 0, 400), new Chunk(at(1, 0), 400, 400), new Chunk(at(2, 0), 800, 400));
        Adoption.of(plain, new long[2], OPTIONS).append(file, array, slabs, Mode.APPLY);
        byte[] adopted = Files.readAllBytes(file);
        ZarrOptions inPlace =
                OPTIONS.withWritePolicy(ShardWritePolicy.defaults().withStrategy(Strategy.IN_PLACE));
        try (ZarrArray opened = Zarr.openArray(array.toString(), inPlace)) {
            assertEquals(0x303, opened.read(box(at(29, 19), 1, 1)).shorts()[0]);
            assertThrows(UnsupportedException.class, () -> opened.write(box(at(0, 0), 1, 1), new short[] {5}, 0));
        }
        assertArrayEquals(adopted, Files.readAllBytes(file));
    }

    @Test
    void beside_leavesTheFileAlone() throws IOException {
        Path document = folder.resolve("adopted.json");
        adoption().writeReferences(file, "data.h5", document, chunks, Mode.DRY_RUN);
        assertFalse(Files.exists(document));
        adoption().writeReferences(file, "data.h5", document, chunks, Mode.APPLY);
        adoption().writeReferences(file, "data.h5", document, chunks, Mode.APPLY);
        assertArrayEquals(content, Files.readAllBytes(file));
        reads("reference:" + document);
        Files.write(file, Arrays.copyOf(content, content.length + 1));
        try (ZarrArray opened = Zarr.openArray("reference:" + document)) {
            CorruptDataException e = assertThrows(CorruptDataException.class, opened::read);
            assertTrue(e.getMessage().contains("has changed"), e.getMessage());
        }
        Files.writeString(document, "{\"zarr.json\": {}}");
        assertThrows(
                StoreException.class, () -> adoption().writeReferences(file, "data.h5", document, chunks, Mode.APPLY));
    }

    private void refused(Class<? extends RuntimeException> type, String saying, Chunk... wrong) throws IOException {
        for (Path target : new Path[] {array, folder.resolve("x.json")}) {
            RuntimeException e = assertThrows(type, () -> {
                if (target.equals(array)) {
                    adoption().append(file, target, List.of(wrong), Mode.APPLY);
                } else {
                    adoption().writeReferences(file, "data.h5", target, List.of(wrong), Mode.APPLY);
                }
            });
            assertTrue(e.getMessage().contains(saying), e.getMessage());
            assertFalse(Files.exists(target));
        }
        assertArrayEquals(content, Files.readAllBytes(file));
    }

    @Test
    void chunksThatCannotBe_areRefused() throws IOException {
        refused(CorruptDataException.class, "expected a file of at least", new Chunk(at(0, 0), content.length - 5, 6));
        refused(CorruptDataException.class, "expected an offset of 0 or more", new Chunk(at(0, 0), -1, 6));
        refused(CorruptDataException.class, "a size of 1 or more", new Chunk(at(0, 0), 5, 0));
        refused(CorruptDataException.class, "expected an offset", new Chunk(at(0, 0), Long.MAX_VALUE, 2));
        refused(CorruptDataException.class, "expected at most", new Chunk(at(0, 0), 0, 1 << 20));
        refused(
                CorruptDataException.class,
                "overlap at byte 12",
                new Chunk(at(0, 0), 10, 5),
                new Chunk(at(0, 1), 12, 5));
        refused(CorruptDataException.class, "overlap at byte 5", new Chunk(at(0, 0), 10, 5), new Chunk(at(0, 1), 5, 6));
        refused(IllegalArgumentException.class, "given twice", new Chunk(at(0, 0), 10, 5), new Chunk(at(0, 0), 20, 5));
        refused(IllegalArgumentException.class, "expected one of a shard of [3, 2]", new Chunk(at(3, 0), 10, 5));
        refused(IllegalArgumentException.class, "expected one of a shard of [3, 2]", new Chunk(at(0), 10, 5));
    }

    @Test
    void arraysThatCannotBe_areRefused() {
        ArrayMetadata start = Zarr.describe(spec().withIndexLocation(IndexLocation.START), OPTIONS);
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> Adoption.of(start, new long[2], OPTIONS)
                .append(file, array, chunks, Mode.DRY_RUN));
        assertTrue(e.getMessage().contains("expected index_location \"end\""), e.getMessage());
        ArrayMetadata plain = Zarr.describe(ArraySpec.of("int16", 30, 20).withChunkShape(10, 10), OPTIONS);
        assertThrows(UnsupportedException.class, () -> Adoption.of(plain, new long[2], OPTIONS));
        assertThrows(IllegalArgumentException.class, () -> Adoption.of(metadata(), at(1, 0), OPTIONS)
                .append(file, array, chunks, Mode.APPLY));
        assertFalse(Files.exists(array.resolve("c")));
    }
}
