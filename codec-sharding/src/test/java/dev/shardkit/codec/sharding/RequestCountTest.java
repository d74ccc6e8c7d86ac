package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is asked of a store, and how often. */
class RequestCountTest {
    private static final long[] SHAPE = {64, 64};
    private static final ChunkType TYPE = Model.type(7, SHAPE);
    private static final Codec FLAT = Codecs.shard(shape(4, 4), Codecs.LITTLE, Codecs.DEFLATE, Codecs.CRC);
    private static final Codec NESTED = Codecs.shard(shape(16, 16), FLAT);

    private final Model model = Model.random(new Random(1), SHAPE);

    private ObjectMap written(ChunkCodec codec) {
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c/0/0", Box.of(SHAPE), model, ShardWritePolicy.defaults());
        assertEquals(0, objects.requests, "a shard that is covered whole is not read");
        return objects;
    }

    @Test
    void regionOfANestedShard_isOneRequestALevel() {
        ChunkCodec codec = Codecs.bind(TYPE, NESTED);
        ObjectMap objects = written(codec);
        Box region = Box.of(shape(10, 10), shape(30, 30));
        assertEquals(model.part(region), objects.read(codec, "c/0/0", region, Driver.merging()));
        assertEquals(3, objects.requests);
        objects.requests = 0;
        objects.read(codec, "c/0/0", region, new Driver(10_000, -1, Driver.Order.FORWARD));
        assertEquals(1 + 9 + 64, objects.requests, "unmerged");
    }

    @Test
    void oneInnerChunk_isTwoRequests_andReadsOnlyItsBytes() {
        ChunkCodec codec = Codecs.bind(TYPE, Codecs.shard(shape(4, 4), Codecs.LITTLE));
        ObjectMap objects = written(codec);
        objects.read(codec, "c/0/0", Box.of(shape(8, 4), shape(4, 4)));
        assertEquals(2, objects.requests);
        assertEquals(256 * 16 + 4 + 64, objects.bytes);
    }

    @Test
    void missingInnerChunks_costTheIndexAlone() {
        ChunkCodec codec = Codecs.bind(TYPE, NESTED);
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c/0/0", Box.of(shape(2, 2)), Model.counting(2, 2), ShardWritePolicy.defaults());
        objects.requests = 0;
        Box region = Box.of(shape(16, 0), shape(48, 64));
        Driver driver = Driver.merging();
        assertEquals(Model.filled(7, 48, 64), objects.read(codec, "c/0/0", region, driver));
        assertEquals(1, objects.requests);
        assertEquals(1, driver.tasks, "no work is left for others");
    }

    @Test
    void absentShard_isOneRequestAndFill() {
        ObjectMap objects = new ObjectMap();
        assertEquals(Model.filled(7, SHAPE), objects.read(Codecs.bind(TYPE, NESTED), "c/0/0", Box.of(SHAPE)));
        assertEquals(1, objects.requests);
    }

    @Test
    void knownAbsentShard_isNotAskedFor() {
        ObjectMap objects = new ObjectMap();
        Model.Output out = Model.output(SHAPE);
        Source absent = Source.absent(DataLocation.of("c/0/0"));
        objects.run(Codecs.bind(TYPE, NESTED).decodeInto(absent, Box.of(SHAPE), out.target()));
        assertEquals(Model.filled(7, SHAPE), out.model());
        objects.run(Codecs.bind(TYPE, NESTED)
                .update(absent, Box.of(shape(3, 3)), model.feed(), ShardWritePolicy.defaults()));
        assertEquals(0, objects.requests);
    }

    @Test
    void writeOfWholeInnerChunks_readsTheIndexAlone_andMovesTheRestAsItIs() {
        ChunkCodec codec = Codecs.bind(TYPE, NESTED);
        ObjectMap objects = written(codec);
        Box part = Box.of(shape(16, 32), shape(16, 16));
        var edit = objects.write(codec, "c/0/0", part, Model.counting(16, 16), ShardWritePolicy.defaults());
        assertEquals(1, objects.requests);
        var pieces = ((Edit.Replace) edit).pieces();
        assertEquals(
                2,
                pieces.stream().filter(p -> p instanceof Piece.Copied).count(),
                "what lies side by side moves in one piece");
    }

    @Test
    void emptyPart_asksForNothing() {
        ObjectMap objects = new ObjectMap();
        ChunkCodec codec = Codecs.bind(TYPE, NESTED);
        Box none = Box.of(shape(3, 3), shape(0, 4));
        objects.read(codec, "c/0/0", none);
        var edit = objects.write(codec, "c/0/0", none, Model.filled(1, 0, 4), ShardWritePolicy.defaults());
        assertEquals(new Edit.Keep(), edit);
        assertEquals(0, objects.requests);
    }

    @Test
    void indexIdentity_isEqualAcrossBinds_andDiffersWithTheForm() {
        Object id = identity(Codecs.shard(shape(4, 4), Codecs.LITTLE));
        assertEquals(id, identity(Codecs.shard(shape(4, 4), Codecs.BIG)));
        assertNotEquals(id, identity(Codecs.shard(shape(4, 8), Codecs.LITTLE)));
        assertNotEquals(id, identity(Codecs.shard(IndexLocation.START, shape(4, 4), Codecs.LITTLE)));
        assertNotEquals(
                id,
                identity(ShardingCodec.of(
                        shape(4, 4),
                        Codecs.chain(Codecs.LITTLE),
                        Codecs.chain(Codecs.BIG, Codecs.CRC),
                        IndexLocation.END)));
    }

    private static Object identity(Codec codec) {
        Plan<?> plan = Codecs.bind(TYPE, codec).shardAccess().orElseThrow().layout(Source.stored("c/0/0"));
        return ((Plan.Need<?, ?>) plan).request().decoder().identity().orElseThrow();
    }
}
