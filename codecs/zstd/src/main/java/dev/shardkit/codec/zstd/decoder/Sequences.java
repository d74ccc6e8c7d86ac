package dev.shardkit.codec.zstd.decoder;

import dev.shardkit.codec.zstd.entropy.BackwardBits;
import dev.shardkit.codec.zstd.entropy.SymbolBaselines;
import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.spi.bytes.Words;

/**
 * The sequences of a zstd block (RFC 8878, section 3.1.1.3.2): reads their header and tables for a
 * {@link SequenceLoop}, which decodes and executes them. Tables carry over from block to block of a frame. Not
 * thread-safe.
 */
final class Sequences {
    /** The minimum number of sequences for which it saves time to check whether nearly all matches are short. */
    private static final int MANY = 512;

    /** The entries of all three tables, at their maximum sizes. */
    private final long[] entries = new long[512 + 512 + 256];

    private final SequenceTable literalLengthTable = new SequenceTable(SymbolBaselines.LITERAL_LENGTHS, entries, 0);
    private final SequenceTable matchLengthTable = new SequenceTable(SymbolBaselines.MATCH_LENGTHS, entries, 512);
    private final SequenceTable offsetTable = new SequenceTable(SymbolBaselines.OFFSETS, entries, 1024);

    private final SequenceLoop loop = new SequenceLoop(entries);

    /** Begins a frame with the tables and repeated offsets of its dictionary, or with those of no dictionary. */
    void reset(Sequences initial) {
        literalLengthTable.reset(initial.literalLengthTable);
        offsetTable.reset(initial.offsetTable);
        matchLengthTable.reset(initial.matchLengthTable);
        loop.offsets(initial.loop);
    }

    /** Reads the tables and offsets of a dictionary (RFC 8878, section 5); returns the start of its content. */
    int readDictionary(byte[] in, int from, int to) {
        int position = offsetTable.read(SequenceTable.COMPRESSED, in, from, to);
        position = matchLengthTable.read(SequenceTable.COMPRESSED, in, position, to);
        position = literalLengthTable.read(SequenceTable.COMPRESSED, in, position, to);
        int content = position + 3 * Integer.BYTES;
        if (content > to) {
            throw new MalformedFrame(position, "expected three offsets, found " + (to - position) + " bytes");
        }
        loop.offsets(
                offset(in, position, to - content),
                offset(in, position + Integer.BYTES, to - content),
                offset(in, position + 2 * Integer.BYTES, to - content));
        return content;
    }

    /** Reads one of the repeated offsets of a dictionary. */
    private static int offset(byte[] in, int position, int maximum) {
        int offset = Words.int32(in, position);
        if (offset < 1 || offset > maximum) {
            throw new MalformedFrame(
                    position, "expected an offset of 1 to " + maximum + ", found " + Integer.toUnsignedString(offset));
        }
        return offset;
    }

    /** Opens the section from {@code from} to {@code to}; returns the loop over its sequences. */
    SequenceLoop open(byte[] in, int from, int to) {
        int first = u8(in, from, to);
        int position = from + 1;
        int remaining; // the number of sequences, in one, two or three bytes
        if (first < 128) {
            remaining = first;
        } else if (first < 255) {
            remaining = (first - 128 << 8) + u8(in, position++, to);
        } else {
            remaining = u8(in, position, to) + (u8(in, position + 1, to) << 8) + 0x7F00;
            position += 2;
        }
        if (remaining == 0) {
            if (position != to) {
                throw new MalformedFrame(
                        position,
                        "expected the end of a block without sequences, found " + (to - position) + " more bytes");
            }
            loop.none();
            return loop;
        }
        int modes = u8(in, position++, to);
        if ((modes & 3) != 0) {
            throw new MalformedFrame(
                    position - 1, "expected the reserved bits of the compression modes unset, found " + (modes & 3));
        }
        position = literalLengthTable.read(modes >> 6, in, position, to);
        position = offsetTable.read(modes >> 4 & 3, in, position, to);
        position = matchLengthTable.read(modes >> 2 & 3, in, position, to);
        begin(remaining, in, position, to);
        return loop;
    }

    private static int u8(byte[] in, int offset, int to) {
        if (offset >= to) {
            throw new MalformedFrame(offset, "expected a header of sequences, found the end of the block");
        }
        return in[offset] & 0xff;
    }

    /** Reads the first state of each table, and opens the loop over {@code count} sequences. */
    private void begin(int count, byte[] in, int from, int to) {
        int literalBits = literalLengthTable.log();
        int offsetBits = offsetTable.log();
        int matchBits = matchLengthTable.log();
        int stateBits = literalBits + offsetBits + matchBits;
        int bits = BackwardBits.count(in, from, to) - stateBits;
        if (bits < 0) {
            throw new MalformedFrame(
                    from, "expected three states of " + stateBits + " bits, found the end of the stream");
        }
        boolean shortMatches = count >= MANY && matchLengthTable.nearlyAllUpTo(Long.BYTES);
        loop.open(count, shortMatches ? Long.BYTES : 0, from, bits);
        loop.states(
                literalLengthTable.firstState(BackwardBits.read(in, from, bits + offsetBits + matchBits, literalBits)),
                offsetTable.firstState(BackwardBits.read(in, from, bits + matchBits, offsetBits)),
                matchLengthTable.firstState(BackwardBits.read(in, from, bits, matchBits)));
    }
}
