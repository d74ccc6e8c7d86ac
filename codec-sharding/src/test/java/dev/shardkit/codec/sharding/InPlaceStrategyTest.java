package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.codec.crc32c.Crc32cCodec;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shards changed where they lie, and when they are not. */
class InPlaceStrategyTest {
    private static final long[] SHAPE = {16, 16};
    private static final ShardWritePolicy IN_PLACE =
            ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.IN_PLACE);
    private static final ShardWritePolicy REWRITE = ShardWritePolicy.defaults();

    private static ChunkCodec doublyNested(IndexLocation location, Codec... leaf) {
        return Codecs.bind(
                Model.type(0, SHAPE),
                Codecs.shard(
                        location,
                        shape(8, 8),
                        Codecs.shard(location, shape(4, 4), Codecs.shard(location, shape(2, 2), leaf))));
    }

    private static ObjectMap random(ChunkCodec codec) {
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(SHAPE), Model.random(new Random(2), SHAPE), REWRITE);
        return objects;
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void doublyNestedShard_isPatched_andHoldsWhatARewriteHolds(IndexLocation location) {
        ChunkCodec codec = doublyNested(location, Codecs.LITTLE, Codecs.CRC);
        ObjectMap patched = random(codec);
        ObjectMap rewritten = random(codec);
        byte[] before = patched.map.get("c");
        Box part = Box.of(shape(5, 6), shape(6, 3));
        Edit edit = patched.write(codec, "c", part, Model.counting(6, 3), IN_PLACE);
        rewritten.write(codec, "c", part, Model.counting(6, 3), REWRITE);
        assertEquals(
                4 * 2 * 20,
                assertInstanceOf(Edit.Patch.class, edit).written(),
                "4 x 2 innermost chunks of 20 bytes, and no index");
        assertArrayEquals(rewritten.map.get("c"), patched.map.get("c"));
        assertEquals(before.length, patched.map.get("c").length);
    }

    @Test
    void innerChunksOfOtherSize_fallBackToARewrite_ifAppendsAreNotToWaste() {
        ChunkCodec codec = doublyNested(IndexLocation.END, Codecs.LITTLE, Codecs.DEFLATE);
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(SHAPE), Model.filled(1, SHAPE), REWRITE);
        Edit edit = objects.write(
                codec, "c", Box.of(shape(2, 2)), Model.random(new Random(2), 2, 2), IN_PLACE.withMaxUnusedPercent(0));
        assertInstanceOf(Edit.Replace.class, edit);
    }

    @Test
    void oneInnerShardPatched_andOneNew_isARewriteThatMovesAllButThePatch() {
        ChunkCodec codec = doublyNested(IndexLocation.END, Codecs.LITTLE);
        ObjectMap objects = new ObjectMap();
        Model model = Model.filled(0, SHAPE);
        Box left = Box.of(shape(0, 0), shape(8, 8));
        model.set(left, Model.counting(8, 8));
        objects.write(codec, "c", left, Model.counting(8, 8), REWRITE);
        Box across = Box.of(shape(3, 7), shape(1, 2));
        model.set(across, Model.filled(5, 1, 2));
        Edit edit = objects.write(codec, "c", across, Model.filled(5, 1, 2), IN_PLACE.withMaxUnusedPercent(0));
        assertEquals(model, objects.read(codec, "c", Box.of(SHAPE)));
        var pieces = assertInstanceOf(Edit.Replace.class, edit).pieces();
        assertEquals(
                16, ((Piece.Literal) pieces.get(1)).bytes().size(), "the patch of the inner shard: one inner chunk");
        assertInstanceOf(Piece.Copied.class, pieces.get(0));
        assertInstanceOf(Piece.Copied.class, pieces.get(2));
    }

    @Test
    void nothingChanged_keepsTheShard() {
        ChunkCodec codec = doublyNested(IndexLocation.END, Codecs.LITTLE);
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(shape(2, 2)), Model.counting(2, 2), REWRITE);
        Box missing = Box.of(shape(8, 8), shape(3, 3));
        assertEquals(new Edit.Keep(), objects.write(codec, "c", missing, Model.filled(0, 3, 3), REWRITE));
        assertEquals(new Edit.Keep(), objects.write(codec, "c", missing, Model.filled(0, 3, 3), IN_PLACE));
    }

    @Test
    void emptyShardThatStaysEmpty_goes_orStaysIfItMay() {
        ObjectMap objects = new ObjectMap();
        objects.map.put("c", new Shards().index(NO, NO, NO, NO, NO, NO, NO, NO).done());
        Box part = Box.of(shape(3), shape(2));
        ChunkCodec codec = flat();
        assertEquals(new Edit.Delete(), objects.write(codec, "c", part, Model.filled(0, 2), REWRITE));
    }

    private static ChunkCodec flat() {
        return Codecs.chain(ShardingCodec.of(
                        shape(2), Codecs.chain(Codecs.LITTLE), Codecs.chain(Codecs.LITTLE), IndexLocation.END))
                .bind(Model.type(0, 8), Limits.defaults());
    }

    @Test
    void bytesThatInnerChunksShare_areNotPatched_andStaySharedInARewrite() {
        ObjectMap objects = new ObjectMap();
        objects.map.put(
                "c", new Shards().ints(1, 2).index(0, 8, 0, 8, 0, 8, 0, 8).done());
        objects.write(flat(), "c", Box.of(shape(2), shape(1)), Model.filled(9, 1), IN_PLACE.withMaxUnusedPercent(0));
        Model expected = Model.filled(0, 8);
        System.arraycopy(new int[] {1, 2, 9, 2, 1, 2, 1, 2}, 0, expected.data, 0, 8);
        assertEquals(expected, objects.read(flat(), "c", Box.of(shape(8))));
        byte[] shared =
                new Shards().ints(1, 2, 9, 2).index(0, 8, 8, 8, 0, 8, 0, 8).done();
        assertArrayEquals(shared, objects.map.get("c"));
    }

    @Test
    void twoPatchesOfTheSameBytes_areARewrite() {
        ObjectMap objects = new ObjectMap();
        objects.map.put(
                "c",
                new Shards()
                        .ints(1, 2, 0, 0, 0, 0, 0, 0)
                        .index(0, 8, 4, 8, NO, NO, NO, NO)
                        .done());
        Edit edit = objects.write(
                flat(), "c", Box.of(shape(1), shape(2)), Model.filled(9, 2), IN_PLACE.withMaxUnusedPercent(0));
        assertInstanceOf(Edit.Replace.class, edit);
        Model expected = Model.filled(0, 4);
        System.arraycopy(new int[] {1, 9, 9, 0}, 0, expected.data, 0, 4);
        assertEquals(expected, objects.read(flat(), "c", Box.of(shape(4))));
    }

    private static final long NO = Shards.NONE;

    @Test
    void aShardThatWouldGrowWithoutEnd_isRefused() {
        ChunkCodec codec = Codecs.bind(Model.type(0, 2000), Codecs.shard(shape(2), Codecs.LITTLE));
        long[] entries = new long[2000];
        for (int i = 0; i < 1000; i++) {
            entries[2 * i] = i;
            entries[2 * i + 1] = 40_000 - i;
        }
        Bytes plain = Bytes.of(Shards.indexBytes(ByteOrder.LITTLE_ENDIAN, entries));
        byte[] index = new Crc32cCodec().encode(plain, new Scratch()).toArray();
        ObjectMap objects = new ObjectMap();
        objects.map.put("c", new Shards().bytes(new byte[40_000]).bytes(index).done());
        assertThrows(
                CorruptDataException.class,
                () -> objects.write(codec, "c", Box.of(shape(2)), Model.filled(9, 2), REWRITE));
    }

    @Test
    void foreignHeaderGapsAndFooter_areLeftOutOfARewrite_andStayInAPatch() {
        byte[] foreign = new Shards()
                .ints(-1, -1, 1, 2, -1, 3, 4, -1)
                .index(8, 8, 20, 8, NO, NO, NO, NO)
                .done();
        ObjectMap patched = new ObjectMap();
        patched.map.put("c", foreign);
        patched.write(flat(), "c", Box.of(shape(2), shape(1)), Model.filled(9, 1), IN_PLACE);
        byte[] expected = foreign.clone();
        expected[20] = 9;
        assertArrayEquals(expected, patched.map.get("c"));
        ObjectMap rewritten = new ObjectMap();
        rewritten.map.put("c", foreign);
        rewritten.write(
                flat(),
                "c",
                Box.of(shape(2), shape(1)),
                Model.filled(9, 1),
                REWRITE.withForeignBytes(ShardWritePolicy.ForeignBytes.DROP));
        assertArrayEquals(
                new Shards().ints(1, 2, 9, 4).index(0, 8, 8, 8, NO, NO, NO, NO).done(), rewritten.map.get("c"));
        assertEquals(
                4,
                Arrays.stream(rewritten.read(flat(), "c", Box.of(shape(8))).data)
                        .filter(v -> v != 0)
                        .count());
    }
}
