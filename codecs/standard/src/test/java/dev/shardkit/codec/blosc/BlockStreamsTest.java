package dev.shardkit.codec.blosc;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The choice of an implementation. */
class BlockStreamsTest {
    @Test
    void airlift_isUsedOnLittleEndianPlatforms_beforeJdk23() {
        assertInstanceOf(AirliftStreams.class, BlockStreams.lz4(22, ByteOrder.LITTLE_ENDIAN));
        assertInstanceOf(AirliftStreams.class, BlockStreams.snappy(22, ByteOrder.LITTLE_ENDIAN));
        assertInstanceOf(Lz4Streams.class, BlockStreams.lz4(23, ByteOrder.LITTLE_ENDIAN));
        assertInstanceOf(SnappyStreams.class, BlockStreams.snappy(23, ByteOrder.LITTLE_ENDIAN));
        assertInstanceOf(Lz4Streams.class, BlockStreams.lz4(17, ByteOrder.BIG_ENDIAN));
        assertInstanceOf(SnappyStreams.class, BlockStreams.snappy(17, ByteOrder.BIG_ENDIAN));
    }
}
