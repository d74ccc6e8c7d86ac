package dev.shardkit.codec.zstd.decoder;

import dev.shardkit.codec.zstd.entropy.BackwardBits;
import dev.shardkit.codec.zstd.entropy.FseTable;
import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.codec.zstd.frame.ZstdFrame;
import dev.shardkit.spi.bytes.MatchCopy;
import dev.shardkit.spi.bytes.Words;

/**
 * Decodes the sequences of a block and executes them; {@link Sequences} reads their header and tables first. Nearly all
 * run in one loop, {@link #runFast}; those that are not certain to fit run one by one. The last three offsets carry
 * over from block to block. Not thread-safe.
 *
 * <p>{@link FseTable} describes the entries: a state each of literal lengths (l), match lengths (m) or offsets (o). The
 * stream is read from its end, so the next bits are the highest ones of a word. {@code w >>> 1 >>> ~n} is the highest n
 * bits of w; one shift by 64 - n would do nothing for n = 0. Shifts use only the lowest 6 bits of n, so n may be an
 * entry's upper half.
 */
final class SequenceLoop {
    /** The maximum number of bits that lead to the next three states: 9, 9 and 8. */
    private static final int MAX_STATE_BITS = 26;
    /** The minimum number of bits that a word has from any bit on. */
    private static final int WORD_BITS = 57;
    /** More than any sequence takes: 63 extra bits and the bits of three states. */
    private static final int MAX_BITS = 63 + MAX_STATE_BITS + 1;
    /** From here on in an array, the number of a bit may exceed 32 bits. */
    private static final int FAR = (1 << 29) - 2 * ZstdFrame.LARGEST_BLOCK;

    /** The code of an offset that is stated. Codes 0 to 2 repeat one of the last offsets, 3 is the last one minus 1. */
    private static final int NEW = 4;

    private final long[] entries;
    private int shortMatch;

    private int offset1 = 1;
    private int offset2 = 4;
    private int offset3 = 8;

    /** The number of sequences that were not decoded yet. */
    private int remaining;
    /** The start of the bit stream. */
    private int start;
    /** The number of unread bits; negative if the stream has ended too early. */
    private int bits;

    private int literalLengthState;
    private int offsetState;
    private int matchLengthState;

    private int literalsUsed;
    /** The end of the output so far. */
    private int next;
    /** The lengths of the last decoded sequence, for {@link #execute}. */
    private int literalLength;

    private int matchLength;

    /** Creates a loop over the {@link FseTable}s in {@code entries}. */
    SequenceLoop(long[] entries) {
        this.entries = entries;
    }

    /** Sets the offsets that precede those of the frame, the last one first. */
    void offsets(int last, int second, int third) {
        offset1 = last;
        offset2 = second;
        offset3 = third;
    }

    /** Sets the offsets to those of {@code initial}. */
    void offsets(SequenceLoop initial) {
        offsets(initial.offset1, initial.offset2, initial.offset3);
    }

    /** Begins a block without sequences. */
    void none() {
        remaining = 0;
    }

    /**
     * Begins a block of {@code count} sequences, at least 1.
     *
     * @param shortMatch the length of matches that are copied as one word if they are not longer: 8, or 0 for none
     * @param start the start of the bit stream, of which the last {@code bits} bits are unread
     */
    void open(int count, int shortMatch, int start, int bits) {
        this.remaining = count;
        this.shortMatch = shortMatch;
        this.start = start;
        this.bits = bits;
    }

    /** Sets the first states, as positions in the entries. */
    void states(int literalLength, int offset, int matchLength) {
        literalLengthState = literalLength;
        offsetState = offset;
        matchLengthState = matchLength;
    }

    /** Returns the number of literals that the sequences used; the rest follows them. */
    int literalsUsed() {
        return literalsUsed;
    }

    /**
     * Decodes and executes all sequences; returns the end of their output.
     *
     * @param literals the literals of the block; {@link #literalsUsed} returns how many were used
     * @param origin the first byte of {@code out} that matches may refer to
     * @param outOffset the start of the block's content
     * @param limit the maximum end of the content
     * @param end the end of the writable memory
     * @param stopAfter decoding may stop from here on
     * @throws BlockLimitExceeded if the content exceeds {@code limit}
     */
    int run(byte[] in, Literals literals, byte[] out, int origin, int outOffset, int limit, int end, int stopAfter) {
        byte[] literalBytes = literals.bytes();
        int literalEnd = literals.size();
        int fastEnd = Math.min(stopAfter, Math.min(limit, end - MatchCopy.SLACK));
        boolean hasSequences = remaining > 0;
        literalsUsed = 0;
        next = outOffset;
        while (remaining > 0 && next < stopAfter) {
            int certain = start < FAR ? Math.min(remaining - 1, bits / MAX_BITS) : 0;
            if (certain > 0) {
                if (runFast(certain, in, literalBytes, literalEnd, out, origin, fastEnd)) {
                    continue;
                }
            } else {
                runOne(in);
                if (bits < 0) {
                    break;
                }
            }
            execute(literalBytes, literalEnd, out, origin, limit);
        }
        if (next < stopAfter && (bits != 0 && hasSequences || remaining > 0)) {
            throw new MalformedFrame(
                    start,
                    "expected a stream that ends with its last sequence, found "
                            + (bits < 0 ? "too few" : bits + " more") + " bits");
        }
        return next;
    }

    /**
     * Decodes up to {@code n} sequences, which the stream is certain to hold, and executes them. One loop does both:
     * copies run while the next sequence is loaded; separate loops took 1.5 times as long. It is sensitive to how the
     * compiler assigns registers, so measure each change.
     *
     * @param fastEnd the end of the output that may be written here; copies may write {@link MatchCopy#SLACK} bytes
     *     more
     * @return false if the last decoded sequence is left to {@link #execute}
     */
    private boolean runFast(
            int n, byte[] in, byte[] literalBytes, int literalEnd, byte[] out, int origin, int fastEnd) {
        long[] table = entries;
        int literal = literalsUsed;
        int next = this.next;
        int position = 8 * (start - 8) + 7 + bits; // counts bits of the array, unsigned
        int ls = literalLengthState;
        int os = offsetState;
        int ms = matchLengthState;
        int o1 = offset1;
        int o2 = offset2;
        int o3 = offset3;
        int shortMatch = this.shortMatch;
        int k = n;
        boolean completed = true;
        while (true) {
            long l = table[ls];
            long m = table[ms];
            long o = table[os];
            int lb = (int) (l >>> 32);
            int mb = (int) (m >>> 32);
            int ob = (int) (o >>> 32);
            int bitCounts = lb + mb + ob; // extra bits in its lowest byte, like each summand; state bits in the next
            long w = Words.int64(in, position >>> 3) << (~position & 7);
            int offset = (int) o + (int) (w >>> 1 >>> ~ob);
            w <<= ob;
            int matchLength = (int) m;
            int literalLength = (int) l;
            if ((lb + mb & 0xff) != 0) {
                matchLength += (int) (w >>> 1 >>> ~mb);
                w <<= mb;
                if ((bitCounts & 0xff) > WORD_BITS - MAX_STATE_BITS) { // too many for the word: load another
                    int remainingBits = position - (ob + mb & 0xff);
                    w = Words.int64(in, remainingBits >>> 3) << (~remainingBits & 7);
                }
                literalLength += (int) (w >>> 1 >>> ~lb);
                w <<= lb;
            }
            position -= (bitCounts & 0xff) + (bitCounts >> 8 & 0xff);
            ls = (int) (l >>> 48) + (int) (w >>> 1 >>> ~(lb >> 8));
            w <<= lb >> 8;
            ms = (int) (m >>> 48) + (int) (w >>> 1 >>> ~(mb >> 8));
            w <<= mb >> 8;
            os = (int) (o >>> 48) + (int) (w >>> 1 >>> ~(ob >> 8));

            if ((ob & 0xff) > 1) { // a stated offset, plus 3
                offset -= 3;
                o3 = o2;
                o2 = o1;
                o1 = offset;
            } else {
                int offsetCode = offset - (literalLength == 0 ? 0 : 1);
                if (offsetCode == 0) {
                    offset = o1;
                } else {
                    offset = offsetCode == 1 ? o2 : offsetCode == 2 ? o3 : o1 - 1;
                    o3 = offsetCode == 1 ? o3 : o2;
                    o2 = o1;
                    o1 = offset;
                }
            }
            k--;
            int match = next + literalLength;
            int matchEnd = match + matchLength;
            // One test for two faults: too few literals, or no room in the output. The other one is a wrong offset.
            if ((literalEnd - literal - literalLength | fastEnd - matchEnd) < 0
                    || Integer.compareUnsigned(offset - 1, match - origin) >= 0) {
                this.literalLength = literalLength;
                this.matchLength = matchLength;
                completed = false;
                break;
            }
            MatchCopy.literals(literalBytes, literal, out, next, literalLength);
            if ((offset - 8 | shortMatch - matchLength) >= 0) {
                Words.int64(out, match, Words.int64(out, match - offset));
            } else {
                MatchCopy.match(out, match, offset, matchLength);
            }
            literal += literalLength;
            next = matchEnd;
            if (k <= 0) {
                break;
            }
        }
        remaining -= n - k;
        literalsUsed = literal;
        this.next = next;
        bits = position - 7 - 8 * (start - 8);
        literalLengthState = ls;
        offsetState = os;
        matchLengthState = ms;
        offset1 = o1;
        offset2 = o2;
        offset3 = o3;
        return completed;
    }

    /** Decodes a sequence for {@link #execute}; {@link #bits} becomes negative if the stream ends before it. */
    private void runOne(byte[] in) {
        long l = entries[literalLengthState];
        long m = entries[matchLengthState];
        long o = entries[offsetState];
        int offset = FseTable.base(o) + readBits(in, FseTable.extraBits(o));
        matchLength = FseTable.base(m) + readBits(in, FseTable.extraBits(m));
        literalLength = FseTable.base(l) + readBits(in, FseTable.extraBits(l));
        remaining--;
        if (remaining > 0) { // the last sequence of a block has no next states
            literalLengthState = FseTable.nextState(l) + readBits(in, FseTable.stateBits(l));
            matchLengthState = FseTable.nextState(m) + readBits(in, FseTable.stateBits(m));
            offsetState = FseTable.nextState(o) + readBits(in, FseTable.stateBits(o));
        }
        int offsetCode = FseTable.extraBits(o) > 1 ? NEW : offset - (literalLength == 0 ? 0 : 1);
        offset = offsetCode == NEW
                ? offset - 3
                : offsetCode == 0 ? offset1 : offsetCode == 1 ? offset2 : offsetCode == 2 ? offset3 : offset1 - 1;
        offset3 = offsetCode <= 1 ? offset3 : offset2;
        offset2 = offsetCode == 0 ? offset2 : offset1;
        offset1 = offset;
    }

    /** Returns the next {@code n} bits, or 0 if there are too few: then {@link #bits} becomes negative. */
    private int readBits(byte[] in, int n) {
        bits -= n;
        return bits < 0 ? 0 : (int) (BackwardBits.word(in, start, bits + n) >>> 1 >>> ~n);
    }

    /** Executes the last decoded sequence; nothing about it is checked yet. */
    private void execute(byte[] literalBytes, int literalEnd, byte[] out, int origin, int limit) {
        int literalsLeft = literalEnd - literalsUsed;
        int offset = offset1;
        int match = next + literalLength;
        if (literalLength > literalsLeft || offset <= 0 || offset > match - origin) {
            throw new MalformedFrame(
                    start,
                    literalLength > literalsLeft
                            ? "expected " + literalLength + " more literals, found " + literalsLeft
                            : "expected an offset of 1 to " + (match - origin) + ", found "
                                    + Integer.toUnsignedString(offset));
        }
        if (literalLength + matchLength > limit - next) {
            throw new BlockLimitExceeded();
        }
        System.arraycopy(literalBytes, literalsUsed, out, next, literalLength);
        MatchCopy.exactMatch(out, match, offset, matchLength);
        literalsUsed += literalLength;
        next = match + matchLength;
    }
}
