package dev.shardkit.http;

import static dev.shardkit.presence.PresenceTest.list;
import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.PresentChunk;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.StoreException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which chunks exist, over HTTP: what it costs, and what a refused request means. */
class PresenceRequestsTest {
    private static ArraySpec large() {
        return ArraySpec.of("int16", 1024, 1024).withShardShape(256, 256).withChunkShape(64, 64);
    }

    @Test
    void chunkExists_isOneIndexRead_andNone_whenItIsKept() {
        try (Served served = Served.noise(large())) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            assertTrue(array.chunkExists(5, 6));
            assertEquals(List.of("GET bytes=-" + (16 * 16 + 4)), served.asked());
            assertTrue(array.chunkExists(5, 7));
            assertEquals(1, served.asked().size(), "the session keeps the index");
        }
        try (Served served = Served.empty(large())) {
            assertFalse(served.open(ZarrOptions.defaults()).chunkExists(5, 6));
            assertEquals(1, served.asked().size());
        }
    }

    @Test
    void sequence_readsIndexesOnly_eachOnce() {
        try (Served served = Served.noise(large())) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            assertEquals(256, array.presence().count());
            assertEquals(16, served.asked().size());
            assertEquals(Set.of("GET bytes=-260"), new HashSet<>(served.asked()));
            assertEquals(256, array.presence().bitmap().cardinality());
            assertEquals(16, served.asked().size(), "indexes are kept");
            served.server().clearLog();
            assertEquals(
                    4,
                    served.open(ZarrOptions.defaults()).presence(box(at(0, 0), 128, 128)).stream()
                            .count());
            assertEquals(1, served.asked().size());
        }
    }

    @Test
    void nestedIndexes_areReadInOneWaveALevel() {
        ArraySpec spec = ArraySpec.of("int16", 512, 512)
                .withShardShape(256, 256)
                .withChunkShape(64, 64)
                .withCodecs(Codecs.sharding(at(16, 16), Codecs.bytesLittleEndian()));
        try (Served served = Served.noise(spec)) {
            assertEquals(1024, served.open(ZarrOptions.defaults()).presence().count());
            int requests = served.asked().size();
            assertTrue(requests <= 4 + 4 * 16, "an index for each shard of each level at most, found " + requests);
            served.server().clearLog();
            assertTrue(served.open(ZarrOptions.defaults()).chunkExists(3, 3));
            assertEquals(2, served.asked().size(), "one a level");
        }
    }

    @Test
    void chunksWithoutShards_costASmallRequestEach() {
        try (Served served = Served.noise(ArraySpec.of("int16", 256, 256).withChunkShape(64, 64))) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            assertTrue(array.chunkExists(1, 1));
            assertEquals(List.of("GET bytes=-1"), served.asked());
            assertEquals(16, array.presence().count());
            assertTrue(served.asked().stream().allMatch("GET bytes=-1"::equals));
            assertTrue(served.asked().size() <= 17);
        }
    }

    @Test
    void refusedRequest_isNoAbsence() {
        try (Served served = Served.noise(large())) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            served.server().failNext(100, 403, Map.of());
            assertThrows(StoreException.class, () -> array.chunkExists(0, 0));
            assertThrows(StoreException.class, () -> array.presence().count());
        }
    }

    @Test
    @Timeout(180)
    void storeThatCannotList_isGoneThroughLazily() {
        ArraySpec spec = ArraySpec.of("int16", 1L << 31, 1L << 31)
                .withShardShape(256, 256)
                .withChunkShape(64, 64);
        try (Served served = Served.unpublished(spec)) {
            served.written().write(box(at(128, 192), 1, 1), new short[] {3}, 0);
            served.publish("zarr.json");
            served.publish("c/0/0");
            Iterator<PresentChunk> chunks =
                    served.open(ZarrOptions.defaults()).presence().iterator();
            assertEquals(List.of(2L, 3L), list(chunks.next().cell()));
            assertTrue(
                    served.asked().size() <= 64,
                    "a wave, found " + served.asked().size());
        }
    }
}
