package dev.shardkit.hdf5.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.hdf5.codec.Nbit;
import dev.shardkit.hdf5.codec.NumberForm;
import dev.shardkit.hdf5.codec.PackedNumbersCodec;
import dev.shardkit.hdf5.codec.ScaleOffset;
import dev.shardkit.hdf5.codec.WordOrder;
import dev.shardkit.hdf5.message.Filter;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parameters of filters at their limits. */
class FilterCodecsTest {
    private static final long MAX = 0xffffffffL;

    /** Products of two such numbers do not fit into a {@code long}. */
    @Test
    void bitshuffle_hugeParameters_areCorrupt() {
        for (long[] sizes : new long[][] {{MAX, MAX - 7}, {MAX, 0}, {1L << 31, 1L << 31}, {4, 12}, {1 << 24, 128}}) {
            Filter filter = new Filter(FilterCodecs.BITSHUFFLE, "bitshuffle", List.of(0L, 3L, sizes[0], sizes[1], 2L));
            assertThrows(CorruptDataException.class, () -> FilterCodecs.toV3(filter, 4), filter::toString);
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

    @Test
    void unsupportedFilters_areNamed() {
        UnsupportedException e = assertThrows(
                UnsupportedException.class, () -> FilterCodecs.toV3(new Filter(4, "", List.of(141L, 32L)), 4));
        assertEquals("hdf5: the filter 4 (szip) is not supported", e.getMessage());
    }

    /** Records of numbers that use all bits are stored as they are, whatever else the parameters say. */
    @Test
    void nbit_ofRecords_isRefusedByName_unlessAllBitsAreUsed() {
        List<Long> record = List.of(13L, 0L, 4L, 3L, 2L, 1L, 0L, 1L, 2L, 0L, 10L, 1L);
        UnsupportedException e = assertThrows(
                UnsupportedException.class, () -> FilterCodecs.toV3(new Filter(FilterCodecs.NBIT, "nbit", record), 2));
        assertTrue(e.getMessage().contains("nbit of records (compound types)"), e.getMessage());
        FilterCodecs.toV3(new Filter(FilterCodecs.NBIT, "nbit", List.of(3L, 1L, 4L)), 2);
    }

    @Test
    void nbit_hugeParameters_areRefused() {
        for (long[] p : new long[][] {
            {8, 0, MAX, 1, 8, 0, 60, 0}, {8, 0, 4, 1, 8, 0, MAX, MAX}, {8, 0, 4, 1, MAX, 0, 8, 0},
            {10, 0, MAX, 2, MAX, 1, 2, 0, 10, 0}, {4, 0, 4, 2}, {8, 0, 4, 1, 0, 0, 1, 0}
        }) {
            List<Long> parameters = java.util.Arrays.stream(p).boxed().toList();
            Filter filter = new Filter(FilterCodecs.NBIT, "nbit", parameters);
            assertThrows(UnsupportedException.class, () -> FilterCodecs.toV3(filter, 2), filter::toString);
        }
    }

    @Test
    void nbit_truncated_isCorrupt() {
        Nbit codec = new Nbit(new long[] {8, 0, 50, 1, 2, 0, 10, 3});
        try (Scratch scratch = new Scratch()) {
            for (int size : new int[] {0, 1, 62}) {
                assertThrows(
                        CorruptDataException.class,
                        () -> codec.decode(Bytes.of(new byte[size]), DecodedSize.exactly(100), scratch));
            }
            assertEquals(
                    100,
                    codec.decode(Bytes.of(new byte[63]), DecodedSize.exactly(100), scratch)
                            .size());
        }
    }

    @Test
    void numbersThatDoNotFit_areUnencodable() {
        PackedNumbersCodec codec =
                new PackedNumbersCodec(new WordOrder(2, false), new NumberForm.Whole(2, true, 3, 10));
        try (Scratch scratch = new Scratch()) {
            byte[] fits = codec.encode(Bytes.of(new byte[] {(byte) 0, (byte) 0xfe}), scratch)
                    .toArray();
            assertEquals(0x1000, (fits[0] & 0xff) | (fits[1] & 0xff) << 8, "-512");
            assertThrows(UnencodableException.class, () -> codec.encode(Bytes.of(new byte[] {0, 2}), scratch), "512");
        }
    }
}
