package dev.shardkit.codec.bzip2;

/** Constants and checksums that the encoder and the decoder of bzip2 share. */
final class Bz2Format {
    static final long BLOCK = 0x314159265359L;
    static final long END = 0x177245385090L;
    static final int MAGIC = 'B' << 16 | 'Z' << 8 | 'h';
    /** The number of bytes in a block, for each level. */
    static final int UNIT = 100_000;
    /** After this many equal bytes, a byte with the number of further ones follows. */
    static final int RUN = 4;
    /** The number of symbols that share a selector, that is a table of codes. */
    static final int GROUP = 50;

    static final int LONGEST_CODE = 20;

    private static final int[] CRC = crcTable();

    private Bz2Format() {}

    /** The table of the CRC-32 whose bits are not reversed, which {@code java.util.zip.CRC32} is not. */
    private static int[] crcTable() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int crc = i << 24;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = crc << 1 ^ (crc < 0 ? 0x04c11db7 : 0);
            }
            table[i] = crc;
        }
        return table;
    }

    /** Continues a checksum, which starts at -1 and ends inverted, with an unsigned byte. */
    static int update(int crc, int b) {
        return crc << Byte.SIZE ^ CRC[crc >>> 24 ^ b];
    }

    /** Continues the checksum of a stream with that of its next block. */
    static int combine(int stream, int block) {
        return Integer.rotateLeft(stream, 1) ^ block;
    }

    static byte toFront(byte[] recent, int index) {
        byte b = recent[index];
        System.arraycopy(recent, 0, recent, 1, index);
        recent[0] = b;
        return b;
    }
}
