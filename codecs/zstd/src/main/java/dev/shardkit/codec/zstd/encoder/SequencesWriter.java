package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.codec.zstd.entropy.BitWriter;
import dev.shardkit.codec.zstd.entropy.FseCode;
import dev.shardkit.codec.zstd.entropy.FseEncoderState;
import dev.shardkit.codec.zstd.entropy.FseTable;
import dev.shardkit.codec.zstd.entropy.SymbolBaselines;
import dev.shardkit.spi.bytes.Words;

/**
 * Writes the sequences section of a zstd block (RFC 8878, section 3.1.1.3.2). A literal length, an offset or a match
 * length is a symbol of an FSE code and some extra bits, which {@link SymbolBaselines} lists. Reused; not thread-safe.
 */
final class SequencesWriter {
    /** From this number of sequences on, the number is written in two bytes. */
    private static final int TWO_BYTES = 128;
    /** From this number of sequences on, the number is written in three bytes. */
    private static final int THREE_BYTES = 0x7F00;

    private static final int SHORTEST_MATCH = 3;
    /** The symbols of shorter literal lengths are looked up. From this one on, each power of two has one symbol. */
    private static final int LONG_LITERALS = 64;
    /** The same for match lengths minus the shortest one. */
    private static final int LONG_MATCH = 128;

    // The symbols of short lengths, and the number of extra bits of each symbol.
    private static final byte[] OF_LITERALS = symbols(SymbolBaselines.LITERAL_LENGTHS, LONG_LITERALS, 0);
    private static final byte[] OF_MATCHES = symbols(SymbolBaselines.MATCH_LENGTHS, LONG_MATCH, SHORTEST_MATCH);
    private static final int[] LITERAL_BITS = bits(SymbolBaselines.LITERAL_LENGTHS);
    private static final int[] MATCH_BITS = bits(SymbolBaselines.MATCH_LENGTHS);

    private final SequenceTableEncoder literalLengths = new SequenceTableEncoder(SymbolBaselines.LITERAL_LENGTHS);
    private final SequenceTableEncoder offsets = new SequenceTableEncoder(SymbolBaselines.OFFSETS);
    private final SequenceTableEncoder matchLengths = new SequenceTableEncoder(SymbolBaselines.MATCH_LENGTHS);

    /** The three symbols of each sequence, in 8 bits each: literal length, offset, match length. */
    private int[] symbols = {};

    /** Returns the symbols of the values {@code shift} to {@code shift + count - 1}. */
    private static byte[] symbols(SymbolBaselines codes, int count, int shift) {
        byte[] symbols = new byte[count];
        int symbol = 0;
        for (int value = 0; value < count; value++) {
            while (symbol + 1 < codes.size() && FseTable.base(codes.meaning(symbol + 1)) <= value + shift) {
                symbol++;
            }
            symbols[value] = (byte) symbol;
        }
        return symbols;
    }

    /** Returns the number of extra bits of each symbol. */
    private static int[] bits(SymbolBaselines codes) {
        int[] bits = new int[codes.size()];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = (int) (codes.meaning(i) >>> 32) & 0xff;
        }
        return bits;
    }

    /** Returns the symbol of a number of literals. */
    private static int ofLiterals(int length) {
        return length < LONG_LITERALS ? OF_LITERALS[length] : 50 - Integer.numberOfLeadingZeros(length);
    }

    /** Returns the symbol of a match that is {@code length} bytes longer than the minimum. */
    private static int ofMatch(int length) {
        return length < LONG_MATCH ? OF_MATCHES[length] : 67 - Integer.numberOfLeadingZeros(length);
    }

    /** Returns the symbol of an offset in the encoded form: the number of its bits after the leading one. */
    private static int ofOffset(int value) {
        return 31 - Integer.numberOfLeadingZeros(value);
    }

    /** Writes the sequences to {@code start}; returns their end, or -1 if it is after {@code limit}. */
    int write(BlockSequences parts, byte[] out, int start, int limit) {
        int count = parts.count();
        int position = start;
        if (count < TWO_BYTES) {
            out[position++] = (byte) count;
        } else if (count < THREE_BYTES) {
            out[position++] = (byte) ((count >> 8) + TWO_BYTES);
            out[position++] = (byte) count;
        } else {
            out[position++] = (byte) 255;
            Words.int16(out, position, count - THREE_BYTES);
            position += 2;
        }
        if (count == 0) {
            return position <= limit ? position : -1;
        }
        count(parts);
        int modes = position++;
        position = literalLengths.write(out, position);
        position = offsets.write(out, position);
        position = matchLengths.write(out, position);
        out[modes] = (byte) (literalLengths.mode() << 6 | offsets.mode() << 4 | matchLengths.mode() << 2);
        return position <= limit ? stream(parts.sequences(), count, out, position, limit) : -1;
    }

    /** Finds the symbols of all sequences, and counts them. */
    private void count(BlockSequences parts) {
        literalLengths.histogram().clear();
        offsets.histogram().clear();
        matchLengths.histogram().clear();
        int[] literalCounts = literalLengths.histogram().counts();
        int[] offsetCounts = offsets.histogram().counts();
        int[] matchCounts = matchLengths.histogram().counts();
        long[] sequences = parts.sequences();
        if (symbols.length < parts.count()) {
            symbols = new int[sequences.length];
        }
        int[] symbols = this.symbols;
        for (int i = 0; i < parts.count(); i++) {
            long sequence = sequences[i];
            int literal = ofLiterals(BlockSequences.literalLength(sequence));
            int offset = ofOffset(BlockSequences.offsetValue(sequence));
            int match = ofMatch(BlockSequences.matchLength(sequence) - SHORTEST_MATCH);
            literalCounts[literal]++;
            offsetCounts[offset]++;
            matchCounts[match]++;
            symbols[i] = literal | offset << 8 | match << 16;
        }
        literalLengths.histogram().sum();
        offsets.histogram().sum();
        matchLengths.histogram().sum();
    }

    /**
     * Writes the stream of all sequences, the last one first, because decoders read the stream from its end. This is
     * one method without objects, so that the JVM's compiler C2 keeps the three states and the bits in registers. That
     * takes a quarter less time than {@link FseEncoderState} and {@link BitWriter}.
     */
    private int stream(long[] sequences, int count, byte[] out, int start, int limit) {
        FseCode literals = literalLengths.code();
        FseCode matches = matchLengths.code();
        int[] literalNext = literals.next();
        int[] literalBits = literals.bitsOf();
        int[] literalShift = literals.nextOf();
        int[] offsetNext = offsets.code().next();
        int[] offsetBits = offsets.code().bitsOf();
        int[] offsetShift = offsets.code().nextOf();
        int[] matchNext = matches.next();
        int[] matchBits = matches.bitsOf();
        int[] matchShift = matches.nextOf();
        int[] symbols = this.symbols;
        int last = symbols[count - 1];
        int literal = literals.lastState(last & 0xff);
        int offset = offsets.code().lastState(last >> 8 & 0xff);
        int match = matches.lastState(last >> 16);
        int position = start;
        long bits = 0;
        int n = 0; // the number of bits that are not written yet
        for (int i = count - 1; i >= 0 && position <= limit; i--) {
            int ofLiteral = symbols[i] & 0xff;
            int ofOffset = symbols[i] >> 8 & 0xff;
            int ofMatch = symbols[i] >> 16;
            if (i < count - 1) { // advance the three states, each like FseEncoderState.add; k is a number of bits
                int k = offset + offsetBits[ofOffset] >> 16;
                int remaining = offset >> k;
                bits |= (long) (offset ^ remaining << k) << n;
                n += k;
                offset = offsetNext[remaining + offsetShift[ofOffset]];
                k = match + matchBits[ofMatch] >> 16;
                remaining = match >> k;
                bits |= (long) (match ^ remaining << k) << n;
                n += k;
                match = matchNext[remaining + matchShift[ofMatch]];
                k = literal + literalBits[ofLiteral] >> 16;
                remaining = literal >> k;
                bits |= (long) (literal ^ remaining << k) << n;
                n += k;
                literal = literalNext[remaining + literalShift[ofLiteral]];
            }
            long sequence = sequences[i];
            int k = LITERAL_BITS[ofLiteral];
            bits |= (sequence & (1L << k) - 1) << n; // the literal length is in the lowest bits
            n += k;
            k = MATCH_BITS[ofMatch];
            // So far n is at most 7 + 8 + 9 + 9 + 16: the rest of a byte, three states and a literal length. If the
            // next two numbers do not fit into 64 bits, whole bytes are stored first; then 7 + 16 + 32 bits do fit.
            if (n + k + ofOffset > 63) {
                Words.int64(out, position, bits);
                position += n >>> 3;
                bits >>>= n & ~7;
                n &= 7;
            }
            bits |= (BlockSequences.matchLength(sequence) - SHORTEST_MATCH & (1L << k) - 1) << n;
            n += k;
            bits |= (BlockSequences.offsetValue(sequence) & (1L << ofOffset) - 1) << n;
            n += ofOffset;
            Words.int64(out, position, bits);
            position += n >>> 3;
            bits >>>= n & ~7;
            n &= 7;
        }
        return position > limit
                ? -1
                : writeEnd(new BitWriter(out, position), (int) bits, n, match, offset, literal, limit);
    }

    /**
     * Writes the remaining bits and the final states; returns their end, or -1 if it is after {@code limit}.
     *
     * @param remainingCount the number of bits in {@code remaining}
     */
    private int writeEnd(
            BitWriter bits, int remaining, int remainingCount, int match, int offset, int literal, int limit) {
        bits.put(remaining, remainingCount);
        bits.put(match, matchLengths.code().log());
        bits.put(offset, offsets.code().log());
        bits.put(literal, literalLengths.code().log());
        int end = bits.marked();
        return end <= limit ? end : -1;
    }
}
