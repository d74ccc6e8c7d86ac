package dev.shardkit.codec.deflate;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.MatchCopy;
import dev.shardkit.spi.bytes.Words;

/**
 * Decodes the compressed data of a block (RFC 1951, section 3.2.3). Far from the ends of input and output,
 * {@link #fast} decodes without checks for the end; {@link #careful} does the rest. {@link CodeTable} describes the
 * entries that both look up, and {@link Bits} the bits that they take. Reused; not thread-safe.
 */
final class DeflateBlockDecoder {
    /** How many bytes an iteration of the fast loop may read: a refill moves by up to 7 bytes, the next one reads 8. */
    private static final int FAST_IN = 7 + Long.BYTES;
    /** How many bytes an iteration of the fast loop may write: two literals and the longest match. */
    private static final int FAST_OUT = 2 + 258 + MatchCopy.SLACK;

    private static final int LITERAL_MASK = (1 << BlockCodes.LITERAL_BITS) - 1;
    private static final int DISTANCE_MASK = (1 << BlockCodes.DISTANCE_BITS) - 1;
    private static final int DISTANCE_TABLE = BlockCodes.DISTANCE_TABLE;
    private static final int SPECIAL = CodeTable.SPECIAL;
    private static final int SUBTABLE = CodeTable.SUBTABLE;

    private final Bits bits;
    private final int[] table;

    DeflateBlockDecoder(Bits bits, BlockCodes codes) {
        this.bits = bits;
        this.table = codes.table();
    }

    /**
     * Decodes the rest of a block.
     *
     * @param start the index in the output up to which matches may reach back
     * @throws OutputLimitExceeded if the output cannot grow as needed
     */
    void decode(CodecOutput out, int start) {
        boolean hasMore = true;
        while (hasMore) {
            if (isFarFromEnds(out)) {
                hasMore = fast(out, start);
            }
            if (hasMore) {
                hasMore = careful(out, start);
            }
        }
    }

    private boolean isFarFromEnds(CodecOutput out) {
        return bits.limit - bits.position >= FAST_IN && out.capacity() - out.size() >= FAST_OUT;
    }

    /**
     * Decodes while both ends are far. A refill loads at least 56 bits: enough for two literals of up to 11 bits, a
     * third literal or a length of up to 20 bits, and the index of the next code. After a length, another refill loads
     * enough for a distance of up to 28 bits.
     *
     * <p>An entry has in its lowest 6 bits the number of bits to skip. Java's shifts use only these 6 bits, so whole
     * entries serve as shift distances, without masks. Whole entries are also subtracted from {@code count}, of which
     * only the lowest 6 bits have a meaning. A negative entry is a literal. An iteration starts with the entry
     * {@code e} of the next code, whose bits are not skipped yet.
     *
     * @return false if the block ended
     */
    private boolean fast(CodecOutput output, int start) {
        int[] codes = table;
        byte[] in = bits.in;
        byte[] out = output.array();
        int lastIn = bits.limit - FAST_IN;
        int lastOut = output.capacity() - FAST_OUT;
        int position = bits.position;
        int to = output.size();
        int count = bits.count;
        long word = bits.word | Words.int64(in, position) << count;
        position += 63 - count >> 3;
        count |= Bits.REFILLED;
        boolean hasMore = true;
        int e = codes[(int) word & LITERAL_MASK];
        while (position <= lastIn && to <= lastOut) {
            // -1 for a literal, otherwise 0. It replaces a branch that would often be mispredicted. If the entry is no
            // literal, later output overwrites the byte, no bits are skipped, and the same entry is looked up again.
            int literal = e >> 31;
            out[to] = (byte) (e >> 16);
            to -= literal;
            word >>>= e & literal;
            count -= e & literal;
            e = codes[(int) word & LITERAL_MASK];
            int code = (int) word;
            word >>>= e;
            count -= e;
            if (e < 0) {
                out[to++] = (byte) (e >> 16);
                e = codes[(int) word & LITERAL_MASK];
                code = (int) word;
                word >>>= e;
                count -= e;
            }
            if ((e & SUBTABLE) != 0) {
                e = codes[(e >>> 16) + ((int) word & (1 << (e >> 8)) - 1)];
                code = (int) word;
                word >>>= e;
                count -= e;
            }
            if (e < 0) {
                out[to++] = (byte) (e >> 16);
            } else if ((e & SPECIAL) == 0) {
                int length = (e >>> 16) + ((code & (1 << e) - 1) >>> (e >> 8));
                word |= Words.int64(in, position) << count;
                position += (63 - count & 63) >> 3;
                count |= Bits.REFILLED;
                e = codes[DISTANCE_TABLE + ((int) word & DISTANCE_MASK)];
                if ((e & SUBTABLE) != 0) {
                    word >>>= e;
                    count -= e;
                    e = codes[(e >>> 16) + ((int) word & (1 << (e >> 8)) - 1)];
                }
                int distance = (e >>> 16) + (((int) word & (1 << e) - 1) >>> (e >> 8));
                word >>>= e;
                count -= e;
                if ((e & SPECIAL) != 0 || distance > to - start) {
                    throw badDistance(e, distance, position - ((count & 63) + 7 >> 3));
                }
                MatchCopy.match(out, to, distance, length);
                to += length;
            } else {
                hasMore = false;
                break;
            }
            e = codes[(int) word & LITERAL_MASK];
            word |= Words.int64(in, position) << count;
            position += (63 - count & 63) >> 3;
            count |= Bits.REFILLED;
        }
        bits.position = position;
        bits.word = word;
        bits.count = count & 63;
        output.advance(to - output.size());
        if (!hasMore && (e & CodeTable.END) == 0) {
            throw invalidLiteral();
        }
        return hasMore;
    }

    private static MalformedStream badDistance(int e, int distance, int offset) {
        return new MalformedStream(
                offset,
                (e & SPECIAL) != 0 ? "invalid distance code" : "a distance of " + distance + " reaches too far back");
    }

    private MalformedStream invalidLiteral() {
        return new MalformedStream(bits.byteOfNextBit(), "invalid literal or length code");
    }

    /**
     * Decodes until the fast loop can do the rest, or the block ends. Makes room only for decoded bytes.
     *
     * @return false if the block ended
     */
    private boolean careful(CodecOutput out, int start) {
        do {
            bits.refill();
            int e = lookUp(0, BlockCodes.LITERAL_BITS);
            if (e < 0) {
                bits.skip(e & 63);
                makeRoom(out, 1);
                out.array()[out.size()] = (byte) (e >> 16);
                out.advance(1);
            } else if ((e & SPECIAL) == 0) {
                int length = value(e);
                e = lookUp(DISTANCE_TABLE, BlockCodes.DISTANCE_BITS);
                int distance = (e & SPECIAL) == 0 ? value(e) : 0;
                if ((e & SPECIAL) != 0 || distance > out.size() - start) {
                    throw badDistance(e, distance, bits.byteOfNextBit());
                }
                makeRoom(out, length);
                MatchCopy.exactMatch(out.array(), out.size(), distance, length);
                out.advance(length);
            } else if ((e & CodeTable.END) != 0) {
                bits.skip(e & 63);
                return false;
            } else {
                throw invalidLiteral();
            }
        } while (!isFarFromEnds(out));
        return true;
    }

    /**
     * Returns the entry of the next code, whose bits the caller skips.
     *
     * @param start the start of the code's table
     * @param indexBits the number of bits that index the table
     */
    private int lookUp(int start, int indexBits) {
        int e = table[start + ((int) bits.word & (1 << indexBits) - 1)];
        if ((e & SUBTABLE) == 0) {
            return e;
        }
        bits.skip(e & 63);
        return table[(e >>> 16) + ((int) bits.word & (1 << (e >> 8)) - 1)];
    }

    /** Skips the bits of an entry and returns its length or distance. */
    private int value(int e) {
        int value = (e >>> 16) + (((int) bits.word & (1 << e) - 1) >>> (e >> 8));
        bits.skip(e & 63);
        return value;
    }

    /** Grows the output for {@code bytes} more bytes. */
    static void makeRoom(CodecOutput out, int bytes) {
        while (out.capacity() - out.size() < bytes) {
            if (!out.grow()) {
                throw new OutputLimitExceeded();
            }
        }
    }
}
