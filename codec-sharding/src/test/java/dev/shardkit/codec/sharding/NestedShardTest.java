package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Partial reads and writes of shards in shards in shards, against an array without any of them. */
@Tag("one-jdk")
class NestedShardTest {
    private static final int FILL = 7;
    private static final long[] SHAPE = {32, 24};

    record Case(String name, Codec codec, ShardWritePolicy policy) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (ShardWritePolicy.EmptyChunks empty : ShardWritePolicy.EmptyChunks.values()) {
            for (ShardWritePolicy.Strategy strategy : ShardWritePolicy.Strategy.values()) {
                for (Codec last : List.of(Codecs.CRC, Codecs.DEFLATE)) {
                    for (IndexLocation outer : IndexLocation.values()) {
                        IndexLocation inner = last == Codecs.CRC ? IndexLocation.START : IndexLocation.END;
                        Codec leaf = Codecs.shard(outer, shape(2, 3), Codecs.BIG, last);
                        Codec codec = Codecs.shard(outer, shape(16, 12), Codecs.shard(inner, shape(4, 6), leaf));
                        cases.add(new Case(
                                empty + ", " + strategy + ", " + outer + ", " + inner + ", " + last.name(),
                                codec,
                                ShardWritePolicy.defaults()
                                        .withEmptyChunks(empty)
                                        .withStrategy(strategy)));
                    }
                }
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void randomPartialWritesAndReads_agreeWithTheModel(Case c) {
        ChunkCodec codec = Codecs.bind(Model.type(FILL, SHAPE), c.codec());
        ObjectMap objects = new ObjectMap();
        Model model = Model.filled(FILL, SHAPE);
        Random random = new Random(c.name().hashCode());
        Driver[] drivers = {
            Driver.plain(),
            Driver.merging(),
            new Driver(3, 16, Driver.Order.BACKWARD),
            new Driver(50, 0, Driver.Order.SHUFFLED)
        };
        for (int i = 0; i < (Rounds.areMany() ? 210 : 71); i++) {
            Box part = i % 70 == 69 ? Box.of(SHAPE) : Model.randomPart(random, SHAPE);
            Model values =
                    i % 3 == 2 || i % 70 == 69 ? Model.filled(FILL, part.shape()) : Model.random(random, part.shape());
            model.set(part, values);
            objects.write(codec, "c/0", part, values, c.policy(), drivers[i % 4]);
            Box region = i % 5 == 0 ? Box.of(SHAPE) : Model.randomPart(random, SHAPE);
            assertEquals(
                    model.part(region), objects.read(codec, "c/0", region, drivers[(i + i / 4) % 4]), "write " + i);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void sameValues_areTheSameBytes_whateverTheOrderOfWork(Case c) {
        ChunkCodec codec = Codecs.bind(Model.type(FILL, SHAPE), c.codec());
        Random random = new Random(3);
        List<Box> parts = new ArrayList<>();
        List<Model> values = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            parts.add(Model.randomPart(random, SHAPE));
            values.add(Model.random(random, parts.get(i).shape()));
        }
        List<Bytes> results = new ArrayList<>();
        for (Driver driver : List.of(
                Driver.plain(),
                new Driver(1000, 64, Driver.Order.BACKWARD),
                new Driver(20, 64, Driver.Order.SHUFFLED))) {
            ObjectMap objects = new ObjectMap();
            for (int i = 0; i < parts.size(); i++) {
                objects.write(codec, "c/0", parts.get(i), values.get(i), c.policy(), driver);
            }
            results.add(Bytes.of(objects.map.get("c/0")));
        }
        assertTrue(results.get(0).contentEquals(results.get(1)));
        assertTrue(results.get(0).contentEquals(results.get(2)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void wholeShard_encodesAlikeInOneGoAndInParts_andDecodesFromMemory(Case c) {
        ChunkCodec codec = Codecs.bind(Model.type(FILL, SHAPE), c.codec());
        Model model = Model.random(new Random(5), SHAPE);
        model.set(Box.of(shape(3, 3), shape(20, 15)), Model.filled(FILL, 20, 15));
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c/0", Box.of(SHAPE), model, c.policy(), new Driver(8, 0, Driver.Order.SHUFFLED));
        assertEquals(0, objects.requests);
        try (Scratch scratch = new Scratch()) {
            Bytes encoded = codec.encode(model.feed(), c.policy(), scratch).orElseThrow();
            assertTrue(encoded.contentEquals(Bytes.of(objects.map.get("c/0"))));
            assertTrue(encoded.size() <= codec.maxEncodedSize());
            Box part = Box.of(shape(1, 2), shape(29, 20));
            Model.Output out = Model.output(part.shape());
            codec.decode(encoded, part, out.target(), scratch);
            assertEquals(model.part(part), out.model());
        }
    }

    @Test
    void nothingButFillLeft_dropsTheShard_orKeepsIt() {
        for (ShardWritePolicy.EmptyChunks empty : ShardWritePolicy.EmptyChunks.values()) {
            ChunkCodec codec = Codecs.bind(
                    Model.type(FILL, SHAPE), Codecs.shard(shape(16, 12), Codecs.shard(shape(4, 4), Codecs.LITTLE)));
            ObjectMap objects = new ObjectMap();
            ShardWritePolicy policy = ShardWritePolicy.defaults().withEmptyChunks(empty);
            Box part = Box.of(shape(5, 5), shape(2, 9));
            objects.write(codec, "c/0", part, Model.counting(2, 9), policy);
            objects.write(codec, "c/0", part, Model.filled(FILL, 2, 9), policy);
            assertEquals(empty == ShardWritePolicy.EmptyChunks.KEEP, objects.map.containsKey("c/0"));
            assertEquals(Model.filled(FILL, SHAPE), objects.read(codec, "c/0", Box.of(SHAPE)));
            try (Scratch scratch = new Scratch()) {
                assertEquals(
                        empty == ShardWritePolicy.EmptyChunks.DROP,
                        codec.encode(Model.filled(FILL, SHAPE).feed(), policy, scratch)
                                .isEmpty());
            }
            assertFalse(codec.encodedSize().isPresent());
        }
    }
}
