package dev.shardkit.codec.sharding;

import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * The CRC-32C (RFC 3720, section B.4) of a window of fixed length that moves over bytes one by one. A table removes the
 * byte that leaves the window, since checksums of equal length are linear in the bytes. So the search for a checksummed
 * index at every position costs two look-ups for each byte, whatever the size of the index ({@link IndexSearch}).
 * Immutable.
 */
final class Crc32cWindow {
    /** The name of the codec that appends this checksum. */
    static final String CODEC = "crc32c";

    /** The size of the checksum in bytes. */
    static final int CHECKSUM = 4;

    /** The polynomial of CRC-32C with its bits reversed, since CRC-32C handles the lowest bit of each byte first. */
    private static final int POLYNOMIAL = 0x82F63B78;
    /** The table of CRC-32C: the contribution of a checksum's lowest byte when the next byte is added. */
    private static final int[] STEP = table();

    private final int length;
    /** For each value of the byte that leaves the window: its share of the checksum. */
    private final int[] leavingByte = new int[256];
    /** The effect of CRC-32C's initial value, all ones, on the checksum of a window. */
    private final int initial;

    /** Creates a window of {@code length} bytes. */
    Crc32cWindow(int length) {
        this.length = length;
        // One byte longer than the window: when a byte leaves, the one that enters has been added already.
        byte[] bytes = new byte[length + 1];
        int zeros = crc(bytes, 0, length + 1);
        for (int bit = 1; bit < 256; bit <<= 1) {
            bytes[0] = (byte) bit;
            leavingByte[bit] = crc(bytes, 0, length + 1) ^ zeros;
        }
        // The share of a byte is the sum (XOR) of the shares of its bits.
        for (int b = 1; b < 256; b++) {
            int lowest = b & -b;
            leavingByte[b] = leavingByte[lowest] ^ leavingByte[b ^ lowest];
        }
        initial = ~crc(bytes, 1, length);
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int b = 0; b < 256; b++) {
            int remainder = b;
            for (int bit = 0; bit < 8; bit++) {
                remainder = (remainder & 1) != 0 ? remainder >>> 1 ^ POLYNOMIAL : remainder >>> 1;
            }
            table[b] = remainder;
        }
        return table;
    }

    private static int crc(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    /**
     * Returns the end of each stored checksum (little-endian) that directly follows a window and matches its bytes, in
     * ascending order.
     */
    int[] matches(byte[] bytes) {
        IntStream.Builder found = IntStream.builder();
        if (bytes.length < length + CHECKSUM) {
            return new int[0];
        }
        int crc = crc(bytes, 0, length);
        for (int end = length; end + CHECKSUM <= bytes.length; end++) {
            if (crc == storedChecksum(bytes, end)) {
                found.add(end + CHECKSUM);
            }
            // Without the initial and the final inversion, the checksum is linear in the bytes of the window.
            int linear = ~crc ^ initial;
            linear = linear >>> 8 ^ STEP[(linear ^ bytes[end]) & 0xff] ^ leavingByte[bytes[end - length] & 0xff];
            crc = ~(linear ^ initial);
        }
        return found.build().toArray();
    }

    private static int storedChecksum(byte[] bytes, int offset) {
        return bytes[offset] & 0xff
                | (bytes[offset + 1] & 0xff) << 8
                | (bytes[offset + 2] & 0xff) << 16
                | bytes[offset + 3] << 24;
    }
}
