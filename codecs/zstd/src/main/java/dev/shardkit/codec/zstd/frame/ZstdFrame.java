package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.List;
import java.util.OptionalLong;

/**
 * One Zstandard frame, as its headers describe it (RFC 8878, section 3.1.1).
 *
 * @param from the start of the frame in the array
 * @param blocks the start of its first block
 * @param to the end of the frame
 * @param contentSize the claimed size; between {@code least} and {@code most}
 * @param least the size of raw and RLE blocks
 * @param most the maximum size of all blocks
 * @param trailer the bytes after the blocks
 */
record ZstdFrame(int from, int blocks, int to, OptionalLong contentSize, long least, long most, Trailer trailer) {
    /** Returns whether one of {@code frames} has a checksum. */
    static boolean anyChecksum(List<ZstdFrame> frames) {
        for (ZstdFrame f : frames) {
            if (f.trailer == Trailer.CHECKSUM) {
                return true;
            }
        }
        return false;
    }

    /** Rejects frames that cannot have the expected size, before any allocation. */
    static void check(List<ZstdFrame> frames, DecodedSize expected) {
        long least = 0;
        long most = 0;
        for (ZstdFrame f : frames) {
            least = Math.addExact(least, f.contentSize.orElse(f.least));
            most = Math.addExact(most, f.contentSize.orElse(f.most));
        }
        if (least > expected.most() || (expected.isExact() && most < expected.most())) {
            throw new CorruptDataException("zstd: expected an encoding of " + expected + ", found frames of "
                    + (least == most ? "" : least + " to ") + most);
        }
    }
}
