package dev.shardkit.maintenance.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Compaction.Outcome;
import dev.shardkit.maintenance.check.Compaction.Shard;
import dev.shardkit.maintenance.check.Compaction.Summary;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.ForeignBytes;
import dev.shardkit.spi.codec.ShardWritePolicy.Order;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testing.RawShard;
import dev.shardkit.testing.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compaction removes all unused bytes of shards and keeps their elements. */
@Timeout(120)
class CompactionTest {
    private static final int INNER = 6;
    private static final int SIZE = 4 * INNER + 4 * 16 + 4;

    @TempDir
    Path dir;

    private final List<Shard> reported = new ArrayList<>();

    private static byte[] values(int count) {
        byte[] values = new byte[count];
        for (int i = 0; i < count; i++) {
            values[i] = (byte) (i + 1);
        }
        return values;
    }

    private Path createArray(ArraySpec spec) {
        try (ZarrArray array = Zarr.createArray(dir.resolve("a").toString(), spec)) {
            array.write(array.domain(), values((int) array.domain().count()), 0);
        }
        return dir.resolve("a/c/0");
    }

    private RawShard createShard() throws IOException {
        return RawShard.of(
                createArray(ArraySpec.of("uint8", 16)
                        .withChunkShape(2)
                        .withShardShape(8)
                        .withCodecs(Codecs.named("bytes", Json.object()), Codecs.crc32c())),
                4);
    }

    private ZarrArray open() {
        return Zarr.openArray(dir.resolve("a").toString());
    }

    private void assertSound() {
        try (ZarrArray array = open()) {
            assertArrayEquals(values((int) array.domain().count()), array.read().bytes());
            List<Finding> findings = new ArrayList<>();
            Verification.of(array).run(findings::add);
            assertEquals(List.of(), findings);
        }
    }

    @Test
    void gaps_go_andOtherShardsStay() throws IOException {
        createShard().insert(INNER, 10).insert(2 * INNER + 10, 7).write();
        Path other = dir.resolve("a/c/1");
        Object before = identity(other);
        try (ZarrArray array = open()) {
            assertEquals(
                    new Summary(1, 2, 1, 0, 2 * SIZE + 17, 2 * SIZE),
                    Compaction.of(array).run(Mode.APPLY, reported::add));
        }
        Shard one = reported.get(0);
        assertEquals(
                "c/0 COMPACTED 109 92 17",
                one.key() + " " + one.outcome() + " " + one.bytes() + " " + one.after() + " " + one.unused());
        assertEquals(1, reported.size());
        assertEquals(SIZE, Files.size(dir.resolve("a/c/0")));
        assertEquals(before, identity(other));
        assertSound();
    }

    /** Empty on Windows, where files have no identity. */
    private static Optional<Object> identity(Path file) throws IOException {
        return Optional.ofNullable(
                Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    @Test
    void dryRun_saysTheSame_andChangesNothing() throws IOException {
        createShard().insert(INNER, 10).write();
        byte[] before = Files.readAllBytes(dir.resolve("a/c/0"));
        try (ZarrArray array = open()) {
            Summary dry = Compaction.of(array).run(Mode.DRY_RUN, reported::add);
            assertArrayEquals(before, Files.readAllBytes(dir.resolve("a/c/0")));
            assertFalse(Files.exists(dir.resolve("a/__shardkit/patches")));
            List<Shard> done = new ArrayList<>();
            assertEquals(dry, Compaction.of(array).run(Mode.APPLY, done::add));
            assertEquals(reported, done);
        }
        assertSound();
    }

    @Test
    void threshold_leavesShardsWithLittleUnused() throws IOException {
        createShard().insert(INNER, 10).write();
        try (ZarrArray array = open()) {
            assertEquals(
                    0,
                    Compaction.of(array)
                            .above(10)
                            .run(Mode.APPLY, reported::add)
                            .compacted()); // 10 of 102
            assertEquals(
                    1,
                    Compaction.of(array).above(9).run(Mode.APPLY, reported::add).compacted());
        }
    }

    @Test
    void order_isThatOfThePolicy() throws IOException {
        createShard().insert(INNER, 10).write();
        RawShard shuffled = RawShard.of(dir.resolve("a/c/0"), 4);
        long second = shuffled.offset(1);
        shuffled.entry(1, shuffled.offset(3), INNER).entry(3, second, INNER).write();
        try (ZarrArray array = open()) {
            Compaction.of(array)
                    .withPolicy(ShardWritePolicy.defaults().withOrder(Order.AS_THEY_COME))
                    .run(Mode.APPLY, reported::add);
            RawShard now = RawShard.of(dir.resolve("a/c/0"), 4);
            assertEquals(
                    List.of(0L, 3L * INNER, 2L * INNER, (long) INNER),
                    List.of(now.offset(0), now.offset(1), now.offset(2), now.offset(3)));
            now.insert(INNER, 1).write();
            Compaction.of(array).run(Mode.APPLY, reported::add);
            now = RawShard.of(dir.resolve("a/c/0"), 4);
            assertEquals(
                    List.of(0L, (long) INNER, 2L * INNER, 3L * INNER),
                    List.of(now.offset(0), now.offset(1), now.offset(2), now.offset(3)));
        }
    }

    @Test
    void foreignBytes_areRefused_keptOrDropped() throws IOException {
        createShard().insert(4 * INNER, 20).insert(INNER, 3).insert(0, 30).write();
        try (ZarrArray array = open()) {
            assertEquals(1, Compaction.of(array).run(Mode.APPLY, reported::add).refused());
            assertEquals(Outcome.REFUSED, reported.get(0).outcome());
            assertTrue(reported.get(0).reason().orElseThrow().contains("KEEP or DROP"), reported::toString);
            assertEquals(SIZE + 53, Files.size(dir.resolve("a/c/0")));
            Compaction keeping =
                    Compaction.of(array).withPolicy(ShardWritePolicy.defaults().withForeignBytes(ForeignBytes.KEEP));
            assertEquals(1, keeping.run(Mode.APPLY, reported::add).compacted());
            byte[] kept = Files.readAllBytes(dir.resolve("a/c/0"));
            assertEquals(SIZE + 50, kept.length);
            assertEquals("x".repeat(30), new String(kept, 0, 30));
            assertEquals(0, keeping.run(Mode.APPLY, reported::add).compacted(), "there is nothing more to gain");
            Compaction.of(array)
                    .withPolicy(ShardWritePolicy.defaults().withForeignBytes(ForeignBytes.DROP))
                    .run(Mode.APPLY, reported::add);
        }
        assertEquals(SIZE, Files.size(dir.resolve("a/c/0")));
        assertSound();
    }

    @Test
    void nestedShards_areMadeCompactToo() throws IOException {
        Json inner = Codecs.sharding(new long[] {2}, Codecs.named("bytes", Json.object()), Codecs.crc32c());
        Path file = createArray(
                ArraySpec.of("uint8", 8).withChunkShape(4).withShardShape(8).withCodecs(inner));
        byte[] sound = Files.readAllBytes(file);
        RawShard outer = RawShard.of(file, 2);
        Path part = dir.resolve("part");
        Files.write(part, java.util.Arrays.copyOf(sound, (int) outer.size(0)));
        byte[] wide = RawShard.of(part, 2).insert(INNER, 5).bytes();
        byte[] all = new byte[sound.length + 5];
        System.arraycopy(wide, 0, all, 0, wide.length);
        System.arraycopy(sound, (int) outer.size(0), all, wide.length, sound.length - (int) outer.size(0));
        Files.write(file, all);
        RawShard.of(file, 2)
                .entry(0, 0, wide.length)
                .entry(1, wide.length, outer.size(1))
                .write();
        try (ZarrArray array = open()) {
            assertEquals(5, Verification.of(array).run(f -> {}).unusedBytes());
            assertEquals(1, Compaction.of(array).run(Mode.APPLY, reported::add).compacted());
        }
        assertArrayEquals(sound, Files.readAllBytes(file));
        assertSound();
    }

    @Test
    void damagedShard_isRefused_andADamagedInnerChunkMovesAsItIs() throws IOException {
        RawShard shard = createShard();
        shard.insert(INNER, 3).flip(0).write();
        try (ZarrArray array = open()) {
            assertEquals(
                    1, Compaction.of(array).run(Mode.APPLY, reported::add).compacted(), "inner chunks are not decoded");
            assertEquals(1, Verification.of(array).run(f -> {}).errors());
            RawShard.of(dir.resolve("a/c/0"), 4)
                    .insert(INNER, 3)
                    .entry(2, 5000, 6)
                    .write();
            assertEquals(1, Compaction.of(array).run(Mode.APPLY, reported::add).refused());
            assertTrue(reported.get(1).reason().orElseThrow().contains("nbytes 6"), reported::toString);
        }
    }

    @Test
    void shardWithoutInnerChunks_isRemoved() throws IOException {
        createShard()
                .entry(0, -1, -1)
                .entry(1, -1, -1)
                .entry(2, -1, -1)
                .entry(3, -1, -1)
                .write();
        try (ZarrArray array = open()) {
            Compaction dropping =
                    Compaction.of(array).withPolicy(ShardWritePolicy.defaults().withForeignBytes(ForeignBytes.DROP));
            assertEquals(1, dropping.run(Mode.APPLY, reported::add).compacted());
        }
        assertEquals(Outcome.REMOVED, reported.get(0).outcome());
        assertFalse(Files.exists(dir.resolve("a/c/0")));
    }

    @Test
    void innerShardsThatShareBytes_areNotMultiplied() throws IOException {
        Json inner = Codecs.sharding(new long[] {2}, Codecs.named("bytes", Json.object()), Codecs.crc32c());
        Path file = createArray(
                ArraySpec.of("uint8", 40).withChunkShape(4).withShardShape(40).withCodecs(inner));
        RawShard whole = RawShard.of(file, 10);
        int size = (int) whole.size(0);
        byte[] first = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(first, size + 1 + 10 * 16 + 4)); // one inner shard and a gap
        RawShard small = RawShard.of(file, 10);
        for (int i = 0; i < 10; i++) {
            small.entry(i, 0, size);
        }
        small.write();
        byte[] before = Files.readAllBytes(file);
        try (ZarrArray array = open()) {
            assertEquals(0, Verification.of(array).run(f -> {}).errors());
            assertEquals(1, Compaction.of(array).run(Mode.APPLY, reported::add).refused());
        }
        assertTrue(reported.get(0).reason().orElseThrow().contains("overlap"), reported::toString);
        assertArrayEquals(before, Files.readAllBytes(file));
    }

    @ParameterizedTest
    @EnumSource(ShardWritePolicy.Strategy.class)
    void shardsWrittenInEachWay_areSound_andCompactAfterwards(ShardWritePolicy.Strategy strategy) {
        ZarrOptions options = ZarrOptions.defaults()
                .withWritePolicy(
                        ShardWritePolicy.defaults().withStrategy(strategy).withMaxUnusedPercent(100));
        ArraySpec spec =
                ArraySpec.of("uint8", 64).withChunkShape(16).withShardShape(64).withCodecs(Codecs.gzip(6));
        byte[] values = new byte[64];
        try (ZarrArray array = Zarr.createArray(dir.resolve("a").toString(), spec, IfExists.REFUSE, options)) {
            java.util.Random random = new java.util.Random(7);
            for (int i = 0; i < 12; i++) {
                byte[] part = new byte[7];
                random.nextBytes(part);
                int at = random.nextInt(57);
                System.arraycopy(part, 0, values, at, 7);
                array.write(Values.range(at, at + 7), part, 0);
                assertEquals(0, Verification.of(array).run(f -> {}).errors());
            }
            assertEquals(
                    strategy != ShardWritePolicy.Strategy.REWRITE,
                    Verification.of(array).run(f -> {}).unusedBytes() > 0,
                    "patches leave bytes unused");
            assertEquals(0, Compaction.of(array).run(Mode.APPLY, reported::add).refused(), reported::toString);
            assertEquals(0, Verification.of(array).run(f -> {}).unusedBytes());
            assertArrayEquals(values, array.read().bytes());
        }
    }
}
