package dev.shardkit.codec.zstd.decoder;

import dev.shardkit.codec.zstd.entropy.BackwardBits;
import dev.shardkit.codec.zstd.entropy.FseTable;
import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.codec.zstd.frame.ZstdFrame;
import dev.shardkit.spi.bytes.MatchCopy;
import dev.shardkit.spi.bytes.Words;

/**
 * Decodes the sequences of a zstd block and executes them. A sequence copies some literals to the output, and then a
 * match: bytes that the output already has, a given offset back (RFC 8878, section 3.1.1.4). {@link Sequences} reads
 * their header and tables first. {@link #runFast} runs nearly all sequences in one loop; near the end of the stream or
 * of the output, {@link #runOne} and {@link #execute} run them one by one. The last three offsets carry over from block
 * to block. Not thread-safe.
 *
 * <p>Three FSE state machines decode literal lengths (l), match lengths (m) and offsets (o). {@link FseTable} describes
 * the entries, one for each state. The stream is read from its end, so the next bits are the highest ones of a word.
 * {@code w >>> 1 >>> ~n} is the highest n bits of w; the usual shift by 64 - n would do nothing for n = 0. Java's
 * shifts use only the lowest 6 bits of n, so n may be an entry's upper half, whose higher bits mean something else.
 */
final class SequenceLoop {
    /** The maximum number of bits that lead to the next three states: 9, 9 and 8. */
    private static final int MAX_STATE_BITS = 26;
    /** The minimum number of unread bits in a loaded word of 64: up to 7 bits of its last byte may be read already. */
    private static final int WORD_BITS = 57;
    /** More bits than any sequence takes: at most 63 extra bits of its three numbers, and the bits of three states. */
    private static final int MAX_BITS = 63 + MAX_STATE_BITS + 1;
    /** In an array, the first byte from which on the number of a bit of a block may exceed 32 bits. */
    private static final int FAR = (1 << 29) - 2 * ZstdFrame.LARGEST_BLOCK;

    /**
     * The code of an offset that the stream states. Codes 0 to 2 repeat one of the last three offsets; code 3 is the
     * last offset minus 1.
     */
    private static final int NEW = 4;

    /** The entries of the three tables, as {@link FseTable} describes them. */
    private final long[] entries;
    /** The maximum length of a match that is copied as one word of 8 bytes; 0 if none is. */
    private int shortMatch;

    private int offset1 = 1;
    private int offset2 = 4;
    private int offset3 = 8;

    /** The number of sequences that were not decoded yet. */
    private int remaining;
    /** The index of the bit stream's first byte in the input. */
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
     * @param shortMatch 8 to copy matches of up to 8 bytes as one word, or 0 to copy no match so
     * @param start the index of the bit stream's first byte
     * @param bits the number of unread bits, counted from {@code start}
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

    /** Returns the number of literals that the sequences used. The other literals end the block's content. */
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
            // The stream certainly holds this many sequences. The last sequence is decoded alone: no states follow it.
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
     * Decodes up to {@code n} sequences, which the stream is certain to hold, and executes them. One loop does both, so
     * that the processor copies while it loads the next sequence; separate loops took 1.5 times as long. The speed
     * depends on how the compiler assigns registers, so measure each change.
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
            // like each summand, has the number of extra bits in its lowest byte, that of state bits in the next one
            int bitCounts = lb + mb + ob;
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

            if ((ob & 0xff) > 1) { // the stream states the offset, increased by 3
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
            // The first test finds two faults at once by the sign of the "or": too few literals, or no room in the
            // output. The second test finds an offset of 0 or one that reaches before the origin.
            if ((literalEnd - literal - literalLength | fastEnd - matchEnd) < 0
                    || Integer.compareUnsigned(offset - 1, match - origin) >= 0) {
                this.literalLength = literalLength;
                this.matchLength = matchLength;
                completed = false;
                break;
            }
            MatchCopy.literals(literalBytes, literal, out, next, literalLength);
            // true if offset >= 8, so the word does not overlap itself, and matchLength <= shortMatch
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

    /** Checks and executes the last decoded sequence. */
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
