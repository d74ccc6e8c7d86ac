package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.FixedLayout;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardingLayout;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.testkit.PlanProbe;
import dev.shardkit.testkit.PoisonedTarget;
import dev.shardkit.testkit.SampleBytes;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.internal.Parallel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Checks that hold for every bound chunk codec, whether it is a single codec or a chain. The contracts of codecs call
 * them with a sample chunk; {@code what} names the codec and the sample in messages.
 */
final class ChunkChecks {
    private static final ShardWritePolicy KEEP =
            ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);
    private static final ShardWritePolicy DROP = ShardWritePolicy.defaults();
    /** How many random boxes a check tries. */
    private static final int PARTS = 40;
    /** The bytes before and after the chunk in a larger object. */
    private static final int GAP = 17;

    private static final String KEY = "c/0";

    private final ChunkCodec codec;
    private final ChunkType type;
    private final DenseChunk sample;
    private final String what;

    ChunkChecks(ChunkCodec codec, DenseChunk sample, String what) {
        this.codec = codec;
        this.type = codec.type();
        this.sample = sample;
        this.what = what;
    }

    private byte[] encoded(DenseChunk chunk, ShardWritePolicy policy, Scratch scratch) {
        return codec.encode(chunk.feed(), policy, scratch)
                .orElseThrow(() -> new AssertionError(what + ": encoding is empty"))
                .toArray();
    }

    private byte[] encoded(DenseChunk chunk) {
        try (Scratch scratch = new Scratch()) {
            return encoded(chunk, KEEP, scratch);
        }
    }

    private void assertDecodes(Bytes encoded, Box part, Scratch scratch) {
        PoisonedTarget target = PoisonedTarget.of(type, part.shape());
        codec.decode(encoded, part, target, scratch);
        target.assertHolds(SampleChunks.part(sample, type, part), what + ", part " + part);
    }

    /** Another codec encodes the sample to the same bytes. */
    void encodesAs(ChunkCodec other) {
        byte[] bytes = new ChunkChecks(other, sample, what).encoded(sample);
        assertArrayEquals(encoded(sample), bytes, () -> what + ": the codec for the type encodes other bytes");
    }

    /** Decoding the encoded sample returns its elements, however the encoded bytes lie in memory. */
    void roundTrip() {
        byte[] bytes = encoded(sample);
        try (Scratch scratch = new Scratch()) {
            assertDecodes(Bytes.of(bytes), type.box(), scratch);
            scratch.reset(0);
            assertDecodes(SampleBytes.inPieces(bytes), type.box(), scratch);
            assertDecodes(SampleBytes.inside(bytes), type.box(), scratch);
        }
    }

    void sizes() {
        byte[] bytes = encoded(sample);
        assertTrue(
                codec.encodedSize().isEmpty() || codec.encodedSize().getAsLong() == bytes.length,
                () -> what + ": encodedSize " + codec.encodedSize() + ", is " + bytes.length);
        assertTrue(bytes.length <= codec.maxEncodedSize(), () -> what + ": more than maxEncodedSize");
    }

    /** The boxes of readShape tile the chunk. */
    void readShape() {
        long[] shape = codec.readShape();
        assertEquals(type.rank(), shape.length, () -> what + ": rank of readShape");
        for (int d = 0; d < shape.length; d++) {
            assertTrue(shape[d] > 0 && type.shape()[d] % shape[d] == 0, what + ": readShape " + Arrays.toString(shape));
        }
    }

    /** An encoded chunk stays valid when the scratch memory of the encoding is used again. */
    void encodingIsOwnMemory() {
        try (Scratch scratch = new Scratch()) {
            Bytes bytes = codec.encode(sample.feed(), KEEP, scratch).orElseThrow();
            Bytes kept = bytes.copy();
            scratch.reset(0);
            codec.encode(SampleChunks.random(type, 77).feed(), KEEP, scratch);
            assertTrue(kept.contentEquals(bytes), () -> what + ": an encoding changed when the scratch was reused");
        }
    }

    /** A chunk of fill values is dropped or kept, as the policy says. */
    void fillOnly() {
        DenseChunk fill = DenseChunk.filled(type);
        try (Scratch scratch = new Scratch()) {
            assertTrue(
                    codec.encode(fill.feed(), DROP, scratch).isEmpty(),
                    () -> what + ": a chunk of fill values was not dropped");
            Bytes kept = codec.encode(fill.feed(), KEEP, scratch)
                    .orElseThrow(() -> new AssertionError(
                            what + ": a chunk of fill values was dropped although the policy keeps it"));
            PoisonedTarget target = PoisonedTarget.of(type, type.shape());
            codec.decode(kept.copy(), type.box(), target, scratch);
            target.assertHolds(fill, what + ", fill values");
        }
    }

    /** Random boxes of the sample decode alone; a codec with a fixed layout decodes each from its span of bytes. */
    void parts() {
        byte[] bytes = encoded(sample);
        Random random = new Random(5);
        try (Scratch scratch = new Scratch()) {
            for (int i = 0; i < PARTS; i++) {
                Box part = SampleChunks.randomPart(type.shape(), random);
                assertDecodes(Bytes.of(bytes), part, scratch);
                if (codec.fixedLayout().isPresent() && !part.isEmpty()) {
                    assertDecodesSpan(codec.fixedLayout().get(), bytes, part, scratch);
                }
                scratch.reset(0);
            }
        }
    }

    private void assertDecodesSpan(FixedLayout spanned, byte[] encoded, Box part, Scratch scratch) {
        ByteRange.Slice span = spanned.span(part);
        byte[] alone = Arrays.copyOfRange(encoded, (int) span.offset(), (int) span.end());
        PoisonedTarget target = PoisonedTarget.of(type, part.shape());
        spanned.decodeSpan(Bytes.of(alone), part, target, scratch);
        target.assertHolds(SampleChunks.part(sample, type, part), what + ", part " + part + " of " + span);
    }

    /**
     * Decodes parts of a stored object, of a slice of an object, and of an absent one; merging reads must not change
     * the result.
     */
    void partsOfSources() {
        byte[] bytes = encoded(sample);
        byte[] larger = new byte[bytes.length + 2 * GAP];
        Arrays.fill(larger, (byte) -1);
        System.arraycopy(bytes, 0, larger, GAP, bytes.length);
        Map<String, byte[]> objects = Map.of(KEY, bytes, "larger", larger);
        Random random = new Random(6);
        for (int i = 0; i < PARTS; i++) {
            Box part = SampleChunks.randomPart(type.shape(), random);
            DenseChunk expected = SampleChunks.part(sample, type, part);
            DenseChunk fill = DenseChunk.filled(type.withShape(part.shape()));
            PlanProbe probe = i % 2 == 0
                    ? PlanProbe.over(objects)
                    : PlanProbe.over(objects).merging(1 << 20);
            assertReads(probe, Source.stored(KEY), part, expected);
            assertReads(probe, Source.stored("larger", GAP, bytes.length), part, expected);
            assertReads(probe, Source.of(Bytes.of(bytes), DataLocation.of(KEY)), part, expected);
            assertReads(probe, Source.stored("none"), part, fill);
            assertReads(probe, Source.absent(DataLocation.of(KEY)), part, fill);
        }
    }

    private void assertReads(PlanProbe probe, Source source, Box part, DenseChunk expected) {
        PoisonedTarget target = PoisonedTarget.of(type, part.shape());
        probe.run(codec.decodeInto(source, part, target));
        target.assertHolds(expected, what + ", part " + part + " of " + source);
    }

    /**
     * A series of partial writes, the first one to an absent chunk; each must have the same result as overwriting
     * elements.
     */
    void updates(ShardWritePolicy policy) {
        Map<String, byte[]> objects = new HashMap<>();
        DenseChunk model = DenseChunk.filled(type);
        Random random = new Random(8);
        // Every tenth write is of the whole chunk, and every fourth is of fill values.
        for (int i = 0; i < PARTS; i++) {
            Box part = i % 10 == 9 ? type.box() : SampleChunks.randomPart(type.shape(), random);
            ChunkType partType = type.withShape(part.shape());
            DenseChunk with = i % 4 == 3 ? DenseChunk.filled(partType) : SampleChunks.part(sample, type, part);
            model = SampleChunks.overwritten(model, type, part, with);
            Edit edit = PlanProbe.over(objects).run(codec.update(Source.stored(KEY), part, with.feed(), policy));
            EditApplier.apply(edit, KEY, objects);
            assertReads(PlanProbe.over(objects), Source.stored(KEY), type.box(), model);
            if (policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP) {
                assertEquals(
                        !model.isFill(),
                        objects.containsKey(KEY),
                        what + ", " + policy + ", part " + part
                                + ": an object exists unless all elements are the fill value");
            }
        }
    }

    /** Invalid encodings either fail or fill the whole target. The scratch memory stays usable. */
    void hostile() {
        byte[] bytes = encoded(sample);
        try (Scratch scratch = new Scratch()) {
            MutatedEncodings.Decode decode = bad -> {
                scratch.reset(0);
                PoisonedTarget target = PoisonedTarget.of(type, type.shape());
                codec.decode(Bytes.of(bad), type.box(), target, scratch);
                target.assertWritten();
            };
            MutatedEncodings.truncate(bytes, what, decode);
            MutatedEncodings.flip(bytes, what, decode);
            assertDecodes(Bytes.of(bytes), type.box(), scratch);
        }
    }

    /** Several threads use the codec at once. */
    void threads() throws InterruptedException {
        byte[] bytes = encoded(sample);
        Parallel.run(thread -> {
            Random random = new Random(thread);
            try (Scratch scratch = new Scratch()) {
                for (int i = 0; i < PARTS; i++) {
                    assertDecodes(Bytes.of(bytes), SampleChunks.randomPart(type.shape(), random), scratch);
                    assertEquals(bytes.length, encoded(sample, KEEP, scratch).length);
                    scratch.reset(0);
                }
            }
        });
    }

    /** For a codec with inner chunks: each inner chunk is found and has the same elements as in the whole chunk. */
    void partitioned() {
        if (codec.shardAccess().isEmpty()) {
            return;
        }
        ShardAccess shard = codec.shardAccess().get();
        innerChunks(shard, shard.inner());
        PlanProbe probe = PlanProbe.over(Map.of());
        assertTrue(
                probe.run(shard.layout(Source.stored("none"))).isEmpty(),
                () -> what + ": the layout of an absent shard");
    }

    /**
     * For a codec that states its sharding before it is bound: the bound codec has inner chunks of the stated shape,
     * and the stated codecs decode each of them.
     */
    void sharding(ShardingLayout stated) {
        ShardAccess shard = codec.shardAccess().orElseThrow(() -> new AssertionError(what + ": has no inner chunks"));
        assertArrayEquals(stated.innerShape(), shard.innerShape(), () -> what + ": the shape of inner chunks");
        innerChunks(shard, stated.codecs().bind(type.withShape(stated.innerShape()), Limits.defaults()));
    }

    /** Locates each inner chunk of the sample by its cell, and decodes it with {@code codecs}. */
    private void innerChunks(ShardAccess shard, ChunkCodec codecs) {
        PlanProbe probe = PlanProbe.over(Map.of(KEY, encoded(sample)));
        Box cells = Box.of(shard.gridShape());
        ShardAccess.Layout layout = probe.run(shard.layout(Source.stored(KEY))).orElseThrow();
        assertEquals(cells.count(), layout.count(), () -> what + ": places in the index");
        for (long i = 0; i < cells.count(); i++) {
            long[] cell = cells.at(i);
            long[] origin = new long[cell.length];
            for (int d = 0; d < cell.length; d++) {
                origin[d] = cell[d] * shard.innerShape()[d];
            }
            PoisonedTarget target = PoisonedTarget.of(codecs.type(), shard.innerShape());
            Plan<Source> located = shard.locate(Source.stored(KEY), cell);
            probe.run(
                    located.then(inner -> codecs.decodeInto(inner, codecs.type().box(), target)));
            target.assertWritten();
            if (codecs.type().dataType().equals(type.dataType()) && cell.length == type.rank()) {
                compare(target, Box.of(origin, shard.innerShape()));
            }
        }
    }

    /**
     * Compares an inner chunk with the sample. {@link ShardAccess} has coordinates of the shard as stored, which need
     * not be those of the chunk: a box that does not lie in the chunk is not compared.
     */
    private void compare(PoisonedTarget target, Box inner) {
        if (type.box().contains(inner)) {
            target.assertHolds(SampleChunks.part(sample, type, inner), what + ", inner chunk " + inner);
        }
    }
}
