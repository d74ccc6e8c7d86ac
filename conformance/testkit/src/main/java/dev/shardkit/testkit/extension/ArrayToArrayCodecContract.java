package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.testkit.PoisonedTarget;
import dev.shardkit.testkit.SampleChunks;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The contract of array-to-array codecs as tests: alone ("stage") and in a chain before an array-to-bytes codec. To
 * test a codec, extend this class and supply cases. A lossy codec also supplies samples that survive a round trip.
 * {@link CodecFactoryContract} tests the factory.
 */
public abstract class ArrayToArrayCodecContract {
    /** The number of random parts of each chunk. */
    private static final int PARTS = 40;

    /** For subclasses. */
    protected ArrayToArrayCodecContract() {}

    /** Returns codecs, each with a type of decoded chunks. */
    protected abstract List<ChunkCase<ArrayToArrayCodec>> cases();

    /** Returns a chunk that must survive a round trip; by default random bits that the carrier allows. */
    protected DenseChunk sample(ChunkType type) {
        return SampleChunks.random(type, 11);
    }

    /** A check of a chain. */
    private interface Check {
        void run(ChunkChecks checks) throws InterruptedException;
    }

    /** Runs checks on chains of the codec followed by a plain one. */
    private void each(Check check) throws InterruptedException {
        for (ChunkCase<ArrayToArrayCodec> c : cases()) {
            ChunkCodec chain =
                    CodecChain.of(List.of(c.codec(), new PlainCodec())).bind(c.type(), Limits.defaults());
            check.run(new ChunkChecks(chain, sample(c.type()), c.toString()));
        }
    }

    private static void assertEqualChunks(DenseChunk expected, DenseChunk found, long[] shape, String description) {
        SampleChunks.difference(expected.elements(), found.elements(), shape)
                .ifPresent(d -> fail(description + ": " + d));
    }

    @Test
    void stage_wholeChunk_comesBack() {
        for (ChunkCase<ArrayToArrayCodec> c : cases()) {
            BoundArrayToArrayCodec stage = c.codec().bind(c.type());
            DenseChunk sample = sample(c.type());
            DenseChunk kept = SampleChunks.part(sample, c.type(), c.type().box());
            DenseChunk encoded = stage.encode(sample);
            assertEqualChunks(kept, sample, c.type().shape(), c + ": encode changed its input");
            assertEquals(
                    stage.encoded().count(), encoded.elements().count(), () -> c + ": elements of the encoded chunk");
            assertEqualChunks(sample, stage.decode(encoded), c.type().shape(), c.toString());
        }
    }

    @Test
    void stage_view_agreesWithTheWhole() {
        for (ChunkCase<ArrayToArrayCodec> c : cases()) {
            BoundArrayToArrayCodec stage = c.codec().bind(c.type());
            stage.view().ifPresent(view -> {
                Random random = new Random(4);
                for (int i = 0; i < PARTS; i++) {
                    view(c, stage, view, SampleChunks.randomPart(c.type().shape(), random));
                }
            });
        }
    }

    /** Checks that a target and a feed, seen through the view, have the same elements as the whole encoded chunk. */
    private void view(
            ChunkCase<ArrayToArrayCodec> c, BoundArrayToArrayCodec stage, BoundArrayToArrayCodec.View view, Box part) {
        String description = c + ", part " + part;
        DenseChunk sample = sample(c.type());
        DenseChunk whole = stage.encode(sample);
        Box encodedPart = view.encode(part);
        assertEquals(part.count(), encodedPart.count(), () -> description + " becomes " + encodedPart);
        assertEquals(part, view.decode(encodedPart), () -> description + " there and back");
        DenseChunk decoded = SampleChunks.part(sample, c.type(), part);
        DenseChunk encoded = SampleChunks.part(whole, stage.encoded(), encodedPart);
        long[] strides = Shapes.strides(encodedPart.shape());

        PoisonedTarget target = PoisonedTarget.of(c.type(), part.shape());
        view.encode(target).put(encoded.elements(), 0, strides, Box.of(encodedPart.shape()));
        target.assertHolds(decoded, description + " through the target");

        DenseChunk fed = DenseChunk.filled(stage.encoded().withShape(encodedPart.shape()));
        view.encode(decoded.feed()).get(Box.of(encodedPart.shape()), fed.elements(), 0, strides);
        assertEqualChunks(encoded, fed, encodedPart.shape(), description + " through the feed");
    }

    @Test
    void chain_wholeChunk_comesBack() throws InterruptedException {
        each(ChunkChecks::roundTrip);
        each(ChunkChecks::sizes);
    }

    @Test
    void chain_fillValuesOnly_areDroppedOrKept() throws InterruptedException {
        each(ChunkChecks::fillOnly);
    }

    @Test
    void chain_part_isThatOfTheWhole() throws InterruptedException {
        each(ChunkChecks::parts);
        each(ChunkChecks::partsOfSources);
    }

    @Test
    void chain_update_isAnOverwrite() throws InterruptedException {
        each(checks -> checks.updates(ShardWritePolicy.defaults()));
    }

    @Test
    void oneInstance_servesThreadsAtOnce() throws InterruptedException {
        each(ChunkChecks::threads);
    }
}
