package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayOutputStream;

/**
 * The codec {@code imagecodecs_lzw} of the Python library imagecodecs: the LZW of TIFF 6.0, section 13. A code stands
 * for a byte or for a longer text of the decoder's table. Codes have 9 to 12 bits, the highest bit first. As in TIFF,
 * they become longer one code earlier than necessary. Encoding writes each byte as a code of its own: every reader can
 * decode this, but it does not compress. Immutable and thread-safe.
 */
record TiffLzwCodec() implements BytesToBytesCodec {
    static final String NAME = "numcodecs.imagecodecs_lzw";
    /** The code that removes all texts from the decoder's table. Lower codes are single bytes. */
    private static final int CLEAR = 256;
    /** The code at the end of a stream. */
    private static final int END = 257;
    /** The first code of a text in the decoder's table. */
    private static final int FIRST = 258;

    private static final int MAX_CODES = 4096;
    private static final int SHORTEST = 9;
    private static final int LONGEST = 12;
    /**
     * The encoder clears the decoder's table after this many bytes. Each byte adds a text to the table, and once the
     * table had nearly 512 entries, codes would have 10 bits. The encoder writes codes of 9 bits only.
     */
    private static final int RUN = 250;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        Bits out = new Bits();
        for (int i = 0; i < in.size(); i++) {
            if (i % RUN == 0) {
                out.put(CLEAR);
            }
            out.put(in.array()[in.from() + i] & 0xff);
        }
        if (in.size() == 0) {
            out.put(CLEAR);
        }
        out.put(END);
        return Bytes.of(out.bytes());
    }

    /** Writes codes of 9 bits. */
    private static final class Bits {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int bufferedBits;
        private int count;

        void put(int code) {
            bufferedBits = bufferedBits << SHORTEST | code;
            count += SHORTEST;
            while (count >= Byte.SIZE) {
                count -= Byte.SIZE;
                out.write(bufferedBits >> count);
            }
            bufferedBits &= (1 << count) - 1;
        }

        /** Fills the last byte with zeros and returns all bytes. */
        byte[] bytes() {
            if (count > 0) {
                out.write(bufferedBits << Byte.SIZE - count);
            }
            return out.toByteArray();
        }
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        // A code stands for at most 4096 bytes and takes 9 bits.
        long maximum = Math.min(expected.maxBytes(), (long) in.size() * MAX_CODES);
        CodecOutput out = CodecOutput.decoding(expected, maximum + 1, scratch);
        Decoder decoder = new Decoder(in, out, expected);
        decoder.run();
        expected.check(out.size(), NAME + " decoded");
        return out.borrowed();
    }

    /**
     * Decodes one stream. Each code adds a text to the table: the text of the code before it and one more byte. The
     * table needs no bytes of its own: it refers to the output, where this text was just written.
     */
    private static final class Decoder {
        private final HeapBytes in;
        private final CodecOutput out;
        private final DecodedSize expected;
        /** The start of each code's text in the output. */
        private final int[] starts = new int[MAX_CODES];
        /** The length of each code's text. */
        private final int[] lengths = new int[MAX_CODES];

        private int position;
        /** Bits that were read from the input, but are not used yet. */
        private int bufferedBits;
        /** The number of buffered bits. */
        private int count;
        /** The current length of a code in bits. */
        private int bits = SHORTEST;
        /** The next code that gets a text. */
        private int next = FIRST;

        Decoder(HeapBytes in, CodecOutput out, DecodedSize expected) {
            this.in = in;
            this.out = out;
            this.expected = expected;
            this.position = in.from();
        }

        /** Reads the next code. */
        private int code() {
            while (count < bits) {
                if (position == in.to()) {
                    return END; // writers may leave out the code for the end
                }
                bufferedBits = bufferedBits << Byte.SIZE | in.array()[position++] & 0xff;
                count += Byte.SIZE;
            }
            count -= bits;
            int code = bufferedBits >> count;
            bufferedBits &= (1 << count) - 1;
            return code;
        }

        /** Decodes all codes up to the end of the stream. */
        void run() {
            int lastStart = -1;
            int lastLength = 0;
            for (int code = code(); code != END; code = code()) {
                if (code == CLEAR) {
                    bits = SHORTEST;
                    next = FIRST;
                    lastStart = -1;
                    continue;
                }
                int start = out.size();
                if (code < CLEAR) {
                    ensureCapacity(1);
                    out.array()[start] = (byte) code;
                    out.advance(1);
                } else {
                    copyText(code, lastStart, lastLength);
                }
                if (lastStart >= 0 && next < MAX_CODES) {
                    starts[next] = lastStart;
                    lengths[next++] = lastLength + 1;
                    bits = next + 1 >= 1 << bits && bits < LONGEST ? bits + 1 : bits;
                }
                lastStart = start;
                lastLength = out.size() - start;
            }
        }

        /**
         * Copies the text of a code to the end of the output. The code may be the next one, which is not in the table
         * yet. Its text is the last text, followed by that text's first byte.
         */
        private void copyText(int code, int lastStart, int lastLength) {
            boolean isNext = code == next && lastStart >= 0;
            if (code >= next && !isNext) {
                throw new CorruptDataException(NAME + ": expected a code up to " + next + ", found " + code);
            }
            int from = isNext ? lastStart : starts[code];
            int length = isNext ? lastLength + 1 : lengths[code];
            ensureCapacity(length);
            int to = out.size();
            for (int i = 0; i < length; i++) { // ranges may overlap, so byte by byte
                out.array()[to + i] = out.array()[from + i];
            }
            out.advance(length);
        }

        private void ensureCapacity(int bytes) {
            while (out.capacity() - out.size() < bytes) {
                if (!out.grow()) {
                    throw CodecOutput.tooMuch(expected, NAME);
                }
            }
        }
    }
}
