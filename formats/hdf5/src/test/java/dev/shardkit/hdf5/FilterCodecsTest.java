package dev.shardkit.hdf5;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.error.CorruptDataException;
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
}
