package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.List;
import java.util.OptionalLong;

/**
 * One Zstandard frame, as its headers describe it (RFC 8878, section 3.1.1).
 *
 * @param from the index of the frame's first byte in the array
 * @param blocks the index of its first block
 * @param to the index after the frame's last byte
 * @param contentSize the claimed size; between {@code minSize} and {@code maxSize}
 * @param minSize the minimum decoded size: that of the raw and RLE blocks
 * @param maxSize the maximum decoded size of all blocks
 * @param trailer the bytes after the blocks
 */
public record ZstdFrame(
        int from, int blocks, int to, OptionalLong contentSize, long minSize, long maxSize, Trailer trailer) {
    /** The maximum size of a block, encoded or decoded. */
    public static final int LARGEST_BLOCK = 128 << 10;

    /** Returns whether one of {@code frames} has a checksum. */
    public static boolean anyChecksum(List<ZstdFrame> frames) {
        for (ZstdFrame f : frames) {
            if (f.trailer == Trailer.CHECKSUM) {
                return true;
            }
        }
        return false;
    }

    /** Rejects frames that cannot have the expected size, before any allocation. */
    public static void check(List<ZstdFrame> frames, DecodedSize expected) {
        long minSize = 0;
        long maxSize = 0;
        for (ZstdFrame f : frames) {
            minSize = Math.addExact(minSize, f.contentSize.orElse(f.minSize));
            maxSize = Math.addExact(maxSize, f.contentSize.orElse(f.maxSize));
        }
        if (minSize > expected.maxBytes() || (expected.isExact() && maxSize < expected.maxBytes())) {
            throw new CorruptDataException("zstd: expected an encoding of " + expected + ", found frames of "
                    + (minSize == maxSize ? "" : minSize + " to ") + maxSize);
        }
    }
}
