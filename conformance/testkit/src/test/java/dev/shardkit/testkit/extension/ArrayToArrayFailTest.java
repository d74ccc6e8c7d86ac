package dev.shardkit.testkit.extension;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.ContractRun;
import dev.shardkit.testkit.SampleChunks;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test of {@link ArrayToArrayCodecContract} fails for a codec with a flaw. */
@Tag("one-jdk")
class ArrayToArrayFailTest {
    private enum Flaw {
        NONE,
        LOSES_VALUES,
        CHANGES_INPUT,
        MOVES_PARTS,
        ONE_THREAD_ONLY
    }

    /** Leaves chunks as they are. */
    private record Same(Flaw flaw) implements ArrayToArrayCodec {
        @Override
        public String name() {
            return "same";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public BoundArrayToArrayCodec bind(ChunkType decoded) {
            return new SameStage(decoded, flaw, new AtomicReference<>());
        }
    }

    private record SameStage(ChunkType encoded, Flaw flaw, AtomicReference<Thread> user)
            implements BoundArrayToArrayCodec, BoundArrayToArrayCodec.View {
        @Override
        public DenseChunk encode(DenseChunk decoded) {
            DenseChunk copy = SampleChunks.part(decoded, encoded, encoded.box());
            if (flaw == Flaw.CHANGES_INPUT) {
                ByteBuffer bytes = ((Elements.Fixed) decoded.elements()).bytes();
                bytes.put(0, (byte) ~bytes.get(0));
            }
            return copy;
        }

        @Override
        public DenseChunk decode(DenseChunk chunk) {
            if (flaw == Flaw.ONE_THREAD_ONLY
                    && !user.compareAndSet(null, Thread.currentThread())
                    && user.get() != Thread.currentThread()) {
                throw new IllegalStateException("another thread");
            }
            return flaw == Flaw.LOSES_VALUES ? SampleChunks.random(encoded, 98) : encode(chunk);
        }

        @Override
        public Optional<View> view() {
            return flaw == Flaw.MOVES_PARTS ? Optional.of(this) : Optional.empty();
        }

        @Override
        public Box encode(Box decodedPart) {
            return Box.of(decodedPart.shape());
        }

        @Override
        public Box decode(Box encodedPart) {
            return encodedPart;
        }

        @Override
        public Target encode(Target decoded) {
            return decoded;
        }

        @Override
        public Feed encode(Feed decoded) {
            return decoded;
        }
    }

    private static Supplier<ArrayToArrayCodecContract> suite(Flaw flaw) {
        return () -> new ArrayToArrayCodecContract() {
            @Override
            protected List<ChunkCase<ArrayToArrayCodec>> cases() {
                return List.of(new ChunkCase<>(
                        new Same(flaw), SampleChunks.fixedTypes().get(0)));
            }
        };
    }

    @Test
    void everyTest_canFail() {
        ContractRun.assertEachCanFail(
                flaw -> suite(flaw.get()).get(),
                () -> Flaw.NONE,
                Map.of(
                        "stage_wholeChunk_comesBack", () -> Flaw.CHANGES_INPUT,
                        "stage_view_agreesWithTheWhole", () -> Flaw.MOVES_PARTS,
                        "chain_wholeChunk_comesBack", () -> Flaw.LOSES_VALUES,
                        "chain_fillValuesOnly_areDroppedOrKept", () -> Flaw.LOSES_VALUES,
                        "chain_part_isThatOfTheWhole", () -> Flaw.MOVES_PARTS,
                        "chain_update_isAnOverwrite", () -> Flaw.LOSES_VALUES,
                        "oneInstance_servesThreadsAtOnce", () -> Flaw.ONE_THREAD_ONLY));
        ContractRun.assertFails("stage_wholeChunk_comesBack", suite(Flaw.LOSES_VALUES));
    }
}
