package dev.shardkit.codec.sharding;

import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * The CRC-32C (RFC 3720, section B.4) of a window of fixed length that moves over bytes one by one. A table removes the
 * byte that leaves the window, since checksums of equal length are linear in the bytes. So searching every position for
 * a checksummed index costs two look-ups for each byte, whatever the size of the index. Immutable.
 */
final class Crc32cWindow {
    /** The name of the codec that appends this checksum. */
    static final String CODEC = "crc32c";

    /** The size of the checksum in bytes. */
    static final int CHECKSUM = 4;

    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int[] STEP = table();

    private final int length;
    private final int[] leavingByte = new int[256];
    /** The effect of the initial value at the window's end. */
    private final int initial;

    /** Creates a window of {@code length} bytes. */
    Crc32cWindow(int length) {
        this.length = length;
        byte[] bytes = new byte[length + 1];
        int zeros = crc(bytes, 0, length + 1);
        for (int bit = 1; bit < 256; bit <<= 1) {
            bytes[0] = (byte) bit;
            leavingByte[bit] = crc(bytes, 0, length + 1) ^ zeros;
        }
        for (int b = 1; b < 256; b++) {
            int lowest = b & -b;
            leavingByte[b] = leavingByte[lowest] ^ leavingByte[b ^ lowest];
        }
        initial = ~crc(bytes, 1, length);
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int b = 0; b < 256; b++) {
            int c = b;
            for (int i = 0; i < 8; i++) {
                c = (c & 1) != 0 ? c >>> 1 ^ POLYNOMIAL : c >>> 1;
            }
            table[b] = c;
        }
        return table;
    }

    private static int crc(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    /**
     * Returns, in ascending order, the ends of all checksums (little-endian) that directly follow a window and match
     * it.
     */
    int[] matches(byte[] bytes) {
        IntStream.Builder found = IntStream.builder();
        if (bytes.length < length + CHECKSUM) {
            return new int[0];
        }
        int crc = crc(bytes, 0, length);
        for (int end = length; end + CHECKSUM <= bytes.length; end++) {
            if (crc == checksum(bytes, end)) {
                found.add(end + CHECKSUM);
            }
            int linear = ~crc ^ initial;
            linear = linear >>> 8 ^ STEP[(linear ^ bytes[end]) & 0xff] ^ leavingByte[bytes[end - length] & 0xff];
            crc = ~(linear ^ initial);
        }
        return found.build().toArray();
    }

    private static int checksum(byte[] bytes, int offset) {
        return bytes[offset] & 0xff
                | (bytes[offset + 1] & 0xff) << 8
                | (bytes[offset + 2] & 0xff) << 16
                | bytes[offset + 3] << 24;
    }
}
