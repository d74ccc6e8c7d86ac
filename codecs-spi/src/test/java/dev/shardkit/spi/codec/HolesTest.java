package dev.shardkit.spi.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.TestCodecs.Add;
import dev.shardkit.spi.codec.TestCodecs.Flip;
import dev.shardkit.spi.codec.TestCodecs.Halves;
import dev.shardkit.spi.codec.TestCodecs.Plain;
import dev.shardkit.spi.codec.TestCodecs.Swap;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.type.CoreTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Updates with feeds that have holes, where what is stored stays. */
class HolesTest {
    private static final ChunkType TYPE =
            ChunkType.of(CoreTypes.UINT8, FillValue.of(new byte[] {9}), new long[] {2, 3});
    private static final byte[] VALUES = {10, 11, 12, 13, 14, 15};

    private final Scratch scratch = new Scratch();

    private static ChunkCodec bind(Codec... codecs) {
        return CodecChain.of(List.of(codecs)).bind(TYPE, Limits.defaults());
    }

    private static DenseChunk chunk(byte[] values) {
        return DenseChunk.of(
                TYPE, Elements.Fixed.of(CoreTypes.UINT8, ByteBuffer.wrap(values), ByteOrder.LITTLE_ENDIAN));
    }

    /** Has 99 at {@code place}, and nothing else. */
    private record One(Box place) implements Feed {
        @Override
        public void get(Box part, Elements to, long offset, long[] strides) {
            Box common = part.intersect(place);
            if (!common.isEmpty()) {
                long at = offset;
                for (int d = 0; d < strides.length; d++) {
                    at += (common.origin(d) - part.origin(d)) * strides[d];
                }
                ((Elements.Fixed) to).bytes().put((int) at, (byte) 99);
            }
        }

        @Override
        public Coverage coverage(Box part) {
            if (part.intersect(place).isEmpty()) {
                return Coverage.NONE;
            }
            return place.contains(part) ? Coverage.ALL : Coverage.SOME;
        }
    }

    /** A view like {@link Swap}, by somebody who did not know of holes. */
    private record Forgetful() implements ArrayToArrayCodec {
        @Override
        public String name() {
            return "forgetful";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public BoundArrayToArrayCodec bind(ChunkType decoded) {
            return new Bound(new Swap().bind(decoded), decoded);
        }

        private record Bound(BoundArrayToArrayCodec swap, ChunkType decoded)
                implements BoundArrayToArrayCodec, BoundArrayToArrayCodec.View {
            @Override
            public ChunkType encoded() {
                return swap.encoded();
            }

            @Override
            public DenseChunk encode(DenseChunk chunk) {
                throw new AssertionError("views are seen through");
            }

            @Override
            public DenseChunk decode(DenseChunk chunk) {
                throw new AssertionError("views are seen through");
            }

            @Override
            public Optional<View> view() {
                return Optional.of(this);
            }

            @Override
            public Box encode(Box part) {
                return swap.view().orElseThrow().encode(part);
            }

            @Override
            public Box decode(Box part) {
                return swap.view().orElseThrow().decode(part);
            }

            @Override
            public Target encode(Target target) {
                return swap.view().orElseThrow().encode(target);
            }

            @Override
            public Feed encode(Feed feed) {
                Feed swapped = swap.view().orElseThrow().encode(feed);
                return (part, to, offset, strides) -> swapped.get(part, to, offset, strides);
            }
        }
    }

    private Edit update(ChunkCodec codec, byte[] stored, Feed feed) {
        return PlanRun.run(
                codec.update(Source.stored("c"), TYPE.box(), feed, ShardWritePolicy.defaults()),
                scratch,
                r -> new ReadResult.Found(Bytes.of(stored).slice(r.range()), stored.length));
    }

    private static List<ChunkCodec> codecs() {
        return List.of(
                bind(new Plain()),
                bind(new Plain(), new Flip()),
                bind(new Add(5), new Plain()),
                bind(new Swap(), new Plain()),
                bind(new Swap(), new Halves()),
                bind(new Add(5), new Swap(), new Halves()),
                bind(new Forgetful(), new Halves()),
                bind(new Forgetful(), new Halves(), new Flip()));
    }

    @Test
    void update_withHoles_keepsWhatIsStoredThere() {
        One one = new One(Box.of(new long[] {1, 1}, new long[] {1, 1}));
        for (ChunkCodec codec : codecs()) {
            byte[] stored = codec.encode(chunk(VALUES.clone()).feed(), ShardWritePolicy.defaults(), scratch)
                    .orElseThrow()
                    .toArray();
            Edit.Replace edit = (Edit.Replace) update(codec, stored, one);
            byte[] out = new byte[6];
            codec.decode(
                    ((Piece.Literal) edit.pieces().get(0)).bytes(),
                    TYPE.box(),
                    chunk(out).target(),
                    scratch);
            assertArrayEquals(new byte[] {10, 11, 12, 13, 99, 15}, out);
        }
    }

    @Test
    void update_withNothing_changesNothing() {
        One none = new One(Box.of(new long[] {5, 5}, new long[] {1, 1}));
        for (ChunkCodec codec :
                List.of(bind(new Plain()), bind(new Swap(), new Plain()), bind(new Swap(), new Halves()))) {
            assertEquals(new Edit.Keep(), update(codec, new byte[6], none));
        }
    }
}
