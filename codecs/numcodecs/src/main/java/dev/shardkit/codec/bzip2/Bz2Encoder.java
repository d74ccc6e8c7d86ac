package dev.shardkit.codec.bzip2;

import dev.shardkit.spi.bytes.HeapBytes;

/** Encodes one bzip2 stream. Splits the input into blocks and shortens runs. Not thread-safe. */
final class Bz2Encoder {
    /** The maximum length of a run, which is written as four equal bytes and the number of further ones. */
    private static final int LONGEST_RUN = 255;

    /** The maximum number of bytes that a run takes in a block. */
    private static final int RUN_BYTES = Bz2Format.RUN + 1;

    private final HeapBytes in;
    private final int level;
    private final Bz2BitWriter out;
    private final byte[] block;
    private int position;
    private int size;

    private Bz2Encoder(HeapBytes in, int level) {
        this.in = in;
        this.level = level;
        this.out = new Bz2BitWriter(64 + in.size() / 4);
        // In the worst case, 4 bytes become 5.
        this.block = new byte[(int) Math.min((long) level * Bz2Format.UNIT, in.size() * 5L / 4 + RUN_BYTES)];
        this.position = in.from();
    }

    /** Returns the stream of all bytes of {@code in}. */
    static byte[] encode(HeapBytes in, int level) {
        return new Bz2Encoder(in, level).encode();
    }

    private byte[] encode() {
        out.write(24, Bz2Format.MAGIC);
        out.write(Byte.SIZE, '0' + level);
        int combined = 0;
        while (position < in.to()) {
            int crc = fill();
            combined = Bz2Format.combine(combined, crc);
            out.write(48, Bz2Format.BLOCK);
            out.write(Integer.SIZE, crc);
            out.write(1, 0); // not randomised
            new Bz2BlockWriter(out).write(block, size);
        }
        out.write(48, Bz2Format.END);
        out.write(Integer.SIZE, combined);
        return out.finish();
    }

    /** Fills the block with shortened runs, and returns the checksum of the input bytes that it represents. */
    private int fill() {
        byte[] array = in.array();
        int crc = -1;
        size = 0;
        while (position < in.to() && size + RUN_BYTES <= block.length) {
            byte b = array[position];
            int end = Math.min(in.to(), position + LONGEST_RUN);
            int run = 0;
            while (position < end && array[position] == b) {
                crc = Bz2Format.update(crc, b & 0xff);
                position++;
                run++;
            }
            for (int i = Math.min(run, Bz2Format.RUN); i > 0; i--) {
                block[size++] = b;
            }
            if (run >= Bz2Format.RUN) {
                block[size++] = (byte) (run - Bz2Format.RUN);
            }
        }
        return ~crc;
    }
}
