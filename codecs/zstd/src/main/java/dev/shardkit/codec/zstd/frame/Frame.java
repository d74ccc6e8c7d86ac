package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.List;
import java.util.OptionalLong;

/**
 * One Zstandard frame, as its headers describe it (RFC 8878, section 3.1.1).
 *
 * @param from where it begins in the array
 * @param blocks where its first block begins
 * @param to behind its last byte
 * @param contentSize what the header claims; no more than {@code most} and no less than {@code least}
 * @param least what raw and RLE blocks come to
 * @param most what the blocks can come to
 * @param trailer what follows the blocks
 */
record Frame(int from, int blocks, int to, OptionalLong contentSize, long least, long most, Trailer trailer) {
    /** Whether one of {@code frames} has a checksum. */
    static boolean anyChecksum(List<Frame> frames) {
        for (Frame f : frames) {
            if (f.trailer == Trailer.CHECKSUM) {
                return true;
            }
        }
        return false;
    }

    /** Refuses frames that cannot come to what is expected, before anything is allocated for them. */
    static void check(List<Frame> frames, DecodedSize expected) {
        long least = 0;
        long most = 0;
        for (Frame f : frames) {
            least = Math.addExact(least, f.contentSize.orElse(f.least));
            most = Math.addExact(most, f.contentSize.orElse(f.most));
        }
        if (least > expected.most() || (expected.isExact() && most < expected.most())) {
            throw new CorruptDataException("zstd: expected an encoding of " + expected + ", found frames of "
                    + (least == most ? "" : least + " to ") + most);
        }
    }
}
