package dev.shardkit.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.support.Blocks;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.testkit.internal.FixtureContent;
import dev.shardkit.testkit.internal.UnsafeAccess;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The block format of Snappy by itself, and beside aircompressor. */
class SnappyTest {
    private static byte[] encode(SnappyEncoder encoder, byte[] bytes) {
        return Blocks.run(encoder::encode, bytes, 64 + bytes.length + bytes.length / 6);
    }

    @Test
    void roundTrip_givesTheSame() {
        SnappyEncoder kept = new SnappyEncoder();
        for (byte[] bytes : Blocks.inputs()) {
            byte[] block = encode(kept, bytes);
            assertArrayEquals(bytes, Blocks.run(SnappyDecoder::decode, block, bytes.length));
            assertArrayEquals(block, encode(new SnappyEncoder(), bytes), "what came before shows");
        }
    }

    @Test
    void peer_readsWhatWeWrite_andWritesWhatWeRead() {
        Assumptions.assumeTrue(UnsafeAccess.ofThisJvm() != UnsafeAccess.DENIED);
        Assumptions.assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the peer needs it");
        SnappyEncoder encoder = new SnappyEncoder();
        for (byte[] bytes : Blocks.inputs()) {
            byte[] ours = encode(encoder, bytes);
            byte[] out = new byte[bytes.length];
            assertEquals(out.length, new SnappyDecompressor().decompress(ours, 0, ours.length, out, 0, out.length));
            assertArrayEquals(bytes, out);
            SnappyCompressor peer = new SnappyCompressor();
            byte[] theirs = new byte[peer.maxCompressedLength(bytes.length)];
            int n = peer.compress(bytes, 0, bytes.length, theirs, 0, theirs.length);
            assertArrayEquals(bytes, Blocks.run(SnappyDecoder::decode, Arrays.copyOf(theirs, n), bytes.length));
        }
    }

    @Test
    void roomThatIsTooSmall_isSaid() {
        byte[] bytes = FixtureContent.of(3000);
        int need = encode(new SnappyEncoder(), bytes).length;
        for (int room = 0; room < need; room++) {
            byte[] out = new byte[room];
            assertEquals(SnappyEncoder.NO_ROOM, new SnappyEncoder().encode(bytes, 0, bytes.length, out, 0, room));
        }
    }

    @Test
    void damagedBlocks_areRefusedOrStayInside() {
        Random random = new Random(9);
        SnappyEncoder encoder = new SnappyEncoder();
        int refused = 0;
        for (byte[] bytes : Blocks.inputs()) {
            if (bytes.length > 0 && bytes.length < 5000) {
                refused += Blocks.attack(SnappyDecoder::decode, encode(encoder, bytes), bytes.length, random);
            }
        }
        assertTrue(refused > 1000, refused + " refused");
    }

    @ParameterizedTest
    @CsvSource({
        "'', the length", "FF FF FF FF FF 01, the length", "FF FF FF FF 0F, a declared size of at most 300 bytes",
        "05 00 01, 5 bytes as declared", "02 01 01, a copy inside", "05 00 01 01 00, a copy inside",
        "05 00 01 01, 1 more bytes", "02 0C 01, literals inside", "04 F0, 1 more bytes",
        "04 FC FF FF FF FF, literals inside", "04 00 01 0F FF FF FF FF, a copy inside", "01 00 01 01 01, a copy inside"
    })
    void malformed_saysWhat(String hex, String saying) {
        byte[] block = new byte[hex.isEmpty() ? 0 : hex.split(" ").length];
        for (int i = 0; i < block.length; i++) {
            block[i] = (byte) Integer.parseInt(hex.split(" ")[i], 16);
        }
        Exception e = assertThrows(CorruptDataException.class, () -> Blocks.run(SnappyDecoder::decode, block, 300));
        assertTrue(e.getMessage().contains(saying), e.getMessage());
    }
}
