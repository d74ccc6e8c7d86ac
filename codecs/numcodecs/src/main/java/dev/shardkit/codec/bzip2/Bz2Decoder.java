package dev.shardkit.codec.bzip2;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;

/**
 * Decodes bzip2 streams, one after the other until the end of the input, as the command bzip2 and Python do. The
 * decoder of aircompressor cannot do this, because it does not tell where a stream ends. Not thread-safe.
 */
final class Bz2Decoder {
    private final Bz2Bits bits;
    private final DecodedSize expected;
    private final CodecOutput out;

    Bz2Decoder(HeapBytes in, DecodedSize expected, CodecOutput out) {
        this.bits = new Bz2Bits(in);
        this.expected = expected;
        this.out = out;
    }

    /**
     * Decodes the whole input and appends the result.
     *
     * @throws CorruptDataException if the input is no sequence of whole streams, or decodes to more than expected
     */
    void decode() {
        do {
            decodeStream();
        } while (!bits.isAtEnd());
    }

    /** Decodes one stream: a header, blocks, and an end mark with the combined checksum of the blocks. */
    private void decodeStream() {
        int position = bits.position();
        int magic = (int) bits.read(24);
        int level = (int) bits.read(Byte.SIZE) - '0';
        if (magic != Bz2Format.MAGIC || level < 1 || level > 9) {
            throw new CorruptDataException(
                    Bz2Codec.NAME + ": expected a stream that begins with BZh1 to BZh9 at byte " + position);
        }
        Bz2Block block = new Bz2Block(bits, level);
        int combined = 0;
        while (true) {
            position = bits.position();
            long kind = bits.read(Bz2Bits.MAX);
            int stored = (int) bits.read(Integer.SIZE);
            if (kind == Bz2Format.END) {
                check(stored, combined, "a stream");
                bits.align();
                return;
            }
            if (kind != Bz2Format.BLOCK) {
                throw new CorruptDataException(
                        Bz2Codec.NAME + ": expected a block or the end of the stream at byte " + position);
            }
            block.read();
            int crc = expand(block);
            check(stored, crc, "a block");
            combined = Bz2Format.combine(combined, crc);
        }
    }

    /**
     * Appends a block and returns its checksum. After four equal bytes in the block, the next byte is a count: how many
     * more times the byte occurs.
     */
    private int expand(Bz2Block block) {
        int crc = -1;
        int last = -1;
        int run = 0;
        for (int remaining = block.size(); remaining > 0; remaining--) {
            int b = block.next();
            run = b == last ? run + 1 : 1;
            last = b;
            crc = append(b, crc);
            if (run == Bz2Format.RUN) {
                if (--remaining == 0) {
                    throw new CorruptDataException(Bz2Codec.NAME + ": expected the length of a run, found the end");
                }
                for (int next = block.next(); next > 0; next--) {
                    crc = append(b, crc);
                }
                // The next byte begins a new run, even if it is equal.
                run = 0;
                last = -1;
            }
        }
        return ~crc;
    }

    private int append(int b, int crc) {
        if (out.size() == out.capacity() && !out.grow()) {
            throw CodecOutput.tooMuch(expected, Bz2Codec.NAME);
        }
        out.array()[out.size()] = (byte) b;
        out.advance(1);
        return Bz2Format.update(crc, b);
    }

    private static void check(int stored, int actual, String description) {
        if (stored != actual) {
            throw new ChecksumException(Bz2Codec.NAME + ": expected the checksum " + Integer.toHexString(stored)
                    + " of " + description + ", found " + Integer.toHexString(actual));
        }
    }
}
