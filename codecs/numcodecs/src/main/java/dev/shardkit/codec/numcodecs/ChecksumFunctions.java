package dev.shardkit.codec.numcodecs;

import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** The checksums of numcodecs. Stateless. */
final class ChecksumFunctions {
    /** The number of 16-bit words after which both sums are folded to about 16 bits, before 32 bits overflow. */
    private static final int FLETCHER_RUN = 360;

    private ChecksumFunctions() {}

    static int crc32(byte[] in, int from, int to) {
        return of(new CRC32(), in, from, to);
    }

    static int crc32c(byte[] in, int from, int to) {
        return of(new CRC32C(), in, from, to);
    }

    static int adler32(byte[] in, int from, int to) {
        return of(new Adler32(), in, from, to);
    }

    private static int of(Checksum sum, byte[] in, int from, int to) {
        sum.update(in, from, to - from);
        return (int) sum.getValue();
    }

    /** HDF5's variant of Fletcher's checksum: of big-endian 16-bit words; a last single byte is an upper half. */
    static int fletcher32(byte[] in, int from, int to) {
        int low = 0;
        int high = 0;
        int position = from;
        int words = (to - from) / 2;
        while (words > 0) {
            int run = Math.min(words, FLETCHER_RUN);
            words -= run;
            for (; run > 0; run--) {
                low += (in[position] & 0xff) << 8 | in[position + 1] & 0xff;
                high += low;
                position += 2;
            }
            low = folded(low);
            high = folded(high);
        }
        if (position < to) {
            low += (in[position] & 0xff) << 8;
            high += low;
            low = folded(low);
            high = folded(high);
        }
        return folded(high) << 16 | folded(low);
    }

    /** Adds the upper to the lower half, which keeps the sum modulo 65535. */
    private static int folded(int sum) {
        return (sum & 0xffff) + (sum >>> 16);
    }
}
