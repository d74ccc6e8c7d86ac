package dev.shardkit.codec.crc32c;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class Crc32cTest extends BytesToBytesCodecContract {
    private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);

    @Override
    protected BytesToBytesCodec codec() {
        return new Crc32cCodec();
    }

    private byte[] encode(byte[] decoded) {
        return codec().encode(Bytes.of(decoded), new Scratch()).toArray();
    }

    private Bytes decode(byte[] encoded, DecodedSize expected) {
        return codec().decode(Bytes.of(encoded), expected, new Scratch());
    }

    @Test
    void encode_checkValueOfTheAlgorithm_isAppendedLittleEndian() {
        byte[] encoded = encode(DIGITS);
        assertArrayEquals(DIGITS, Arrays.copyOf(encoded, 9));
        assertArrayEquals(HexFormat.of().parseHex("839206e3"), Arrays.copyOfRange(encoded, 9, 13));
        assertArrayEquals(new byte[4], encode(new byte[0]));
    }

    @Test
    void decode_sharesTheInput() {
        byte[] encoded = encode(DIGITS);
        Bytes decoded = decode(encoded, DecodedSize.exactly(9));
        encoded[0] = 'x';
        assertEquals('x', decoded.buffer().get(0));
    }

    @Test
    void decode_anyTurnedBit_isAChecksumException() {
        byte[] good = encode(DIGITS);
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertThrows(ChecksumException.class, () -> decode(bad, DecodedSize.exactly(9)), "bit " + bit);
        }
    }

    @Test
    void decode_mismatch_saysBothChecksums() {
        byte[] bad = encode(DIGITS);
        bad[9] ^= 1;
        String message = assertThrows(ChecksumException.class, () -> decode(bad, DecodedSize.atMost(100)))
                .getMessage();
        assertTrue(message.contains("0xe3069282") && message.contains("0xe3069283"), message);
    }

    @Test
    void decode_shorterThanAChecksum_isCorrupt() {
        for (int n = 0; n < 4; n++) {
            byte[] bad = new byte[n];
            CorruptDataException e =
                    assertThrows(CorruptDataException.class, () -> decode(bad, DecodedSize.atMost(100)), n + " bytes");
            assertFalse(e instanceof ChecksumException);
        }
        assertEquals(0, decode(new byte[4], DecodedSize.exactly(0)).size());
    }

    @Test
    void encodedSize_isFourMore() {
        assertEquals(OptionalLong.of(16), codec().encodedSize(12));
        assertEquals((1L << 40) + 4, codec().maxEncodedSize(1L << 40));
    }
}
