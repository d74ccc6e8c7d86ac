package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardAccess.Layout;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.EmptyChunks;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Log;
import dev.shardkit.testing.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes touch only what they must: seen in the files, and in what is asked of the store. */
@Timeout(120)
class PartialWriteTest {
    private static final int FILL = 5;

    @TempDir
    Path dir;

    private final Log log = new Log();

    private ZarrArray create(ArraySpec spec, ZarrOptions options) {
        return Zarr.createArray(
                FileStore.at(dir),
                "a",
                spec.withFillValue(FILL),
                IfExists.REFUSE,
                options.withListener(log).withDurability(Durability.ATOMIC));
    }

    /** Four shards of 4 x 4 inner chunks, the last ones past the edge. */
    private static ArraySpec spec(IndexLocation location) {
        return ArraySpec.of("uint16", 60, 60)
                .withChunkShape(8, 8)
                .withShardShape(32, 32)
                .withIndexLocation(location);
    }

    private ZarrArray noise(ArraySpec spec, ZarrOptions options) {
        ZarrArray array = create(spec, options);
        array.write(array.domain(), Values.noise(array, 1), 0);
        log.clear();
        return array;
    }

    private List<String> innerChunks(ZarrArray array, long... cell) throws IOException {
        Layout layout = array.storage().layout(cell).orElseThrow();
        byte[] shard = Files.readAllBytes(dir.resolve(array.storage().key(cell)));
        List<String> chunks = new ArrayList<>();
        for (long i = 0; i < layout.count(); i++) {
            chunks.add(layout.extent(i).map(e -> bytes(shard, e)).orElse("empty"));
        }
        return chunks;
    }

    private static String bytes(byte[] shard, Extent extent) {
        return Arrays.toString(
                Arrays.copyOfRange(shard, (int) extent.offset(), (int) (extent.offset() + extent.size())));
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void innerChunks_thatAreNotTouched_keepTheirBytes(IndexLocation location) throws IOException {
        ZarrArray array = noise(spec(location), ZarrOptions.defaults());
        short[] model = Values.noise(array, 1);
        List<String> before = innerChunks(array, 0, 0);
        byte[] other = Files.readAllBytes(dir.resolve("a/c/1/1"));
        log.clear();
        Box region = box(at(3, 10), 10, 4); // inner chunks 1 and 5
        array.write(region, new short[40], 0);
        for (long i = 0; i < region.count(); i++) {
            long[] at = region.at(i);
            model[(int) (at[0] * 60 + at[1])] = 0;
        }
        List<String> after = innerChunks(array, 0, 0);
        for (int i = 0; i < 16; i++) {
            assertEquals(i != 1 && i != 5, before.get(i).equals(after.get(i)), "inner chunk " + i);
        }
        assertEquals(List.of("write a/c/0/0"), log.of("write"));
        assertArrayEquals(other, Files.readAllBytes(dir.resolve("a/c/1/1")));
        assertArrayEquals(model, array.read().shorts());
        assertArrayEquals(
                model, Zarr.openArray(dir.resolve("a").toString()).read().shorts());
    }

    @Test
    void shards_thatAreCovered_areNotRead() {
        ZarrArray array = noise(spec(IndexLocation.END), ZarrOptions.defaults());
        array.write(box(at(0, 0), 32, 32), new short[1024], 0);
        array.write(box(at(32, 32), 28, 28), new short[784], 0); // as far as the array reaches
        assertEquals(List.of(), log.of("request"));
        assertEquals(List.of("write a/c/0/0", "write a/c/1/1"), log.of("write"));
        assertArrayEquals(new short[784], array.read(box(at(32, 32), 28, 28)).shorts());

        log.clear();
        array.write(box(at(0, 0), 32, 31), new short[992], 0);
        assertFalse(log.of("request").isEmpty());
    }

    @Test
    void innerChunks_thatAreCovered_areNotRead() {
        ZarrArray array = noise(spec(IndexLocation.END), ZarrOptions.defaults().withCacheBytes(0));
        array.write(box(at(8, 8), 16, 8), new short[128], 0);
        assertEquals(1, log.of("request").size(), () -> log.of("request").toString()); // the index
        log.clear();
        array.write(box(at(8, 8), 16, 7), new short[112], 0);
        assertEquals(2, log.of("request").size(), () -> log.of("request").toString()); // they lie local one another
    }

    @Test
    void emptyInnerChunks_areDropped_andEmptyShardsGo() throws IOException {
        ZarrArray array = noise(spec(IndexLocation.END), ZarrOptions.defaults());
        short[] fill = new short[3600];
        Arrays.fill(fill, (short) FILL);
        array.write(box(at(0, 0), 8, 8), fill, 0);
        assertEquals("empty", innerChunks(array, 0, 0).get(0));
        array.write(box(at(9, 9), 8, 8), fill, 0);
        assertEquals(
                15,
                innerChunks(array, 0, 0).stream()
                        .filter(c -> !c.equals("empty"))
                        .count());
        log.clear();
        array.write(box(at(0, 0), 32, 31), fill, 0);
        array.write(box(at(0, 31), 32, 1), fill, 0);
        assertEquals(List.of("delete a/c/0/0"), log.of("delete"));
        assertFalse(Files.exists(dir.resolve("a/c/0/0")));
        array.write(array.domain(), fill, 0);
        Box cells = Box.of(array.storage().gridShape());
        for (long i = 0; i < cells.count(); i++) {
            assertFalse(Files.exists(dir.resolve(array.storage().key(cells.at(i)))));
        }
        assertArrayEquals(fill, array.read().shorts());
        log.clear();
        array.write(box(at(1, 1), 5, 5), fill, 0); // fill on what is not there
        assertEquals(List.of(), log.of("write"));
        assertFalse(Files.exists(dir.resolve("a/c/0/0")));
    }

    @Test
    void emptyInnerChunks_areKept_whereThatIsWanted() throws IOException {
        ZarrArray array = create(
                spec(IndexLocation.END),
                ZarrOptions.defaults()
                        .withWritePolicy(ShardWritePolicy.defaults().withEmptyChunks(EmptyChunks.KEEP)));
        short[] fill = new short[3600];
        Arrays.fill(fill, (short) FILL);
        array.write(array.domain(), fill, 0);
        assertFalse(innerChunks(array, 0, 0).contains("empty"));
        assertArrayEquals(fill, array.read().shorts());
        assertTrue(Files.exists(dir.resolve("a/c/1/1")));
    }

    @Test
    void edges_arePaddedWithFill() throws IOException {
        ArraySpec spec =
                ArraySpec.of("uint16", 10).withChunkShape(8).withShardShape(16).withCodecs(Codecs.bytesLittleEndian());
        ZarrArray array = create(spec, ZarrOptions.defaults());
        array.write(Values.range(0, 10), Values.noise(array, 1), 0);
        assertPadded(array);
        array.write(Values.range(5, 10), Values.noise(array, 1), 5);
        assertPadded(array);
        ZarrArray plain = Zarr.createArray(
                FileStore.at(dir),
                "plain",
                ArraySpec.of("uint16", 10)
                        .withChunkShape(8)
                        .withCodecs(Codecs.bytesLittleEndian())
                        .withFillValue(FILL),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        plain.write(Values.range(9, 10), new short[] {1}, 0);
        assertArrayEquals(
                new byte[] {FILL, 0, 1, 0, FILL, 0, FILL, 0, FILL, 0, FILL, 0, FILL, 0, FILL, 0},
                Files.readAllBytes(dir.resolve("plain/c/1")));
    }

    private void assertPadded(ZarrArray array) throws IOException {
        String second = innerChunks(array, 0).get(1);
        assertTrue(second.endsWith(", 5, 0".repeat(6) + "]"), second);
    }

    @Test
    void nestedShards_moveWhatIsNotTouched() throws IOException {
        ArraySpec spec = ArraySpec.of("uint16", 64, 64)
                .withShardShape(64, 64)
                .withChunkShape(16, 16)
                .withCodecs(Codecs.sharding(new long[] {4, 4}, Codecs.bytesLittleEndian(), Codecs.zstd(3)));
        ZarrArray array = noise(spec, ZarrOptions.defaults().withCacheBytes(0));
        List<String> before = innerChunks(array, 0, 0);
        log.clear();
        array.write(box(at(17, 17), 2, 2), new short[4], 0);
        assertEquals(3, log.of("request").size(), () -> log.of("request").toString()); // two indexes, one inner chunk
        List<String> after = innerChunks(array, 0, 0);
        for (int i = 0; i < 16; i++) {
            assertEquals(i != 5, before.get(i).equals(after.get(i)), "inner shard " + i);
        }
        short[] model = Values.noise(array, 1);
        for (int i : new int[] {17 * 64 + 17, 17 * 64 + 18, 18 * 64 + 17, 18 * 64 + 18}) {
            model[i] = 0;
        }
        assertArrayEquals(model, array.read().shorts());
    }
}
