package dev.shardkit.codec.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import org.junit.jupiter.api.Test;

class ShuffleCodecTest extends BytesToBytesCodecContract {
    @Override
    protected BytesToBytesCodec codec() {
        return new ShuffleCodec(4);
    }

    @Test
    void planes_lieOneBehindTheOther_andTheRestStays() {
        byte[] plain = {1, 2, 3, 4, 5, 6, 7, 8};
        byte[] planes = {1, 4, 2, 5, 3, 6, 7, 8};
        try (Scratch scratch = new Scratch()) {
            ShuffleCodec codec = new ShuffleCodec(3);
            assertArrayEquals(planes, codec.encode(Bytes.of(plain), scratch).toArray());
            assertArrayEquals(
                    plain,
                    codec.decode(Bytes.of(planes), DecodedSize.exactly(8), scratch)
                            .toArray());
            assertThrows(
                    CorruptDataException.class, () -> codec.decode(Bytes.of(planes), DecodedSize.exactly(9), scratch));
        }
    }
}
