package dev.shardkit.maintenance.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Finding.Kind;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.maintenance.check.Verification.Summary;
import dev.shardkit.maintenance.stats.Statistics;
import dev.shardkit.maintenance.tree.StorageSize;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testing.RawShard;
import dev.shardkit.testing.StampedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In shards and chunks with one fault each, exactly this fault is found. */
@Timeout(120)
class VerificationTest extends VerificationTestBase {
    private static void assertFound(Finding f, Severity severity, Kind kind, String inner, long offset, long size) {
        assertEquals(severity, f.severity(), f::toString);
        assertEquals(kind, f.kind(), f::toString);
        assertEquals(Optional.of("c/0"), f.key());
        assertEquals(
                inner, f.innerChunks().stream().map(Arrays::toString).toList().toString());
        assertEquals(Optional.of(new Extent(offset, size)), f.bytes());
    }

    @Test
    void soundArray_hasNoFindings_andIsCounted() {
        createWritten(spec());
        VerificationResult found = verify();
        assertEquals(List.of(), found.findings());
        // the second shard has elements in two of its inner chunks only
        assertEquals(new Summary(1, 2, 0, 6, 0, 6 * INNER + 2 * INDEX, 0, 0, 0), found.summary());
    }

    /** Stored objects are listed, so not every chunk of the grid is requested. */
    @Test
    void gridOf63Bits_isCheckedByWhatIsStored() {
        ArraySpec spec = ArraySpec.of("uint8", Long.MAX_VALUE).withChunkShape(1);
        try (ZarrArray array = Zarr.createArray(dir.resolve("huge").toString(), spec)) {
            assertEquals(0, Verification.of(array).run(f -> {}).chunks());
            assertEquals(0, StorageSize.of(array).objects());
            array.write(Box.of(new long[] {Long.MAX_VALUE - 1}, new long[] {1}), new byte[] {7}, 0);
            assertEquals(1, Verification.of(array).run(f -> {}).chunks());
            assertEquals(1, StorageSize.of(array).objects());
            assertEquals(1, Repair.of(array).run(Mode.DRY_RUN, step -> {}).arrays());
            UnsupportedException e = assertThrows(
                    UnsupportedException.class, () -> Statistics.of(array).run());
            assertTrue(e.getMessage().contains("9223372036854775807 elements"), e.getMessage());
        }
    }

    @Test
    void flippedByte_ofAnInnerChunk_isAChecksumError() throws IOException {
        createShard().flip(INNER + 1).write();
        Finding f = verify().singleFinding();
        assertFound(f, Severity.ERROR, Kind.CHECKSUM, "[[1]]", INNER, INNER);
        assertTrue(f.found().contains("crc32c"), f::toString);
    }

    @Test
    void everyFlippedByte_isFoundWhereItIs() throws IOException {
        RawShard sound = createShard();
        Path file = dir.resolve("a/c/0");
        byte[] bytes = sound.bytes();
        for (int i = 0; i < bytes.length; i++) {
            byte[] broken = bytes.clone();
            broken[i] ^= 0x10;
            StampedFiles.write(file, broken);
            Finding f = verify().singleFinding();
            assertEquals(i < 4 * INNER ? Kind.CHECKSUM : Kind.INDEX, f.kind(), "byte " + i);
            assertEquals(i < 4 * INNER ? 1 : 0, f.innerChunks().size());
            Extent extent = f.bytes().orElseThrow();
            assertTrue(extent.offset() <= i && i < extent.offset() + extent.size(), "byte " + i + ": " + f);
        }
    }

    @Test
    void everyLengthTooShort_isAnError() throws IOException {
        byte[] bytes = createShard().bytes();
        for (int length = 0; length < bytes.length; length++) {
            StampedFiles.write(dir.resolve("a/c/0"), Arrays.copyOf(bytes, length));
            VerificationResult found = verify();
            assertTrue(found.summary().errors() > 0, "cut to " + length);
            assertEquals(Kind.INDEX, found.findings().get(0).kind());
        }
    }

    @Test
    void entriesThatCannotBe_areErrorsOfTheirOwn() throws IOException {
        createShard()
                .entry(0, -1, 6)
                .entry(1, 0, 1000)
                .entry(2, 4 * INNER - 1, 6)
                .entry(3, Long.MIN_VALUE, 6)
                .write();
        VerificationResult found = verify();
        assertEquals(4, found.summary().errors());
        List<Finding> errors = found.findings().stream()
                .filter(f -> f.severity() == Severity.ERROR)
                .toList();
        for (int i = 0; i < 4; i++) {
            assertFound(errors.get(i), Severity.ERROR, Kind.ENTRY, "[[" + i + "]]", 4 * INNER, INDEX);
        }
        assertTrue(errors.get(0).expected().contains("both"), errors::toString);
        assertTrue(errors.get(1).found().contains("nbytes 1000"), errors::toString);
        assertTrue(errors.get(2).expected().contains("outside the index"), errors::toString);
        assertTrue(errors.get(3).found().contains("9223372036854775808"), errors::toString);
        // no index entry covers the bytes before the index
        assertEquals(4 * INNER, found.summary().unusedBytes());
    }

    @Test
    void entryOfNoBytes_doesNotDecode() throws IOException {
        createShard().entry(3, 3 * INNER, 0).write();
        VerificationResult found = verify();
        assertEquals(
                List.of(Kind.TRAILING_BYTES, Kind.CHUNK),
                found.findings().stream().map(Finding::kind).toList());
    }

    @Test
    void overlap_isANote() throws IOException {
        RawShard shard = createShard();
        shard.entry(3, shard.offset(2), shard.size(2)).write();
        VerificationResult found = verify();
        assertEquals(0, found.summary().errors());
        assertFound(found.findings().get(1), Severity.NOTE, Kind.OVERLAP, "[[3]]", 2 * INNER, INNER);
        assertTrue(found.findings().get(1).found().contains("inner chunk [2]"), found.findings()::toString);
        assertFound(found.findings().get(0), Severity.NOTE, Kind.TRAILING_BYTES, "[]", 3 * INNER, INNER);
    }

    @Test
    void unusedBytes_areNotes_beforeBetweenAndAfter() throws IOException {
        createShard().insert(4 * INNER, 3).insert(INNER, 2).insert(0, 5).write();
        VerificationResult found = verify();
        assertEquals(3, found.findings().size(), found.findings()::toString);
        assertFound(found.findings().get(0), Severity.NOTE, Kind.LEADING_BYTES, "[]", 0, 5);
        assertFound(found.findings().get(1), Severity.NOTE, Kind.GAP, "[]", 5 + INNER, 2);
        assertFound(found.findings().get(2), Severity.NOTE, Kind.TRAILING_BYTES, "[]", 7 + 4 * INNER, 3);
        assertEquals(10, found.summary().unusedBytes());
    }

    @Test
    void bytesBehindAShardWithAnIndexAtTheStart_areANote() throws IOException {
        Path file = createWritten(spec().withIndexLocation(IndexLocation.START)).resolve("c/0");
        StampedFiles.write(file, Arrays.copyOf(Files.readAllBytes(file), INDEX + 4 * INNER + 9));
        assertFound(verify().singleFinding(), Severity.NOTE, Kind.TRAILING_BYTES, "[]", INDEX + 4 * INNER, 9);
        StampedFiles.write(file, Arrays.copyOf(Files.readAllBytes(file), INDEX - 1));
        Finding f = verify().singleFinding();
        assertEquals(Kind.INDEX, f.kind(), f::toString);
        assertEquals(Optional.of("c/0"), f.key());
    }

    @Test
    void nestedShards_areCheckedAtAllLevels() throws IOException {
        Json inner = Codecs.sharding(new long[] {2}, Codecs.named("bytes", Json.object()), Codecs.crc32c());
        Path file = createWritten(ArraySpec.of("uint8", 8)
                        .withChunkShape(4)
                        .withShardShape(8)
                        .withCodecs(inner))
                .resolve("c/0");
        int size = 2 * INNER + 2 * 16 + 4;
        assertEquals(new Summary(1, 1, 2, 4, 0, Files.size(file), 0, 0, 0), verify().summary());
        byte[] sound = Files.readAllBytes(file);
        byte[] broken = sound.clone();
        broken[size + INNER] ^= 1;
        StampedFiles.write(file, broken);
        assertFound(verify().singleFinding(), Severity.ERROR, Kind.CHECKSUM, "[[1], [1]]", size + INNER, INNER);
        broken = sound.clone();
        broken[size - 1] ^= 1;
        StampedFiles.write(file, broken);
        assertFound(verify().singleFinding(), Severity.ERROR, Kind.INDEX, "[[0]]", 0, size);
    }

    @Test
    void compressedShard_isChecked() throws IOException {
        Path file = createWritten(ArraySpec.of("uint8", 8)
                        .withChunkShape(8)
                        .withCodecs(
                                Codecs.sharding(new long[] {2}, Codecs.named("bytes", Json.object())), Codecs.gzip(1)))
                .resolve("c/0");
        assertEquals(4, verify().summary().innerChunks());
        StampedFiles.write(file, new byte[] {1, 2, 3});
        Finding f = verify().singleFinding();
        assertEquals(Kind.INDEX, f.kind(), f::toString);
    }

    @Test
    void plainChunks_areDecoded_orOnlyMeasured() throws IOException {
        Path folder = createWritten(ArraySpec.of("uint8", 8).withChunkShape(4).withCodecs(Codecs.gzip(1)));
        assertEquals(2, verify().summary().chunks());
        StampedFiles.write(folder.resolve("c/1"), new byte[] {1, 2, 3});
        Finding f = verify().singleFinding();
        assertEquals(Kind.CHUNK, f.kind(), f::toString);
        assertEquals(Optional.of("c/1"), f.key());
        try (ZarrArray array = Zarr.openArray(folder.toString())) {
            assertEquals(
                    List.of(),
                    VerificationResult.of(Verification.of(array).withoutDecoding())
                            .findings());
        }
    }

    @Test
    void withoutDecoding_sizesAndIndexesAreStillSeen() throws IOException {
        RawShard shard = createShard();
        shard.flip(0).entry(1, INNER, INNER - 1).write();
        try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
            VerificationResult found =
                    VerificationResult.of(Verification.of(array).withoutDecoding());
            assertFound(
                    found.findings().stream()
                            .filter(f -> f.kind() == Kind.CHUNK)
                            .findFirst()
                            .orElseThrow(),
                    Severity.ERROR,
                    Kind.CHUNK,
                    "[[1]]",
                    INNER,
                    INNER - 1);
            assertEquals(1, found.summary().errors(), "the flipped byte is not looked at");
        }
    }
}
