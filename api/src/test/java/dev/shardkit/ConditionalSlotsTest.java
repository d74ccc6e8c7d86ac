package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.policy.Durability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compressed inner chunks in slots of one size: each write is in place, wherever its inner chunk lies. */
class ConditionalSlotsTest {
    private static final int SIDE = 8;
    private static final int CELLS = 4;
    /** The elements of an inner chunk, its checksum and the header. */
    private static final int SLOT = SIDE * SIDE * 4 + 4 + 1;

    @TempDir
    Path folder;

    private static Json codec(String name) {
        return Json.object().with("name", Json.of(name));
    }

    private ZarrArray create(ZarrOptions options) {
        Json inner = new Json.Arr(List.of(codec("numcodecs.shuffle"), codec("numcodecs.zlib"), codec("crc32c")));
        Json conditional = codec("conditional") instanceof Json.Obj o
                ? o.with("configuration", Json.object().with("codecs", inner))
                : inner;
        ArraySpec spec = ArraySpec.of("int32", SIDE * CELLS, SIDE * CELLS)
                .withChunkShape(SIDE, SIDE)
                .withShardShape(SIDE * CELLS, SIDE * CELLS)
                .withCodecs(conditional);
        return Zarr.createArray(folder.resolve("a.zarr").toString(), spec, IfExists.REFUSE, options);
    }

    @Test
    void eachInnerChunk_isWrittenInItsSlot() throws Exception {
        ZarrOptions options = ZarrOptions.defaults()
                .withDurability(Durability.NONE)
                .withWritePolicy(ShardWritePolicy.defaults()
                        .withStrategy(ShardWritePolicy.Strategy.IN_PLACE)
                        .withAllocation(ShardWritePolicy.Allocation.WHOLE));
        Random random = new Random(3);
        int[] expected = new int[SIDE * CELLS * SIDE * CELLS];
        List<Long> sizes = new ArrayList<>();
        try (ZarrArray array = create(options)) {
            for (int round = 0; round < 40; round++) {
                int y = random.nextInt(CELLS) * SIDE;
                int x = random.nextInt(CELLS) * SIDE;
                int[] values = new int[SIDE * SIDE];
                for (int i = 0; i < values.length; i++) {
                    values[i] = round % 3 == 0 ? random.nextInt() : round % 3 == 1 ? i : 0;
                    expected[(y + i / SIDE) * SIDE * CELLS + x + i % SIDE] = values[i];
                }
                array.write(Box.of(new long[] {y, x}, new long[] {SIDE, SIDE}), values, 0);
                sizes.add(Files.size(folder.resolve("a.zarr/c/0/0")));
                checkSlots(Files.readAllBytes(folder.resolve("a.zarr/c/0/0")));
            }
            assertArrayEquals(expected, array.read().ints());
        }
        int index = CELLS * CELLS * 16 + 4;
        assertEquals(1, sizes.stream().distinct().count(), "no write changes the size of the shard");
        assertEquals((long) CELLS * CELLS * SLOT + index, sizes.get(0));
    }

    private static void checkSlots(byte[] shard) {
        int count = CELLS * CELLS;
        ByteBuffer index = ByteBuffer.wrap(Arrays.copyOfRange(shard, shard.length - 4 - 16 * count, shard.length))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            assertEquals((long) i * SLOT, index.getLong(16 * i), "inner chunk " + i);
        }
    }
}
