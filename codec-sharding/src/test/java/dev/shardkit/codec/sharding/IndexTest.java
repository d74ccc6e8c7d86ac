package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.chain;
import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.testkit.internal.Rounds;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Indexes of every legal form, and indexes that cannot be. */
class IndexTest {
    private static final long NO = Shards.NONE;

    static Stream<Arguments> forms() {
        return Stream.of(IndexLocation.values())
                .flatMap(location -> Stream.of(
                        Arguments.of(location, chain(Codecs.LITTLE), 0),
                        Arguments.of(location, chain(Codecs.BIG), 0),
                        Arguments.of(location, chain(Codecs.LITTLE, Codecs.CRC), 4),
                        Arguments.of(location, chain(Codecs.BIG, Codecs.CRC, Codecs.CRC), 8),
                        Arguments.of(location, chain(new Codecs.Transpose(2, 0, 1), Codecs.LITTLE, Codecs.CRC), 4)));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyLegalForm_isReadAndWritten(IndexLocation location, CodecChain index, int extra) {
        ChunkCodec codec = ShardingCodec.of(shape(2, 3), chain(Codecs.LITTLE, Codecs.DEFLATE), index, location)
                .bind(Model.type(-1, 8, 9), Limits.defaults());
        ObjectMap objects = new ObjectMap();
        Random random = new Random(11);
        Model model = Model.filled(-1, 8, 9);
        for (int i = 0; i < 40; i++) {
            Box part = Model.randomPart(random, model.shape);
            Model values = i % 2 == 0 ? Model.random(random, part.shape()) : Model.filled(-1, part.shape());
            model.set(part, values);
            objects.write(codec, "c", part, values, ShardWritePolicy.defaults());
            assertEquals(model, objects.read(codec, "c", Box.of(model.shape)));
        }
        ShardAccess.Layout layout = objects.run(
                        codec.shardAccess().orElseThrow().layout(Source.stored("c")))
                .orElseThrow();
        long size = 12 * 16 + extra;
        long shard = objects.map.get("c").length;
        assertEquals(new Extent(location == IndexLocation.START ? 0 : shard - size, size), layout.index());
        assertEquals(shard, layout.shardSize());
        assertEquals(12, layout.count());
    }

    @Test
    void bytesOfAShard_areThoseOfTheSpecification() {
        ObjectMap objects = new ObjectMap();
        Model model = Model.filled(0, 4);
        System.arraycopy(new int[] {5, 6, 0, 0}, 0, model.data, 0, 4);
        for (IndexLocation location : IndexLocation.values()) {
            ChunkCodec codec = bare(location);
            objects.write(codec, "c", Box.of(shape(4)), model, ShardWritePolicy.defaults());
            Shards expected = location == IndexLocation.END
                    ? new Shards().ints(5, 6).index(0, 8, NO, NO)
                    : new Shards().index(32, 8, NO, NO).ints(5, 6);
            assertTrue(Arrays.equals(expected.done(), objects.map.get("c")), location.word());
        }
    }

    /** Two inner chunks of two int32, an index of 32 bytes without checksum. */
    private static ChunkCodec bare(IndexLocation location) {
        return ShardingCodec.of(shape(2), chain(Codecs.LITTLE), chain(Codecs.LITTLE), location)
                .bind(Model.type(0, 4), Limits.defaults());
    }

    @Test
    void entriesOfNone_gapsOrderAndOverlap_areLegal() {
        ObjectMap objects = new ObjectMap();
        objects.map.put("empty", new Shards().index(NO, NO, NO, NO).done());
        objects.map.put(
                "order",
                new Shards().ints(-9, 3, 4, -9, 1, 2, -9).index(16, 8, 4, 8).done());
        objects.map.put("overlap", new Shards().ints(1, 2, 3).index(0, 8, 4, 8).done());
        assertEquals(Model.filled(0, 4), objects.read(bare(IndexLocation.END), "empty", Box.of(shape(4))));
        Model order = objects.read(bare(IndexLocation.END), "order", Box.of(shape(4)));
        assertEquals("[1, 2, 3, 4]", Arrays.toString(order.data));
        Model overlap = objects.read(bare(IndexLocation.END), "overlap", Box.of(shape(4)));
        assertEquals("[1, 2, 2, 3]", Arrays.toString(overlap.data));
    }

    static Stream<Arguments> hostile() {
        long max = Long.MAX_VALUE;
        return Stream.of(
                hostile(
                        "only the offset is 2^64-1",
                        new Shards().ints(1, 2, 3, 4).index(0, 8, NO, 8)),
                hostile("only nbytes is 2^64-1", new Shards().ints(1, 2, 3, 4).index(0, 8, 8, NO)),
                hostile("begins past the end", new Shards().ints(1, 2, 3, 4).index(0, 8, 48, 8)),
                hostile(
                        "ends one byte past the end",
                        new Shards().ints(1, 2, 3, 4).index(0, 8, 41, 8)),
                hostile("wraps 2^64", new Shards().ints(1, 2, 3, 4).index(0, 8, -8, 16)),
                hostile("wraps 2^63", new Shards().ints(1, 2, 3, 4).index(0, 8, max - 3, 8)),
                hostile("offset of bit 63", new Shards().ints(1, 2, 3, 4).index(0, 8, Long.MIN_VALUE + 8, 8)),
                hostile("nbytes of bit 63", new Shards().ints(1, 2, 3, 4).index(0, 8, 8, Long.MIN_VALUE + 8)),
                hostile("offset beyond 32 bits", new Shards().ints(1, 2, 3, 4).index(0, 8, (1L << 32) + 8, 8)),
                hostile("nbytes beyond 32 bits", new Shards().ints(1, 2, 3, 4).index(0, 8, 8, (1L << 32) + 8)),
                hostile("nbytes of 1 EiB", new Shards().ints(1, 2, 3, 4).index(0, 8, 8, 1L << 60)),
                hostile("inside the index", new Shards().ints(1, 2, 3, 4).index(0, 8, 24, 8)),
                hostile("runs into the index", new Shards().ints(1, 2, 3, 4).index(0, 8, 12, 8)),
                unfit("both 0", new Shards().ints(1, 2, 3, 4).index(0, 8, 0, 0)),
                unfit("nbytes 0", new Shards().ints(1, 2, 3, 4).index(0, 8, 8, 0)),
                unfit("one byte short", new Shards().ints(1, 2, 3, 4).index(0, 8, 8, 7)),
                unfit("one byte long", new Shards().ints(1, 2, 3, 4, 5).index(0, 8, 8, 9)));
    }

    private static Arguments hostile(String name, Shards shard) {
        return Arguments.of(name, shard.done(), true);
    }

    /** An index that can be, with bytes that are no inner chunk. */
    private static Arguments unfit(String name, Shards shard) {
        return Arguments.of(name, shard.done(), false);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void impossibleEntry_isCorrupt_andNamesItsInnerChunk_whileOthersAreRead(String name, byte[] shard, boolean index) {
        ObjectMap objects = new ObjectMap();
        objects.map.put("c/7", shard);
        ChunkCodec codec = bare(IndexLocation.END);
        assertEquals(1, objects.read(codec, "c/7", Box.of(shape(1))).get(0), "the sound one");
        assertCorrupt(
                () -> objects.read(codec, "c/7", Box.of(shape(3), shape(1))), "shard or chunk c/7, inner chunk [1]");
        if (index) {
            assertCorrupt(
                    () -> objects.run(codec.shardAccess().orElseThrow().layout(Source.stored("c/7"))),
                    "shard or chunk c/7, inner chunk [1]");
        }
        assertCorrupt(
                () -> objects.write(
                        codec, "c/7", Box.of(shape(3), shape(1)), Model.filled(1, 1), ShardWritePolicy.defaults()),
                "shard or chunk c/7, inner chunk [1]");
    }

    @Test
    void impossibleEntry_isFoundByLayoutAndByRewrite_thoughNotTouched() {
        ObjectMap objects = new ObjectMap();
        objects.map.put("c/7", new Shards().ints(1, 2, 3, 4).index(0, 8, 41, 8).done());
        ChunkCodec codec = bare(IndexLocation.END);
        ShardAccess inside = codec.shardAccess().orElseThrow();
        assertCorrupt(() -> objects.run(inside.layout(Source.stored("c/7"))), "shard or chunk c/7, inner chunk [1]");
        assertCorrupt(
                () -> objects.run(inside.locate(Source.stored("c/7"), shape(1))),
                "shard or chunk c/7, inner chunk [1]");
        assertCorrupt(
                () -> objects.write(codec, "c/7", Box.of(shape(1)), Model.filled(1, 1), ShardWritePolicy.defaults()),
                "shard or chunk c/7, inner chunk [1]");
    }

    private static void assertCorrupt(Runnable run, String place) {
        CorruptDataException e = assertThrows(CorruptDataException.class, run::run);
        assertEquals(Optional.of(place), e.location().map(Object::toString));
    }

    @Test
    void entryInsideTheIndexAtTheStart_isCorrupt() {
        ObjectMap objects = new ObjectMap();
        objects.map.put("c/7", new Shards().index(32, 8, 28, 8).ints(1, 2, 3, 4).done());
        assertCorrupt(
                () -> objects.read(bare(IndexLocation.START), "c/7", Box.of(shape(2), shape(1))),
                "shard or chunk c/7, inner chunk [1]");
    }

    @Test
    void shardShorterThanItsIndex_isCorrupt() {
        for (int size : new int[] {0, 1, 31}) {
            for (IndexLocation location : IndexLocation.values()) {
                ObjectMap objects = new ObjectMap();
                objects.map.put("c/7", new byte[size]);
                assertCorrupt(() -> objects.read(bare(location), "c/7", Box.of(shape(1))), "shard or chunk c/7");
            }
        }
    }

    @Test
    void innerShardShorterThanItsIndex_isCorrupt_andNamesIt() {
        for (IndexLocation location : IndexLocation.values()) {
            ChunkCodec nested = ShardingCodec.of(
                            shape(4),
                            chain(ShardingCodec.of(shape(2), chain(Codecs.LITTLE), chain(Codecs.LITTLE), location)),
                            chain(Codecs.LITTLE),
                            IndexLocation.END)
                    .bind(Model.type(0, 8), Limits.defaults());
            ObjectMap objects = new ObjectMap();
            objects.map.put(
                    "c/7", new Shards().ints(1, 2, 3, 4).index(NO, NO, 0, 16).done());
            assertCorrupt(
                    () -> objects.read(nested, "c/7", Box.of(shape(5), shape(1))),
                    "shard or chunk c/7, inner chunk [1]");
            objects.map.put(
                    "c/7",
                    location == IndexLocation.END
                            ? new Shards()
                                    .ints(1, 2)
                                    .index(0, 8, 8, 64)
                                    .index(NO, NO, 0, 40)
                                    .done()
                            : new Shards()
                                    .index(32, 8, 40, 64)
                                    .ints(1, 2)
                                    .index(NO, NO, 0, 40)
                                    .done());
            assertCorrupt(
                    () -> objects.read(nested, "c/7", Box.of(shape(6), shape(1))),
                    "shard or chunk c/7, inner chunk [1], inner chunk [1]");
            assertEquals(
                    1, objects.read(nested, "c/7", Box.of(shape(4), shape(1))).get(0));
        }
    }

    @Test
    void checksumOfAnIndexThatDoesNotMatch_isAChecksumException() {
        ObjectMap objects = new ObjectMap();
        ChunkCodec codec = Codecs.bind(Model.type(0, 4), Codecs.shard(shape(2), Codecs.LITTLE));
        objects.write(codec, "c/7", Box.of(shape(4)), Model.counting(4), ShardWritePolicy.defaults());
        byte[] shard = objects.map.get("c/7");
        for (int i = shard.length - 36; i < shard.length; i++) {
            shard[i] ^= 4;
            ZarrException e = assertThrows(ChecksumException.class, () -> objects.read(codec, "c/7", Box.of(shape(1))));
            assertTrue(e.getMessage().startsWith("shard index: crc32c"), e.getMessage());
            assertEquals(Optional.of("shard or chunk c/7"), e.location().map(Object::toString));
            shard[i] ^= 4;
        }
    }

    @Test
    void wrongByteOrder_isCorrupt() {
        ObjectMap objects = new ObjectMap();
        objects.map.put(
                "c/7",
                new Shards()
                        .ints(1, 2, 3, 4)
                        .bytes(Shards.indexBytes(ByteOrder.BIG_ENDIAN, 0, 8, 8, 8))
                        .done());
        assertCorrupt(
                () -> objects.read(bare(IndexLocation.END), "c/7", Box.of(shape(1))),
                "shard or chunk c/7, inner chunk [0]");
    }

    @Test
    void locate_findsInnerChunks_andRefusesCellsThatAreNone() {
        ObjectMap objects = new ObjectMap();
        objects.map.put("c/7", new Shards().ints(1, 2).index(0, 8, NO, NO).done());
        ShardAccess inside = bare(IndexLocation.END).shardAccess().orElseThrow();
        Source found = objects.run(inside.locate(Source.stored("c/7"), shape(0)));
        assertEquals(8, found.size().orElseThrow());
        assertTrue(objects.run(inside.locate(Source.stored("c/7"), shape(1))).isAbsent());
        assertTrue(objects.run(inside.locate(Source.stored("c/8"), shape(1))).isAbsent());
        assertTrue(objects.run(inside.layout(Source.stored("c/8"))).isEmpty());
        assertThrows(IllegalArgumentException.class, () -> inside.locate(Source.stored("c/7"), shape(2)));
        assertThrows(IllegalArgumentException.class, () -> inside.locate(Source.stored("c/7"), shape(-1)));
        assertThrows(IllegalArgumentException.class, () -> inside.locate(Source.stored("c/7"), shape(0, 0)));
    }

    @Test
    void randomDamage_neverGiveAnythingButValuesOrDeclaredErrors() {
        ChunkCodec codec = ShardingCodec.of(
                        shape(2),
                        chain(ShardingCodec.of(
                                shape(1), chain(Codecs.LITTLE), chain(Codecs.LITTLE), IndexLocation.START)),
                        chain(Codecs.LITTLE),
                        IndexLocation.END)
                .bind(Model.type(7, 8), Limits.defaults());
        Random random = new Random(17);
        int read = 0;
        for (int i = 0; i < Rounds.of(500); i++) {
            ObjectMap objects = new ObjectMap();
            objects.write(codec, "c", Box.of(shape(8)), Model.counting(8), ShardWritePolicy.defaults());
            byte[] shard = objects.map.get("c");
            for (int k = 0; k < 1 + i % 3; k++) {
                int value = random.nextInt(3) == 0 ? -1 : random.nextInt(1 << (1 + random.nextInt(8)));
                shard[random.nextInt(shard.length)] = (byte) value;
            }
            try {
                objects.read(codec, "c", Box.of(shape(8)));
                objects.write(
                        codec,
                        "c",
                        Model.randomPart(random, shape(8)),
                        Model.filled(3, 8),
                        ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.values()[i % 2]));
                read++;
            } catch (CorruptDataException e) {
                assertTrue(e.location().isPresent(), e.getMessage());
            }
        }
        assertTrue(read > Rounds.of(15) && read < Rounds.of(485), "both happened: " + read);
    }
}
