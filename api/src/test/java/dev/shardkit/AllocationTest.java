package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How much memory a warm read allocates for each inner chunk, in addition to the result. Buffers and the state of
 * codecs are reused, so nothing as large as an inner chunk is allocated. benchmarks/RESULTS.md lists the bounds.
 */
class AllocationTest {
    private static final int EDGE = 32;
    private static final int SHARD = 4 * EDGE;
    private static final int INNER_CHUNKS = 4 * 4 * 4;
    /** An inner chunk is 64 KiB: a copy of one would be well above both. */
    private static final long IN_A_FULL_READ = 6 << 10;

    /** On Windows, Java allocates more to read the attributes of a file. */
    private static final long IN_A_SINGLE_READ = File.separatorChar == '\\' ? 36 << 10 : 20 << 10;

    private static final int WARM = 30;
    private static final int TRIES = 5;

    private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final short[] whole = new short[SHARD * SHARD * SHARD];
    private final short[] inner = new short[EDGE * EDGE * EDGE];

    @TempDir
    private Path dir;

    static Stream<Arguments> codecs() {
        return Stream.of(
                Arguments.of("bytes", List.of()),
                Arguments.of("zstd", List.of(Codecs.zstd(3))),
                Arguments.of("gzip", List.of(Codecs.gzip(5))),
                Arguments.of("blosc with lz4", List.of(Codecs.blosc("lz4", 5, 2))),
                Arguments.of("blosc with zstd", List.of(Codecs.blosc("zstd", 5, 2))),
                Arguments.of("zstd and crc32c", List.of(Codecs.zstd(3), Codecs.crc32c())));
    }

    private ZarrArray write(List<Json> codecs, ZarrOptions options) {
        ArraySpec spec = ArraySpec.of("uint16", SHARD, SHARD, SHARD)
                .withShardShape(SHARD, SHARD, SHARD)
                .withChunkShape(EDGE, EDGE, EDGE)
                .withCodecs(codecs.toArray(new Json[0]));
        // One worker: the calling thread, whose allocation can be told.
        ZarrArray array =
                Zarr.createArray(dir.resolve("a").toString(), spec, IfExists.REFUSE, options.withParallelism(1));
        for (int i = 0; i < whole.length; i++) {
            whole[i] = (short) (i / 7 + i % 13);
        }
        array.write(array.domain(), whole, 0);
        return array;
    }

    /** The least that {@code read} allocates once it is warm. */
    private long allocated(Runnable read) {
        for (int i = 0; i < WARM; i++) {
            read.run();
        }
        long id = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long before = thread.getThreadAllocatedBytes(id);
            read.run();
            least = Math.min(least, thread.getThreadAllocatedBytes(id) - before);
        }
        return least;
    }

    private long inAFullRead(ZarrArray array) {
        return allocated(() -> array.readInto(whole, 0, array.domain())) / INNER_CHUNKS;
    }

    private long inASingleRead(ZarrArray array) {
        Box box = Box.of(new long[] {EDGE, 2 * EDGE, EDGE}, new long[] {EDGE, EDGE, EDGE});
        return allocated(() -> array.readInto(inner, 0, box));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("codecs")
    void warmRead_ofAnInnerChunk_allocatesLittle(String name, List<Json> codecs) {
        try (ZarrArray array = write(codecs, ZarrOptions.defaults())) {
            long full = inAFullRead(array);
            long single = inASingleRead(array);
            assertTrue(full <= IN_A_FULL_READ, () -> full + " bytes for each inner chunk of a full read");
            assertTrue(single <= IN_A_SINGLE_READ, () -> single + " bytes for a single inner chunk");
        }
    }

    /** The bounds can be broken: by a codec that copies what it is given, and does nothing else. */
    @Test
    void copyOfAnInnerChunk_breaksTheBounds() {
        Registry registry = Registry.builder()
                .all(Registry.load())
                .codec(new SpyCodecFactory("test.copy", (encoded, scratch) -> encoded.copy()))
                .build();
        try (ZarrArray array = write(
                List.of(Codecs.named("test.copy", Json.object())),
                ZarrOptions.defaults().withRegistry(registry))) {
            assertTrue(inAFullRead(array) > IN_A_FULL_READ);
            assertTrue(inASingleRead(array) > IN_A_SINGLE_READ);
        }
    }
}
