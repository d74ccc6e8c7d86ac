package dev.shardkit.spi.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.TestCodecs.Add;
import dev.shardkit.spi.codec.TestCodecs.Flip;
import dev.shardkit.spi.codec.TestCodecs.Halves;
import dev.shardkit.spi.codec.TestCodecs.Plain;
import dev.shardkit.spi.codec.TestCodecs.Swap;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.MetadataException;
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

/** {@link CodecChain} and what it binds to. */
class ChainTest {
    private static final ChunkType TYPE =
            ChunkType.of(CoreTypes.UINT8, FillValue.of(new byte[] {9}), new long[] {2, 3});
    private static final byte[] VALUES = {10, 11, 12, 13, 14, 15};

    private final Scratch scratch = new Scratch();

    private static ChunkCodec bind(Codec... codecs) {
        return CodecChain.of(List.of(codecs)).bind(TYPE, Limits.defaults());
    }

    private static DenseChunk chunk(long[] shape, byte[] values) {
        return DenseChunk.of(
                TYPE.withShape(shape),
                Elements.Fixed.of(CoreTypes.UINT8, ByteBuffer.wrap(values), ByteOrder.LITTLE_ENDIAN));
    }

    private static byte[] content(DenseChunk chunk) {
        ByteBuffer bytes = ((Elements.Fixed) chunk.elements()).bytes();
        byte[] all = new byte[bytes.limit()];
        bytes.get(0, all);
        return all;
    }

    private byte[] encode(ChunkCodec codec) {
        return codec.encode(chunk(TYPE.shape(), VALUES).feed(), ShardWritePolicy.defaults(), scratch)
                .orElseThrow()
                .toArray();
    }

    private byte[] decode(ChunkCodec codec, byte[] encoded, Box part) {
        byte[] out = new byte[(int) part.count()];
        codec.decode(Bytes.of(encoded), part, chunk(part.shape(), out).target(), scratch);
        return out;
    }

    private byte[] decodeInto(ChunkCodec codec, Source in, Optional<byte[]> stored, Box part) {
        byte[] out = new byte[(int) part.count()];
        PlanRun.run(codec.decodeInto(in, part, chunk(part.shape(), out).target()), scratch, r -> stored.<ReadResult>map(
                        b -> new ReadResult.Found(Bytes.of(b).slice(r.range()), b.length))
                .orElseGet(ReadResult.Absent::new));
        return out;
    }

    @Test
    void orders_thatAreNoChain_nameTheCodecAndWhatIsWrong() {
        record Case(List<Codec> codecs, String message) {}
        for (Case c : List.of(
                new Case(List.of(), "found none in []"),
                new Case(List.of(new Add(1)), "found none in [add]"),
                new Case(List.of(new Flip()), "flip comes before"),
                new Case(List.of(new Flip(), new Plain()), "flip comes before"),
                new Case(List.of(new Plain(), new Add(1)), "add comes after"),
                new Case(List.of(new Plain(), new Flip(), new Swap()), "swap comes after"),
                new Case(List.of(new Plain(), new Plain()), "plain is a second"))) {
            MetadataException e = assertThrows(MetadataException.class, () -> CodecChain.of(c.codecs()));
            assertTrue(e.getMessage().contains(c.message()), e.getMessage());
        }
    }

    @Test
    void chain_keepsItsOrder() {
        List<Codec> codecs = List.of(new Add(1), new Swap(), new Plain(), new Flip(), new Flip());
        CodecChain chain = CodecChain.of(codecs);
        assertEquals(codecs, chain.codecs());
        assertEquals(2, chain.arrayToArray().size());
        assertEquals(2, chain.bytesToBytes().size());
        assertEquals("plain", chain.arrayToBytes().name());
    }

    @Test
    void chain_ofOneCodec_isThatCodec() {
        assertSame(TestCodecs.BoundPlain.class, bind(new Plain()).getClass());
    }

    @Test
    void stageThatIsNoView_decodesPartsThroughTheWhole() {
        ChunkCodec codec = bind(new Add(5), new Plain());
        byte[] encoded = encode(codec);
        assertArrayEquals(new byte[] {15, 16, 17, 18, 19, 20}, encoded);
        assertArrayEquals(VALUES, decode(codec, encoded, TYPE.box()));
        Box part = Box.of(new long[] {1, 1}, new long[] {1, 2});
        assertArrayEquals(new byte[] {14, 15}, decode(codec, encoded, part));
        assertArrayEquals(new byte[] {14, 15}, decodeInto(codec, Source.stored("c"), Optional.of(encoded), part));
        assertArrayEquals(new byte[] {9, 9}, decodeInto(codec, Source.stored("c"), Optional.empty(), part));
        assertArrayEquals(TYPE.shape(), codec.readShape());
    }

    @Test
    void stages_viewsAndOthers_workInAnyOrder() {
        Box part = Box.of(new long[] {0, 1}, new long[] {2, 1});
        byte[] swapped = {15, 18, 16, 19, 17, 20};
        for (List<Codec> codecs : List.<List<Codec>>of(
                List.of(new Add(5), new Swap(), new Plain()),
                List.of(new Swap(), new Add(5), new Plain()),
                List.of(new Add(2), new Swap(), new Add(3), new Plain()))) {
            ChunkCodec codec = CodecChain.of(codecs).bind(TYPE, Limits.defaults());
            assertArrayEquals(swapped, encode(codec));
            assertArrayEquals(VALUES, decode(codec, swapped, TYPE.box()));
            assertArrayEquals(new byte[] {11, 14}, decode(codec, swapped, part));
        }
    }

    @Test
    void shardBehindStages_isReadInParts() {
        Box part = Box.of(new long[] {0, 0}, new long[] {1, 3});
        ChunkCodec viewed = bind(new Swap(), new Halves());
        byte[] encoded = encode(viewed);
        assertArrayEquals(new byte[] {10, 11, 12}, decodeInto(viewed, Source.stored("c"), Optional.of(encoded), part));
        assertArrayEquals(new long[] {2, 1}, viewed.readShape());
        ChunkCodec added = bind(new Add(5), new Halves());
        assertArrayEquals(
                new byte[] {10, 11, 12}, decodeInto(added, Source.stored("c"), Optional.of(encode(added)), part));
        assertArrayEquals(TYPE.shape(), added.readShape());
        ChunkCodec filtered = bind(new Add(5), new Halves(), new Flip());
        byte[] flipped = encode(filtered);
        assertEquals(~15, flipped[0]);
        assertArrayEquals(
                new byte[] {10, 11, 12}, decodeInto(filtered, Source.stored("c"), Optional.of(flipped), part));
        assertArrayEquals(
                new byte[] {9, 9, 9},
                decodeInto(viewed, Source.absent(DataLocation.nowhere()), Optional.empty(), part));
    }

    @Test
    void update_throughAStageThatIsNoView_keepsTheRest() {
        for (ChunkCodec codec : List.of(
                bind(new Add(5), new Plain()),
                bind(new Add(5), new Swap(), new Plain(), new Flip()),
                bind(new Swap(), new Plain(), new Flip()),
                bind(new Add(5), new Halves()))) {
            byte[] encoded = encode(codec);
            Box part = Box.of(new long[] {1, 0}, new long[] {1, 2});
            Edit edit = PlanRun.run(
                    codec.update(
                            Source.stored("c"),
                            part,
                            chunk(part.shape(), new byte[] {1, 2}).feed(),
                            ShardWritePolicy.defaults()),
                    scratch,
                    r -> new ReadResult.Found(Bytes.of(encoded).slice(r.range()), encoded.length));
            Bytes now = ((Piece.Literal) ((Edit.Replace) edit).pieces().get(0)).bytes();
            assertArrayEquals(new byte[] {10, 11, 12, 1, 2, 15}, decode(codec, now.toArray(), TYPE.box()));
        }
    }

    @Test
    void update_toNothingButFill_isAbsent() {
        ChunkCodec codec = bind(new Swap(), new Plain(), new Flip());
        byte[] fill = {9, 9, 9, 9, 9, 9};
        Edit edit = PlanRun.run(
                codec.update(
                        Source.stored("c"),
                        TYPE.box(),
                        chunk(TYPE.shape(), fill).feed(),
                        ShardWritePolicy.defaults()),
                scratch,
                r -> {
                    throw new AssertionError("nothing needs to be read");
                });
        assertEquals(new Edit.Delete(), edit);
    }

    @Test
    void filter_thatFails_isCorrupt_andOneThatGivesAnotherSizeToo() {
        ChunkCodec codec = bind(new Plain(), new Flip());
        assertEquals(6, codec.encodedSize().orElseThrow());
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> decode(codec, new byte[5], TYPE.box()));
        assertTrue(e.getMessage().contains("expected exactly 6 bytes, found 5"), e.getMessage());
        ChunkCodec failing = bind(new Plain(), new TestCodecs.Failing());
        CorruptDataException f =
                assertThrows(CorruptDataException.class, () -> decode(failing, new byte[6], TYPE.box()));
        assertTrue(f.getCause() instanceof ArrayIndexOutOfBoundsException);
    }

    @Test
    void believed_elementsThatVary_areBoundByWhatIsStored() {
        ChunkType four = ChunkType.of(CoreTypes.STRING, CoreTypes.STRING.defaultFill(), new long[] {4});
        DecodedSize any = DecodedSize.atMost(Limits.LARGEST_CHUNK);
        Limits limits = Limits.defaults();
        assertEquals(
                (16 << 20) + 4 * 256 + 33_000_000,
                limits.believed(any, four, 33_000).maxBytes());
        assertTrue(limits.believed(any, four, 33_000).toString().endsWith("(limit expansion)"));
        assertEquals(
                (16 << 20) + 4 * 256 + 330_000,
                limits.withExpansion(10).believed(any, four, 33_000).maxBytes());
        assertSame(any, limits.believed(any, four, 1L << 40));
        assertSame(any, limits.believed(any, TYPE, 1));
        DecodedSize exact = DecodedSize.exactly(1L << 30);
        assertSame(exact, limits.believed(exact, four, 1));
    }
}
