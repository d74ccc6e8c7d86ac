package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Codecs around a whole shard: it is decoded once, in memory, and all else stays as it is. */
class OuterCodecTest {
    private static final long[] SHAPE = {12, 12};
    private static final ShardWritePolicy IN_PLACE =
            ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.IN_PLACE);

    static List<CodecChain> chains() {
        Codec flat = Codecs.shard(shape(2, 3), Codecs.LITTLE);
        return List.of(
                Codecs.chain(flat, Codecs.CRC),
                Codecs.chain(flat, Codecs.DEFLATE),
                Codecs.chain(Codecs.shard(IndexLocation.START, shape(6, 6), flat), Codecs.DEFLATE, Codecs.CRC),
                Codecs.chain(Codecs.shard(shape(6, 6), flat, Codecs.DEFLATE)),
                Codecs.chain(new Codecs.Transpose(1, 0), Codecs.shard(shape(6, 6), flat, Codecs.CRC), Codecs.DEFLATE));
    }

    @ParameterizedTest
    @MethodSource("chains")
    void partialReadsAndWrites_agreeWithTheModel(CodecChain chain) {
        ChunkCodec codec = chain.bind(Model.type(-2, SHAPE), Limits.defaults());
        for (ShardWritePolicy policy : List.of(
                ShardWritePolicy.defaults(), IN_PLACE, IN_PLACE.withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP))) {
            ObjectMap objects = new ObjectMap();
            Model model = Model.filled(-2, SHAPE);
            Random random = new Random(13);
            for (int i = 0; i < 60; i++) {
                Box part = Model.randomPart(random, SHAPE);
                Model values = i % 3 == 0 ? Model.filled(-2, part.shape()) : Model.random(random, part.shape());
                model.set(part, values);
                objects.write(codec, "c", part, values, policy, new Driver(20, 0, Driver.Order.SHUFFLED));
                Box region = Model.randomPart(random, SHAPE);
                assertEquals(model.part(region), objects.read(codec, "c", region));
            }
        }
    }

    @Test
    void coveredShard_isNotRead_andAnyPartIsOneRequest() {
        ChunkCodec codec = chains().get(2).bind(Model.type(-2, SHAPE), Limits.defaults());
        ObjectMap objects = new ObjectMap();
        Model model = Model.random(new Random(1), SHAPE);
        Edit edit = objects.write(codec, "c", Box.of(SHAPE), model, ShardWritePolicy.defaults());
        objects.write(codec, "c", Box.of(SHAPE), model, ShardWritePolicy.defaults());
        assertEquals(0, objects.requests);
        assertEquals(1, ((Edit.Replace) edit).pieces().size());
        assertEquals(model.part(Box.of(shape(3, 3))), objects.read(codec, "c", Box.of(shape(3, 3))));
        assertEquals(1, objects.requests);
    }

    @Test
    void inside_isSeenThroughTheCodecs() {
        ChunkCodec codec = chains().get(1).bind(Model.type(-2, SHAPE), Limits.defaults());
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(shape(2, 4)), Model.counting(2, 4), ShardWritePolicy.defaults());
        ShardAccess inside = codec.shardAccess().orElseThrow();
        assertEquals(
                24, objects.run(inside.layout(Source.stored("c"))).orElseThrow().count());
        assertEquals(
                24,
                objects.run(inside.locate(Source.stored("c"), shape(0, 1)))
                        .size()
                        .orElseThrow());
        assertTrue(objects.run(inside.locate(Source.stored("c"), shape(5, 0))).isAbsent());
    }

    @Test
    void damage_isFound() {
        ChunkCodec checked = chains().get(0).bind(Model.type(-2, SHAPE), Limits.defaults());
        ObjectMap objects = new ObjectMap();
        objects.write(checked, "c", Box.of(SHAPE), Model.counting(SHAPE), ShardWritePolicy.defaults());
        objects.map.get("c")[3] ^= 1;
        assertThrows(ChecksumException.class, () -> objects.read(checked, "c", Box.of(shape(1, 1))));
        ChunkCodec compressed = chains().get(1).bind(Model.type(-2, SHAPE), Limits.defaults());
        objects.map.put("c", java.util.Arrays.copyOf(objects.map.get("c"), 40));
        CorruptDataException e =
                assertThrows(CorruptDataException.class, () -> objects.read(compressed, "c", Box.of(shape(1, 1))));
        assertEquals("shard or chunk c", e.location().orElseThrow().toString());
    }
}
