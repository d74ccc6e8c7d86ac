package dev.shardkit.hdf5;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parameters of filters at their limits. */
class FilterCodecsTest {
    private static final long MOST = 0xffffffffL;

    /** Products of two such numbers do not fit into a {@code long}. */
    @Test
    void bitshuffle_hugeParameters_areCorrupt() {
        for (long[] sizes : new long[][] {{MOST, MOST - 7}, {MOST, 0}, {1L << 31, 1L << 31}, {4, 12}, {1 << 24, 128}}) {
            Filter filter = new Filter(FilterCodecs.BITSHUFFLE, "bitshuffle", List.of(0L, 3L, sizes[0], sizes[1], 2L));
            assertThrows(CorruptDataException.class, () -> FilterCodecs.v3(filter, 4), filter::toString);
        }
    }

    /** Such an encoding could never be decoded. */
    @Test
    void scaleOffset_chunkOfAnotherSize_isRefused() {
        ScaleOffset codec = new ScaleOffset(new long[] {2, 0, 50, 0, 4, 1, 0, 1, 0, 0});
        try (Scratch scratch = new Scratch()) {
            for (int size : new int[] {0, 199, 204}) {
                assertThrows(UnsupportedException.class, () -> codec.encode(Bytes.of(new byte[size]), scratch));
            }
        }
    }
}
