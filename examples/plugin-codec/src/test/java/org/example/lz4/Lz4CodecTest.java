package org.example.lz4;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The contract, and a block that numcodecs 0.16 wrote. */
// example: contract
class Lz4CodecTest extends BytesToBytesCodecContract {
    @Override
    protected BytesToBytesCodec codec() {
        return new Lz4Codec();
    }
    // end

    @Test
    void decode_blockOfNumcodecs_isWhatWasEncoded() {
        byte[] block = HexFormat.of().parseHex("400000007f00010203040506070021500304050600");
        byte[] expected = new byte[64];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) (i % 7);
        }
        try (Scratch scratch = new Scratch()) {
            assertArrayEquals(
                    expected,
                    codec().decode(Bytes.of(block), DecodedSize.exactly(64), scratch)
                            .toArray());
        }
    }
}
