package dev.shardkit.codec.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.Codecs;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.PlanProbe;
import dev.shardkit.testkit.extension.EditApplier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parts of uncompressed chunks written where they lie. */
class BytesPatchTest {
    private static final long[] SHAPE = {6, 5, 4};
    private static final ChunkType TYPE = ChunkType.of(CoreTypes.INT16, FillValue.of(new byte[2]), SHAPE);
    private static final ShardWritePolicy REWRITE =
            ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);
    private static final ShardWritePolicy IN_PLACE = REWRITE.withStrategy(ShardWritePolicy.Strategy.IN_PLACE);

    private static DenseChunk values(Random random, long[] shape) {
        ChunkType type = TYPE.withShape(shape);
        byte[] bytes = new byte[(int) type.count() * 2];
        random.nextBytes(bytes);
        return DenseChunk.of(type, Elements.Fixed.of(type.dataType(), ByteBuffer.wrap(bytes), ByteOrder.LITTLE_ENDIAN));
    }

    private static Box part(Random random) {
        long[] origin = new long[3];
        long[] shape = new long[3];
        for (int d = 0; d < 3; d++) {
            origin[d] = random.nextInt((int) SHAPE[d]);
            shape[d] = 1 + random.nextInt((int) (SHAPE[d] - origin[d]));
        }
        return Box.of(origin, shape);
    }

    @Test
    void patches_holdWhatRewritesHold_andReadAtMostAByte() {
        List<Codec> bytes = List.of(Codecs.bytes("big"));
        List<Codec> transposed = List.of(Codecs.transpose(2, 0, 1), Codecs.bytes("little"));
        for (List<Codec> chain : List.of(bytes, transposed)) {
            ChunkCodec codec = CodecChain.of(chain).bind(TYPE, Limits.defaults());
            Random random = new Random(4);
            Map<String, byte[]> patched = new HashMap<>();
            Map<String, byte[]> rewritten = new HashMap<>();
            for (int i = 0; i < 100; i++) {
                Box part = i == 0 ? TYPE.box() : part(random);
                DenseChunk values = values(random, part.shape());
                PlanProbe probe = PlanProbe.over(patched);
                Edit edit = probe.run(codec.update(Source.stored("c"), part, values.feed(), IN_PLACE));
                if (!part.equals(TYPE.box())) {
                    Edit.Patch patch = assertInstanceOf(Edit.Patch.class, edit);
                    assertEquals(2 * part.count(), patch.written());
                    assertTrue(probe.bytes() <= 1, "reads " + probe.bytes() + " bytes");
                }
                EditApplier.apply(edit, "c", patched);
                EditApplier.apply(
                        PlanProbe.over(rewritten).run(codec.update(Source.stored("c"), part, values.feed(), REWRITE)),
                        "c",
                        rewritten);
                assertArrayEquals(rewritten.get("c"), patched.get("c"));
            }
        }
    }

    @Test
    void chunkThatIsNotThere_isWrittenWhole() {
        ChunkCodec codec = CodecChain.of(List.of(Codecs.bytes("big"))).bind(TYPE, Limits.defaults());
        Box part = Box.of(new long[] {1, 1, 1});
        Edit edit = PlanProbe.over(Map.of())
                .run(codec.update(
                        Source.stored("c"),
                        part,
                        values(new Random(1), part.shape()).feed(),
                        IN_PLACE));
        assertEquals(240, assertInstanceOf(Edit.Replace.class, edit).size());
    }
}
