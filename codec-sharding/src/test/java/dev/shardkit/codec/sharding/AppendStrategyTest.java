package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardRewriting;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.ForeignBytes;
import dev.shardkit.spi.codec.ShardWritePolicy.Order;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Appends that are cut short, waste, foreign bytes, and the order in a shard that is written whole. */
class AppendStrategyTest {
    private static final ShardWritePolicy APPEND =
            ShardWritePolicy.defaults().withStrategy(Strategy.APPEND).withMaxUnusedPercent(100);

    private static ChunkCodec flat(IndexLocation location) {
        return Codecs.bind(Model.type(0, 8), Codecs.shard(location, shape(2), Codecs.LITTLE, Codecs.DEFLATE));
    }

    @Test
    void lastValidEnd_ofAnAppendCutAtEveryByte_isTheOldOrTheNewState() {
        ChunkCodec codec = flat(IndexLocation.END);
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(shape(8)), Model.random(new Random(1), 8), APPEND);
        for (int append = 0; append < 5; append++) {
            int old = objects.map.get("c").length;
            objects.write(codec, "c", Box.of(shape(append), shape(2)), Model.random(new Random(append), 2), APPEND);
            byte[] done = objects.map.get("c");
            for (int cut = old; cut <= done.length; cut++) {
                objects.map.put("cut", Arrays.copyOf(done, cut));
                assertEquals(
                        OptionalLong.of(cut < done.length ? old : cut),
                        objects.run(ShardRewriting.of(codec.shardAccess().orElseThrow())
                                .lastValidEnd(Source.stored("cut"))));
            }
        }
        objects.map.put("cut", new byte[3]);
        assertEquals(
                OptionalLong.empty(),
                objects.run(ShardRewriting.of(codec.shardAccess().orElseThrow()).lastValidEnd(Source.stored("cut"))));
        assertEquals(
                OptionalLong.empty(),
                objects.run(ShardRewriting.of(codec.shardAccess().orElseThrow()).lastValidEnd(Source.stored("none"))));
    }

    @Test
    void lastValidEnd_isFoundFarFromTheEnd_acrossBlocks() {
        ChunkCodec codec = flat(IndexLocation.END);
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(shape(8)), Model.random(new Random(1), 8), APPEND);
        int end = objects.map.get("c").length;
        byte[] content = Arrays.copyOf(objects.map.get("c"), end + 3 * ZeroBytes.BLOCK);
        for (int tail : new int[] {
            ZeroBytes.BLOCK - 70, ZeroBytes.BLOCK - 1, ZeroBytes.BLOCK, ZeroBytes.BLOCK + 1, 3 * ZeroBytes.BLOCK
        }) {
            byte[] torn = Arrays.copyOf(content, end + tail);
            Arrays.fill(torn, end + tail / 2, torn.length, (byte) 7);
            objects.map.put("torn", torn);
            assertEquals(
                    OptionalLong.of(end),
                    objects.run(
                            ShardRewriting.of(codec.shardAccess().orElseThrow()).lastValidEnd(Source.stored("torn"))));
        }
    }

    @Test
    void indexThatAnInnerShardsLooksLike_isNotSearched_andHasAJournal() {
        ChunkCodec codec =
                Codecs.bind(Model.type(0, 16), Codecs.shard(shape(4), Codecs.shard(shape(1), Codecs.LITTLE)));
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(shape(16)), Model.counting(16), APPEND);
        Edit edit = objects.write(codec, "c", Box.of(shape(2)), Model.filled(9, 2), APPEND);
        assertEquals(
                Edit.Recovery.JOURNAL, assertInstanceOf(Edit.Patch.class, edit).recovery());
        assertEquals(
                OptionalLong.empty(),
                objects.run(ShardRewriting.of(codec.shardAccess().orElseThrow()).lastValidEnd(Source.stored("c"))));
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void tooMuchWaste_isARewriteWithoutAny_andSaysSo(IndexLocation location) {
        ChunkCodec codec = flat(location);
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(shape(8)), Model.random(new Random(1), 8), APPEND);
        int rewrites = 0;
        for (int i = 0; i < 40; i++) {
            Edit edit = objects.write(
                    codec,
                    "c",
                    Box.of(shape(i % 4 * 2), shape(2)),
                    Model.random(new Random(i), 2),
                    APPEND.withMaxUnusedPercent(60));
            if (edit instanceof Edit.Replace replace) {
                rewrites++;
                assertTrue(
                        replace.fallbackReason().orElseThrow().contains("would be unused"),
                        replace.fallbackReason().get());
                assertTrue(replace.size() <= 4 * 19 + 68, "compact");
            }
        }
        assertTrue(rewrites > 1 && rewrites < 20, rewrites + " rewrites");
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void foreignHeaderAndFooter_areRefusedKeptOrDropped(IndexLocation location) {
        boolean start = location == IndexLocation.START;
        ChunkCodec codec = Codecs.chain(
                        ShardingCodec.of(shape(2), Codecs.chain(Codecs.LITTLE), Codecs.chain(Codecs.LITTLE), location))
                .bind(Model.type(0, 4), Limits.defaults());
        int base = start ? 32 : 0;
        Shards shard = start ? new Shards().index(base + 8, 8, base + 16, 8) : new Shards();
        shard.ints(-1, 0, 1, 2, 3, 4, 0, -2);
        byte[] foreign = start ? shard.done() : shard.index(8, 8, 16, 8).done();
        Box part = Box.of(shape(3), shape(1));
        for (ShardWritePolicy policy : new ShardWritePolicy[] {ShardWritePolicy.defaults(), APPEND}) {
            ObjectMap objects = new ObjectMap();
            objects.map.put("c", foreign);
            UnsupportedException e = assertThrows(
                    UnsupportedException.class, () -> objects.write(codec, "c", part, Model.filled(9, 1), policy));
            assertTrue(
                    e.getMessage().contains("8 bytes before the first inner chunk, from byte " + base)
                            && e.getMessage().contains("8 bytes after the last"),
                    e.getMessage());
            objects.write(codec, "c", part, Model.filled(9, 1), policy.withForeignBytes(ForeignBytes.KEEP));
            byte[] kept = foreign.clone();
            kept[base + 20] = 9;
            assertArrayEquals(kept, objects.map.get("c"));
            objects.write(
                    codec,
                    "c",
                    part,
                    Model.filled(8, 1),
                    policy.withStrategy(Strategy.REWRITE).withForeignBytes(ForeignBytes.DROP));
            assertEquals(16 + 32, objects.map.get("c").length);
            assertArrayEquals(new int[] {1, 2, 3, 8}, objects.read(codec, "c", Box.of(shape(4))).data);
        }
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void foreignHeader_survivesAppendsAndTheirCompaction(IndexLocation location) {
        ChunkCodec codec = flat(location);
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(shape(8)), Model.random(new Random(1), 8), APPEND);
        byte[] plain = objects.map.get("c");
        int base = location == IndexLocation.START ? 68 : 0;
        objects.map.put("c", withHeader(codec, objects, plain, base));
        ShardWritePolicy keep = APPEND.withForeignBytes(ForeignBytes.KEEP);
        for (int i = 0; i < 8; i++) {
            objects.write(codec, "c", Box.of(shape(i), shape(1)), Model.filled(i + 1, 1), keep);
        }
        assertThrows(
                UnsupportedException.class,
                () -> objects.write(codec, "c", Box.of(shape(1)), Model.filled(3, 1), ShardWritePolicy.defaults()));
        Edit edit = objects.write(codec, "c", Box.of(shape(1)), Model.filled(3, 1), keep.withMaxUnusedPercent(0));
        assertInstanceOf(Edit.Replace.class, edit);
        byte[] after = objects.map.get("c");
        assertTrue(
                IntStream.range(0, 64).allMatch(i -> after[base + i] == (byte) (i + 100)), "the header stays in place");
        assertArrayEquals(new int[] {3, 2, 3, 4, 5, 6, 7, 8}, objects.read(codec, "c", Box.of(shape(8))).data);
        assertTrue(after.length <= 64 + 68 + 4 * 19, "nothing of ours is kept");
    }

    /** The shard with 64 bytes between its beginning (or its index) and its first inner chunk. */
    private static byte[] withHeader(ChunkCodec codec, ObjectMap objects, byte[] plain, int base) {
        IndexFormat index = IndexFormat.of(
                shape(4), Codecs.INDEX, base > 0 ? IndexLocation.START : IndexLocation.END, Limits.defaults());
        long[] entries =
                objects.run(index.read(Source.stored("c"))).orElseThrow().entries();
        for (int i = 0; i < entries.length; i += 2) {
            entries[i] += 64;
        }
        byte[] header = new byte[64];
        for (int i = 0; i < 64; i++) {
            header[i] = (byte) (i + 100);
        }
        byte[] encoded = index.encode(entries, new Scratch()).toArray();
        byte[] chunks = Arrays.copyOfRange(plain, base, plain.length - (base > 0 ? 0 : encoded.length));
        Shards shard = base > 0 ? new Shards().bytes(encoded) : new Shards();
        shard.bytes(header).bytes(chunks);
        return base > 0 ? shard.done() : shard.bytes(encoded).done();
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void shardsThatOnlyWeWrote_areNeverRefused(IndexLocation location) {
        for (int seed = 0; seed < 60; seed++) {
            ChunkCodec codec = flat(location);
            ObjectMap objects = new ObjectMap();
            Model model = Model.filled(0, 8);
            Random random = new Random(seed);
            for (int i = 0; i < 40; i++) {
                Box part = Model.randomPart(random, shape(8));
                Model values = i % 3 == 0 ? Model.filled(0, part.shape()) : Model.random(random, part.shape());
                model.set(part, values);
                objects.write(
                        codec,
                        "c",
                        part,
                        values,
                        APPEND.withMaxUnusedPercent(random.nextInt(101))
                                .withStrategy(Strategy.values()[random.nextInt(3)])
                                .withSlack(new ShardWritePolicy.Slack(random.nextInt(100), 20))
                                .withEmptyChunks(ShardWritePolicy.EmptyChunks.values()[random.nextInt(2)]));
                assertEquals(model, objects.read(codec, "c", Box.of(shape(8))));
            }
        }
    }

    @Test
    void ordersOfAWholeShard_areTheirs() {
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5}, order(Order.C));
        assertArrayEquals(new int[] {0, 3, 1, 4, 2, 5}, order(Order.FORTRAN));
        assertArrayEquals(new int[] {0, 1, 3, 4, 2, 5}, order(Order.MORTON));
    }

    private static int[] order(Order order) {
        return IntStream.range(0, 6).map(WriteOrder.of(order, shape(2, 3))).toArray();
    }

    @Test
    void asTheyCome_keepsWhatStaysInItsOrder_andPutsWhatIsNewBehind() {
        ChunkCodec codec = Codecs.bind(Model.type(0, 8), Codecs.shard(shape(2), Codecs.LITTLE));
        ObjectMap objects = new ObjectMap();
        ShardWritePolicy policy = ShardWritePolicy.defaults().withOrder(Order.AS_THEY_COME);
        for (int chunk : new int[] {2, 0, 3, 1, 2}) {
            objects.write(codec, "c", Box.of(shape(2 * chunk), shape(2)), Model.filled(chunk + 1, 2), policy);
        }
        int[] first = Arrays.stream(new int[] {0, 3, 1, 2})
                .map(i -> (int) objects.run(codec.shardAccess().get().layout(Source.stored("c")))
                        .orElseThrow()
                        .extent(i)
                        .orElseThrow()
                        .offset())
                .toArray();
        assertArrayEquals(new int[] {0, 8, 16, 24}, first);
    }
}
