package dev.shardkit.codec.bzip2;

/** Constants and checksums that the encoder and the decoder of bzip2 share. */
final class Bz2Format {
    /** The 48 bits before each block: the digits of pi. */
    static final long BLOCK = 0x314159265359L;
    /** The 48 bits after the last block: the digits of the square root of pi. */
    static final long END = 0x177245385090L;
    /** The first three bytes of a stream; the fourth is the level, a digit. */
    static final int MAGIC = 'B' << 16 | 'Z' << 8 | 'h';
    /** The number of bytes in a block, for each level. */
    static final int UNIT = 100_000;
    /** After this many equal bytes, a byte follows that says how often the byte is repeated further. */
    static final int RUN = 4;
    /** The number of consecutive symbols in a group; each group selects one of the block's tables of codes. */
    static final int GROUP = 50;

    /** The maximum length of a Huffman code in bits. */
    static final int LONGEST_CODE = 20;

    private static final int[] CRC = crcTable();

    private Bz2Format() {}

    /**
     * Returns the table of bzip2's CRC-32. It has the same polynomial as {@code java.util.zip.CRC32}, but takes the
     * highest bit of each byte first.
     */
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

    /**
     * Updates a block's checksum with an unsigned byte. Checksums start at -1; after the last byte, the caller inverts
     * them.
     */
    static int update(int crc, int b) {
        return crc << Byte.SIZE ^ CRC[crc >>> 24 ^ b];
    }

    /** Updates the checksum of a stream, which starts at 0, with the checksum of its next block. */
    static int combine(int stream, int block) {
        return Integer.rotateLeft(stream, 1) ^ block;
    }

    /** Moves the byte at {@code index} to the front, and returns it. */
    static byte toFront(byte[] recent, int index) {
        byte b = recent[index];
        System.arraycopy(recent, 0, recent, 1, index);
        recent[0] = b;
        return b;
    }
}
