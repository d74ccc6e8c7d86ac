package dev.shardkit.codec.transpose;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.Codecs;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransposeCodecTest {
    private static final ChunkType TYPE = Codecs.type(CoreTypes.UINT8, 2, 3, 4);

    private static byte[] counted(int n) {
        byte[] bytes = new byte[n];
        for (int i = 0; i < n; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    /** The decoded element at (i, j, k) is stored at (k, i, j) for the order 2, 0, 1. */
    private static byte[] stored() {
        byte[] bytes = new byte[24];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 3; j++) {
                for (int k = 0; k < 4; k++) {
                    bytes[(k * 2 + i) * 3 + j] = (byte) ((i * 3 + j) * 4 + k);
                }
            }
        }
        return bytes;
    }

    @Test
    void order_saysWhichDecodedDimensionEachStoredOneIs() {
        ChunkCodec codec = Codecs.bind(TYPE, Codecs.transpose(2, 0, 1), Codecs.bytes("little"));
        byte[] encoded = codec.encode(
                        Codecs.chunk(TYPE, counted(24)).feed(), ShardWritePolicy.defaults(), new Scratch())
                .orElseThrow()
                .toArray();
        assertArrayEquals(stored(), encoded);
        assertArrayEquals(counted(24), Codecs.content(Codecs.decode(codec, encoded, TYPE.box())));
    }

    @Test
    void decode_ofAPart_isThatPart() {
        ChunkCodec codec = Codecs.bind(TYPE, Codecs.transpose(2, 0, 1), Codecs.bytes("little"));
        Box part = Box.of(new long[] {1, 0, 1}, new long[] {1, 2, 3});
        assertArrayEquals(new byte[] {13, 14, 15, 17, 18, 19}, Codecs.content(Codecs.decode(codec, stored(), part)));
    }

    @Test
    void twoTransposes_areOneAfterTheOther() {
        ChunkCodec codec =
                Codecs.bind(TYPE, Codecs.transpose(2, 0, 1), Codecs.transpose(1, 2, 0), Codecs.bytes("little"));
        assertArrayEquals(counted(24), Codecs.content(Codecs.decode(codec, counted(24), TYPE.box())));
    }

    @Test
    void boxes_mapThereAndBack() {
        BoundArrayToArrayCodec.View view = ((ArrayToArrayCodec) Codecs.transpose(2, 0, 1))
                .bind(TYPE)
                .view()
                .orElseThrow();
        Box part = Box.of(new long[] {1, 0, 3}, new long[] {1, 2, 1});
        assertEquals(Box.of(new long[] {3, 1, 0}, new long[] {1, 1, 2}), view.encode(part));
        assertEquals(part, view.decode(view.encode(part)));
    }

    @Test
    void wholeChunks_moveAsTheViewDoes() {
        BoundArrayToArrayCodec stage = ((ArrayToArrayCodec) Codecs.transpose(2, 0, 1)).bind(TYPE);
        assertArrayEquals(new long[] {4, 2, 3}, stage.encoded().shape());
        DenseChunk encoded = stage.encode(Codecs.chunk(TYPE, counted(24)));
        assertArrayEquals(stored(), Codecs.content(encoded));
        assertArrayEquals(counted(24), Codecs.content(stage.decode(encoded)));
    }

    @Test
    void orders_thatAreNone_areRefused() {
        for (long[] order : List.of(new long[] {0, 0}, new long[] {1, 2}, new long[] {0, 2}, new long[] {-1, 0})) {
            assertThrows(MetadataException.class, () -> Codecs.transpose(order));
        }
        assertThrows(MetadataException.class, () -> Codecs.make("transpose", Json.object()));
        assertThrows(MetadataException.class, () -> Codecs.bind(TYPE, Codecs.transpose(1, 0), Codecs.bytes("little")));
        for (String letter : List.of("C", "F")) {
            MetadataException e = assertThrows(
                    MetadataException.class,
                    () -> Codecs.make("transpose", Json.object().with("order", Json.of(letter))));
            assertTrue(e.getMessage().contains("drafts"), e.getMessage());
        }
    }

    @Test
    void noDimensions_haveAnOrderToo() {
        ChunkType scalar = Codecs.type(CoreTypes.UINT8);
        ChunkCodec codec = Codecs.bind(scalar, Codecs.transpose(), Codecs.bytes("little"));
        assertArrayEquals(new byte[] {7}, Codecs.content(Codecs.decode(codec, new byte[] {7}, scalar.box())));
        assertEquals("{\"order\":[]}", Codecs.transpose().configuration().toString());
    }
}
