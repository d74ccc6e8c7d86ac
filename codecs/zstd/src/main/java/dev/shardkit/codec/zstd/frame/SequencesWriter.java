package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.kernel.Words;

/** Writes the sequences section of a block (RFC 8878, section 3.1.1.3.2). Reused; not thread-safe. */
final class SequencesWriter {
    private static final int TWO_BYTES = 128;
    private static final int THREE_BYTES = 0x7F00;
    private static final int SHORTEST_MATCH = 3;
    /** Symbols of shorter lengths are looked up; others follow from the highest bit. */
    private static final int LONG_LITERALS = 64;

    private static final int LONG_MATCH = 128;
    private static final byte[] OF_LITERALS = symbols(Codes.LITERAL_LENGTHS, LONG_LITERALS, 0);
    private static final byte[] OF_MATCHES = symbols(Codes.MATCH_LENGTHS, LONG_MATCH, SHORTEST_MATCH);
    private static final int[] LITERAL_BITS = bits(Codes.LITERAL_LENGTHS);
    private static final int[] MATCH_BITS = bits(Codes.MATCH_LENGTHS);

    private final SequenceCode literalLengths = new SequenceCode(Codes.LITERAL_LENGTHS);
    private final SequenceCode offsets = new SequenceCode(Codes.OFFSETS);
    private final SequenceCode matchLengths = new SequenceCode(Codes.MATCH_LENGTHS);

    private static byte[] symbols(Codes codes, int below, int shift) {
        byte[] symbols = new byte[below];
        int symbol = 0;
        for (int value = 0; value < below; value++) {
            while (symbol + 1 < codes.size() && FseTable.base(codes.meaning(symbol + 1)) <= value + shift) {
                symbol++;
            }
            symbols[value] = (byte) symbol;
        }
        return symbols;
    }

    private static int[] bits(Codes codes) {
        int[] bits = new int[codes.size()];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = (int) (codes.meaning(i) >>> 32) & 0xff;
        }
        return bits;
    }

    private static int ofLiterals(int length) {
        return length < LONG_LITERALS ? OF_LITERALS[length] : 50 - Integer.numberOfLeadingZeros(length);
    }

    /** Returns the symbol of a match that is {@code more} bytes longer than the minimum. */
    private static int ofMatch(int more) {
        return more < LONG_MATCH ? OF_MATCHES[more] : 67 - Integer.numberOfLeadingZeros(more);
    }

    private static int ofOffset(int value) {
        return 31 - Integer.numberOfLeadingZeros(value);
    }

    /** Writes the sequences to {@code start}; returns their end, or -1 if it is after {@code limit}. */
    int write(Parts parts, byte[] out, int start, int limit) {
        int n = parts.count();
        int at = start;
        if (n < TWO_BYTES) {
            out[at++] = (byte) n;
        } else if (n < THREE_BYTES) {
            out[at++] = (byte) ((n >> 8) + TWO_BYTES);
            out[at++] = (byte) n;
        } else {
            out[at++] = (byte) 255;
            Words.int16(out, at, n - THREE_BYTES);
            at += 2;
        }
        if (n == 0) {
            return at <= limit ? at : -1;
        }
        count(parts);
        int modes = at++;
        at = literalLengths.write(out, at);
        at = offsets.write(out, at);
        at = matchLengths.write(out, at);
        out[modes] = (byte) (literalLengths.mode() << 6 | offsets.mode() << 4 | matchLengths.mode() << 2);
        return at <= limit ? stream(parts.sequences(), n, out, at, limit) : -1;
    }

    private void count(Parts parts) {
        literalLengths.histogram().clear();
        offsets.histogram().clear();
        matchLengths.histogram().clear();
        int[] literalCounts = literalLengths.histogram().counts();
        int[] offsetCounts = offsets.histogram().counts();
        int[] matchCounts = matchLengths.histogram().counts();
        long[] sequences = parts.sequences();
        for (int i = 0; i < parts.count(); i++) {
            long sequence = sequences[i];
            literalCounts[ofLiterals(Parts.literalLength(sequence))]++;
            offsetCounts[ofOffset(Parts.offsetValue(sequence))]++;
            matchCounts[ofMatch(Parts.matchLength(sequence) - SHORTEST_MATCH)]++;
        }
        literalLengths.histogram().sum();
        offsets.histogram().sum();
        matchLengths.histogram().sum();
    }

    /** Writes the stream of all sequences, the last one first. */
    private int stream(long[] sequences, int count, byte[] out, int start, int limit) {
        BitWriter bits = new BitWriter(out, start);
        long last = sequences[count - 1];
        FseState literals = new FseState(literalLengths.code(), ofLiterals(Parts.literalLength(last)));
        FseState offset = new FseState(offsets.code(), ofOffset(Parts.offsetValue(last)));
        FseState match = new FseState(matchLengths.code(), ofMatch(Parts.matchLength(last) - SHORTEST_MATCH));
        extras(last, bits);
        for (int i = count - 2; i >= 0 && bits.at() <= limit; i--) {
            long sequence = sequences[i];
            offset.add(ofOffset(Parts.offsetValue(sequence)), bits);
            match.add(ofMatch(Parts.matchLength(sequence) - SHORTEST_MATCH), bits);
            literals.add(ofLiterals(Parts.literalLength(sequence)), bits);
            extras(sequence, bits);
        }
        if (bits.at() > limit) {
            return -1;
        }
        match.finish(bits);
        offset.finish(bits);
        literals.finish(bits);
        int end = bits.marked();
        return end <= limit ? end : -1;
    }

    /** Writes the extra bits. */
    private static void extras(long sequence, BitWriter bits) {
        int literalLength = Parts.literalLength(sequence);
        int more = Parts.matchLength(sequence) - SHORTEST_MATCH;
        int value = Parts.offsetValue(sequence);
        bits.add(literalLength, LITERAL_BITS[ofLiterals(literalLength)]);
        bits.flush(); // at most 7 + 8 + 9 + 9 + 16 bits, then fewer than 7 + 16 + 32
        bits.add(more, MATCH_BITS[ofMatch(more)]);
        bits.add(value, ofOffset(value));
        bits.flush();
    }
}
