package dev.shardkit.codec.lz4;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.support.Blocks;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.testkit.internal.FixtureContent;
import dev.shardkit.testkit.internal.UnsafeAccess;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The block format of LZ4 by itself, and beside aircompressor. */
class Lz4Test {
    private static byte[] encode(Lz4Encoder encoder, byte[] bytes, int acceleration) {
        return Blocks.run(
                (in, at, n, out, outAt, room) -> encoder.encode(in, at, n, out, outAt, room, acceleration), bytes, (int)
                        Lz4Encoder.maxEncodedSize(bytes.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 50})
    void roundTrip_givesTheSame(int acceleration) {
        Lz4Encoder kept = new Lz4Encoder();
        for (byte[] bytes : Blocks.inputs()) {
            byte[] block = encode(kept, bytes, acceleration);
            assertTrue(block.length > 0, "no room for " + bytes.length);
            assertArrayEquals(bytes, Blocks.run(Lz4Decoder::decode, block, bytes.length));
            assertArrayEquals(block, encode(new Lz4Encoder(), bytes, acceleration), "what came before shows");
            if (bytes.length > 0) {
                assertThrows(CorruptDataException.class, () -> Blocks.run(Lz4Decoder::decode, block, bytes.length - 1));
            }
        }
    }

    @Test
    void peer_readsWhatWeWrite_andWritesWhatWeRead() {
        Assumptions.assumeTrue(UnsafeAccess.ofThisJvm() != UnsafeAccess.DENIED);
        Assumptions.assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the peer needs it");
        Lz4Encoder encoder = new Lz4Encoder();
        for (byte[] bytes : Blocks.inputs()) {
            byte[] ours = encode(encoder, bytes, 1);
            byte[] out = new byte[bytes.length];
            assertEquals(out.length, new Lz4Decompressor().decompress(ours, 0, ours.length, out, 0, out.length));
            assertArrayEquals(bytes, out);
            Lz4Compressor peer = new Lz4Compressor();
            byte[] theirs = new byte[peer.maxCompressedLength(bytes.length)];
            int n = peer.compress(bytes, 0, bytes.length, theirs, 0, theirs.length);
            assertArrayEquals(bytes, Blocks.run(Lz4Decoder::decode, Arrays.copyOf(theirs, n), bytes.length));
        }
    }

    @Test
    void runs_getShort() {
        assertTrue(encode(new Lz4Encoder(), new byte[300_000], 1).length < 1300);
    }

    /** The format wants the last five bytes as literals, and no match in the last twelve. */
    @Test
    void lastBytes_areLiterals() {
        for (int n = 13; n < 100; n++) {
            byte[] block = encode(new Lz4Encoder(), new byte[n], 1);
            assertTrue(Arrays.equals(new byte[5], Arrays.copyOfRange(block, block.length - 5, block.length)));
            assertTrue((block[block.length - 6] & 0xFF) >>> 4 >= 5, "a token of five literals");
        }
    }

    @Test
    void roomThatIsTooSmall_isSaid() {
        byte[] bytes = FixtureContent.of(5000);
        int need = encode(new Lz4Encoder(), bytes, 1).length;
        for (int room = 0; room < need; room++) {
            byte[] out = new byte[room];
            assertEquals(Lz4Encoder.NO_ROOM, new Lz4Encoder().encode(bytes, 0, bytes.length, out, 0, room, 1));
        }
    }

    @Test
    void damagedBlocks_areRefusedOrStayInside() {
        Random random = new Random(7);
        Lz4Encoder encoder = new Lz4Encoder();
        int refused = 0;
        for (byte[] bytes : Blocks.inputs()) {
            if (bytes.length > 0 && bytes.length < 5000) {
                refused += Blocks.attack(Lz4Decoder::decode, encode(encoder, bytes, 1), bytes.length, random);
            }
        }
        assertTrue(refused > 1000, refused + " refused");
    }

    @Test
    void noise_isRefusedOrStaysInside() {
        Random random = new Random(8);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(80)];
            random.nextBytes(noise);
            try {
                Blocks.run(Lz4Decoder::decode, noise, random.nextInt(300));
            } catch (CorruptDataException e) {
                assertTrue(e.getMessage().startsWith("lz4: expected "), e.getMessage());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', literals at the end",
        "10 01 02 00, inside of its bounds",
        "14 01 02 00, a match inside",
        "14 01 00 00, an offset other than 0",
        "F0 FF FF, a length inside",
        "F0, a length that ends",
        "50 01, literals inside",
        "10 01 01, an offset",
        "1F 01 01 00 FF, a length that ends",
        "10 01 01 00, literals at the end"
    })
    void malformed_saysWhat(String hex, String saying) {
        byte[] block = new byte[hex.isEmpty() ? 0 : hex.split(" ").length];
        for (int i = 0; i < block.length; i++) {
            block[i] = (byte) Integer.parseInt(hex.split(" ")[i], 16);
        }
        Exception e = assertThrows(CorruptDataException.class, () -> Blocks.run(Lz4Decoder::decode, block, 300));
        assertTrue(e.getMessage().contains(saying), e.getMessage());
    }

    /** A length that is spelled by megabytes of 255 is not added up past what there is room for. */
    @Test
    void endlessLength_isRefused() {
        byte[] block = new byte[20 << 20];
        Arrays.fill(block, (byte) 255);
        assertThrows(CorruptDataException.class, () -> Lz4Decoder.decode(block, 0, block.length, new byte[64], 0, 64));
    }
}
