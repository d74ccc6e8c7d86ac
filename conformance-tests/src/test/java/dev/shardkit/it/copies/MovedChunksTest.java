package dev.shardkit.it.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SpyCodecFactory;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies with other shards take stored chunks as they are where shape and codecs agree. */
@Timeout(240)
@Tag("one-jdk")
class MovedChunksTest {
    private final AtomicInteger decoded = new AtomicInteger();
    private final ZarrOptions options = ZarrOptions.defaults()
            .withRegistry(Registry.builder()
                    .all(Registry.load())
                    .codec(new SpyCodecFactory("test.counted", (bytes, scratch) -> {
                        decoded.incrementAndGet();
                        return bytes;
                    }))
                    .build());

    @TempDir
    Path folder;

    private ZarrArray source(ArraySpec spec) {
        ZarrArray array = Zarr.createArray(MemoryStore.create(), "", spec, IfExists.REFUSE, options);
        NdArray values = array.read();
        new Random(3).nextBytes(values.bytes());
        array.write(array.domain(), values);
        return array;
    }

    private static ArraySpec spec(long... shape) {
        return ArraySpec.of("uint8", shape).withCodecs(Codecs.zstd(1), Codecs.named("test.counted", Json.object()));
    }

    /** Copies the array, and returns how many chunks were decoded for that. */
    private int decodedBy(Copy copy, ZarrArray from) {
        Store target = MemoryStore.create();
        decoded.set(0);
        copy.to(target, options);
        int count = decoded.get();
        check(from, Zarr.openArray(target, "", options));
        return count;
    }

    private static void check(ZarrArray from, ZarrArray copy) {
        assertArrayEquals(from.read().bytes(), copy.read().bytes());
        assertEquals(0, Verification.of(copy).run(finding -> {}).errors());
    }

    @Test
    void wholeChunks_moveIntoShards_cutOnesAreDecoded() {
        ZarrArray from = source(spec(60, 44).withChunkShape(16, 16));
        assertEquals(6, decodedBy(Copy.of(from).withShardShape(32, 32), from), "6 of 12 chunks are cut");
        ZarrArray even = source(spec(64, 48).withChunkShape(16, 16));
        assertEquals(0, decodedBy(Copy.of(even).withShardShape(32, 48), even));
        assertEquals(12, decodedBy(Copy.of(even).withShardShape(32, 48).withCodecs(Codecs.zstd(1)), even));
        assertEquals(12, decodedBy(Copy.of(even).withChunkShape(16, 8).withShardShape(32, 48), even));
    }

    @Test
    void innerChunks_moveToOtherShards_andOutOfThem() {
        ZarrArray from = source(spec(64, 96).withChunkShape(16, 16).withShardShape(32, 32));
        assertEquals(0, decodedBy(Copy.of(from).withShardShape(64, 48), from));
        assertEquals(0, decodedBy(Copy.of(from).withoutShards(), from));
        from.erase(Box.of(new long[] {16, 16}, new long[] {48, 16}));
        assertEquals(0, decodedBy(Copy.of(from).withShardShape(16, 96), from));
        assertEquals(0, from.read().bytes()[17 * 96 + 17]);
    }

    @Test
    void partsOfACopy_moveChunks() {
        ZarrArray from = source(spec(64, 48).withChunkShape(16, 16));
        Store target = MemoryStore.create();
        decoded.set(0);
        for (int k = 1; k <= 2; k++) {
            Copy.of(from).withShardShape(32, 48).inParts(target, options).run(Part.parse(k + "/2"));
        }
        Copy.of(from).withShardShape(32, 48).inParts(target, options).finish();
        assertEquals(0, decoded.get());
        check(from, Zarr.openArray(target, "", options));
    }

    /** A shard of more than 64 MiB: 64 of its inner chunks are parts of one chunk of the source. */
    @Test
    void chunksForALargeShard_areNotDecodedForEachInnerChunk() {
        ZarrArray from = source(spec(512, 512, 384)
                .withChunkShape(128, 128, 128)
                .withCodecs(Codecs.named("test.counted", Json.object())));
        Copy copy = Copy.of(from).withChunkShape(32, 32, 32).withShardShape(512, 512, 384);
        int decoded = decodedBy(copy, from);
        // 48 if the workers keep step; one that falls behind decodes a chunk again
        assertTrue(decoded >= 48 && decoded <= 10 * 48, decoded + " of 64 * 48");
    }

    /** Damaged elements would fail if the block were decoded. Only the first block of each array is not cut. */
    @ParameterizedTest
    @ValueSource(strings = {"by/codec/raw", "by/codec/gzip", "by/codec/zstd", "by/codec/blosc", "java/raw"})
    void blocksOfN5_moveIntoShards(String path) throws IOException {
        Samples.unpack("n5.zip", folder.resolve("n5"));
        Path at = folder.resolve("n5").resolve(path);
        try (ZarrArray from = Zarr.openArray(at.toString())) {
            Json.Obj block = from.metadata().codecs().arrayToBytes().configuration();
            Json[] inside =
                    ((Json.Arr) block.get("codecs").orElseThrow()).items().toArray(Json[]::new);
            Copy kept = Copy.of(from).withShardShape(8, 6, 6);
            check(from, kept, "kept", "0/0/0");
            check(from, kept.withCodecs(inside), "inside", "0/0/0");
            byte[] damaged = Files.readAllBytes(at.resolve("0/0/0"));
            Arrays.fill(damaged, 20, damaged.length, (byte) 0xa5);
            Files.write(at.resolve("0/0/0"), damaged);
            assertTrue(isIn(damaged, shard(kept, "kept-damaged", "0/0/0")));
            byte[] inner = shard(kept.withCodecs(inside), "inside-damaged", "0/0/0");
            assertTrue(isIn(Arrays.copyOfRange(damaged, 16, damaged.length), inner));
            assertFalse(isIn(damaged, inner));
        }
    }

    private void check(ZarrArray from, Copy copy, String name, String key) throws IOException {
        shard(copy, name, key);
        try (ZarrArray opened = Zarr.openArray(folder.resolve(name).toString())) {
            assertArrayEquals(from.read().shorts(), opened.read().shorts());
            assertEquals(0, Verification.of(opened).run(finding -> {}).errors());
        }
    }

    private byte[] shard(Copy copy, String name, String key) throws IOException {
        try (Store target = Zarr.openStore(folder.resolve(name).toString(), options)) {
            copy.to(target, options);
        }
        return Files.readAllBytes(folder.resolve(name).resolve(key));
    }

    private static boolean isIn(byte[] part, byte[] whole) {
        return new String(whole, StandardCharsets.ISO_8859_1).contains(new String(part, StandardCharsets.ISO_8859_1));
    }

    @Test
    void chunksOfZarrV2_moveIntoShards() throws IOException {
        Path at = Files.createDirectories(folder.resolve("v2"));
        Files.writeString(
                at.resolve(".zarray"),
                "{\"zarr_format\":2,\"shape\":[32,16],\"chunks\":[8,8],\"dtype\":\">u2\",\"fill_value\":0,"
                        + "\"compressor\":{\"id\":\"gzip\",\"level\":1},\"order\":\"F\",\"filters\":null}");
        try (ZarrArray from = Zarr.openArray(at.toString())) {
            NdArray values = from.read();
            for (int i = 0; i < values.shorts().length; i++) {
                values.shorts()[i] = (short) (i * 7919);
            }
            from.write(from.domain(), values);
            Copy copy = Copy.of(from).withShardShape(16, 16);
            check(from, copy, "v2-copy", "0.0");
            byte[] damaged = Files.readAllBytes(at.resolve("1.1"));
            Arrays.fill(damaged, 20, damaged.length, (byte) 0xa5);
            Files.write(at.resolve("1.1"), damaged);
            assertTrue(isIn(damaged, shard(copy, "v2-damaged", "0.0")));
        }
    }
}
