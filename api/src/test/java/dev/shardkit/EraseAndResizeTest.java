package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.testing.Log;
import dev.shardkit.testing.Values;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions back to the fill value, and arrays of another shape. */
class EraseAndResizeTest {
    private static final short FILL = 5;

    @TempDir
    Path dir;

    private final Log log = new Log();

    private ZarrArray create() {
        ArraySpec spec = ArraySpec.of("uint16", 64, 64)
                .withShardShape(32, 32)
                .withChunkShape(8, 8)
                .withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(3))
                .withFillValue(FILL);
        ZarrArray array = Zarr.createArray(
                FileStore.at(dir),
                "a",
                spec,
                IfExists.REFUSE,
                ZarrOptions.defaults().withListener(log).withCacheBytes(0));
        array.write(array.domain(), Values.noise(array, 1), 0);
        log.clear();
        return array;
    }

    private static short[] model(ZarrArray array, Box erased) {
        short[] model = Values.noise(array, 1);
        for (long i = 0; i < erased.count(); i++) {
            long[] at = erased.at(i);
            model[(int) (at[0] * 64 + at[1])] = FILL;
        }
        return model;
    }

    @ParameterizedTest
    @EnumSource(ShardWritePolicy.Strategy.class)
    void erase_readsOnlyWhatItCoversInPart(ShardWritePolicy.Strategy strategy) {
        ZarrArray array = create();
        ZarrArray handle =
                array.with(o -> o.withWritePolicy(ShardWritePolicy.defaults().withStrategy(strategy)));
        handle.erase(box(at(0, 0), 16, 24));
        assertEquals(1, log.of("request").size(), () -> "the index alone: " + log.of("request"));
        assertArrayEquals(model(array, box(at(0, 0), 16, 24)), array.read().shorts());
        log.clear();
        handle.erase(box(at(0, 0), 17, 24));
        if (strategy != ShardWritePolicy.Strategy.APPEND) { // which looks at what it left behind, too
            assertEquals(
                    2, log.of("request").size(), () -> "the index and three neighbours at once: " + log.of("request"));
        }
        assertArrayEquals(model(array, box(at(0, 0), 17, 24)), array.read().shorts());
        assertTrue(array.storage().layout(at(0, 0)).orElseThrow().extent(0).isEmpty(), "not stored any more");
    }

    @Test
    void erase_deletesShards_thatItCoversOrEmpties() {
        ZarrArray array = create();
        array.erase(box(at(0, 0), 32, 48));
        assertFalse(Files.exists(dir.resolve("a/c/0/0")));
        assertTrue(Files.exists(dir.resolve("a/c/0/1")));
        assertEquals(List.of("delete a/c/0/0"), log.of("delete"));
        array.erase(box(at(0, 48), 32, 16));
        assertFalse(Files.exists(dir.resolve("a/c/0/1")), "half and half");
        assertArrayEquals(model(array, box(at(0, 0), 32, 64)), array.read().shorts());
        array.with(o -> o.withWritePolicy(
                        ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP)))
                .erase(box(at(32, 0), 32, 64));
        assertFalse(Files.exists(dir.resolve("a/c/1/0")), "whatever the policy says");
        array.erase(array.domain());
        short[] fill = new short[64 * 64];
        Arrays.fill(fill, FILL);
        assertArrayEquals(fill, array.read().shorts());
    }

    @Test
    void resize_removesWhatIsOutside_andGrowsWithFill() {
        ZarrArray array = create();
        int[] progress = {0, 0};
        ZarrArray small = array.with(o -> o.withListener(new StoreListener() {
                    @Override
                    public synchronized void onProgress(long done, long total) {
                        progress[0]++;
                        progress[1] = (int) total;
                    }
                }))
                .resize(at(20, 40), ResizePolicy.REMOVE);
        assertArrayEquals(at(20, 40), small.shape());
        assertArrayEquals(new int[] {4, 4}, progress, "four shards");
        assertEquals(List.of("c/0/0", "c/0/1"), Values.keys(dir.resolve("a")));
        ZarrArray grown =
                Zarr.openArray(FileStore.at(dir), "a", ZarrOptions.defaults()).resize(at(64, 64), ResizePolicy.KEEP);
        short[] model = Values.noise(array, 1);
        for (int i = 0; i < model.length; i++) {
            if (i / 64 >= 20 || i % 64 >= 40) {
                model[i] = FILL;
            }
        }
        assertArrayEquals(model, grown.read().shorts());
    }

    @Test
    void resize_keepsWhatIsOutside_whereThatIsWanted() {
        ZarrArray array = create();
        ZarrArray small = array.resize(at(20, 0), ResizePolicy.KEEP);
        assertTrue(small.domain().isEmpty());
        assertEquals(4, Values.keys(dir.resolve("a")).size());
        assertEquals(List.of(), log.of("request a/c"));
        assertArrayEquals(
                Values.noise(array, 1),
                small.resize(at(64, 64), ResizePolicy.KEEP).read().shorts());
    }

    @Test
    void resize_toNothing_removesAll() {
        ZarrArray array = create();
        ZarrArray none = array.resize(at(0, 64), ResizePolicy.REMOVE);
        assertEquals(List.of(), Values.keys(dir.resolve("a")));
        short[] fill = new short[100];
        Arrays.fill(fill, FILL);
        assertArrayEquals(
                fill, none.resize(at(10, 10), ResizePolicy.REMOVE).read().shorts());
    }

    @Test
    void resize_again_endsWhatWasCutShort() {
        ZarrArray array = create();
        ZarrArray stopped = array.with(o -> o.withParallelism(1).withListener(new StoreListener() {
            @Override
            public void onProgress(long done, long total) {
                if (done == 2) {
                    Thread.currentThread().interrupt();
                }
            }
        }));
        assertThrows(
                java.util.concurrent.CancellationException.class,
                () -> stopped.resize(at(20, 20), ResizePolicy.REMOVE));
        assertTrue(Thread.interrupted());
        ZarrArray reopened = Zarr.openArray(FileStore.at(dir), "a", ZarrOptions.defaults());
        assertArrayEquals(at(64, 64), reopened.shape(), "the metadata come last");
        Box inside = Box.of(at(20, 20));
        assertArrayEquals(
                Values.cut(array, Values.noise(array, 1), inside),
                reopened.read(inside).shorts());
        reopened.resize(at(20, 20), ResizePolicy.REMOVE);
        assertEquals(List.of("c/0/0"), Values.keys(dir.resolve("a")));
    }

    @Test
    void resize_keepsOtherMembers_asTheyAreStored() {
        ZarrArray array = create();
        Zarr.openArray(FileStore.at(dir), "a", ZarrOptions.defaults())
                .replaceAttributes(Json.object().with("by", Json.of("another")));
        ZarrArray grown = array.resize(at(70, 64), ResizePolicy.REMOVE);
        assertEquals(Json.object().with("by", Json.of("another")), grown.attributes());
        ZarrArray named = array.replaceAttributes(Json.object());
        assertArrayEquals(at(70, 64), named.shape(), "an old handle does not bring the old shape back");
        assertThrows(IllegalArgumentException.class, () -> array.resize(at(70), ResizePolicy.KEEP));
        assertThrows(IllegalArgumentException.class, () -> array.resize(at(70, -1), ResizePolicy.KEEP));
    }
}
