package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.kernel.Copies;
import dev.shardkit.spi.kernel.Words;

/**
 * The sequences of a block (RFC 8878, section 3.1.1.3.2): reads their header and tables, then decodes and executes
 * them. Tables and the last three offsets carry over from block to block of a frame. Not thread-safe.
 */
final class Sequences {
    private static final int MOST_STATE_BITS = 26;
    private static final int WORD_BITS = 57;

    private final long[] entries = new long[512 + 512 + 256];
    private final SequenceTable literalLengthTable = new SequenceTable(Codes.LITERAL_LENGTHS, entries, 0);
    private final SequenceTable matchLengthTable = new SequenceTable(Codes.MATCH_LENGTHS, entries, 512);
    private final SequenceTable offsetTable = new SequenceTable(Codes.OFFSETS, entries, 1024);

    private int offset1 = 1;
    private int offset2 = 4;
    private int offset3 = 8;

    private int literalsUsed;
    private int left;
    private int start;
    private int bits;
    private int literalLengthState;
    private int offsetState;
    private int matchLengthState;

    /** Begins a frame with the tables and offsets of its dictionary, or without tables and with the usual offsets. */
    void reset(Sequences initial) {
        literalLengthTable.reset(initial.literalLengthTable);
        offsetTable.reset(initial.offsetTable);
        matchLengthTable.reset(initial.matchLengthTable);
        offset1 = initial.offset1;
        offset2 = initial.offset2;
        offset3 = initial.offset3;
    }

    /** Reads the tables and offsets of a dictionary (RFC 8878, section 5); returns the start of its content. */
    int readDictionary(byte[] in, int from, int to) {
        int at = offsetTable.read(SequenceTable.COMPRESSED, in, from, to);
        at = matchLengthTable.read(SequenceTable.COMPRESSED, in, at, to);
        at = literalLengthTable.read(SequenceTable.COMPRESSED, in, at, to);
        int content = at + 3 * Integer.BYTES;
        if (content > to) {
            throw new Malformed(at, "expected three offsets, found " + (to - at) + " bytes");
        }
        offset1 = offset(in, at, to - content);
        offset2 = offset(in, at + Integer.BYTES, to - content);
        offset3 = offset(in, at + 2 * Integer.BYTES, to - content);
        return content;
    }

    private static int offset(byte[] in, int at, int most) {
        int offset = Words.int32(in, at);
        if (offset < 1 || offset > most) {
            throw new Malformed(
                    at, "expected an offset of 1 to " + most + ", found " + Integer.toUnsignedString(offset));
        }
        return offset;
    }

    /** Opens the section from {@code from} to {@code to}. */
    void open(byte[] in, int from, int to) {
        int first = u8(in, from, to);
        int at = from + 1;
        if (first < 128) {
            left = first;
        } else if (first < 255) {
            left = (first - 128 << 8) + u8(in, at++, to);
        } else {
            left = u8(in, at, to) + (u8(in, at + 1, to) << 8) + 0x7F00;
            at += 2;
        }
        if (left == 0) {
            if (at != to) {
                throw new Malformed(
                        at, "expected the end of a block without sequences, found " + (to - at) + " more bytes");
            }
            return;
        }
        int modes = u8(in, at++, to);
        if ((modes & 3) != 0) {
            throw new Malformed(
                    at - 1, "expected the reserved bits of the compression modes unset, found " + (modes & 3));
        }
        at = literalLengthTable.read(modes >> 6, in, at, to);
        at = offsetTable.read(modes >> 4 & 3, in, at, to);
        at = matchLengthTable.read(modes >> 2 & 3, in, at, to);
        begin(in, at, to);
    }

    private static int u8(byte[] in, int at, int to) {
        if (at >= to) {
            throw new Malformed(at, "expected a header of sequences, found the end of the block");
        }
        return in[at] & 0xff;
    }

    private void begin(byte[] in, int from, int to) {
        int l = literalLengthTable.log();
        int o = offsetTable.log();
        int m = matchLengthTable.log();
        start = from;
        bits = BackwardBits.count(in, from, to) - l - o - m;
        if (bits < 0) {
            throw new Malformed(from, "expected three states of " + (l + o + m) + " bits, found the end of the stream");
        }
        literalLengthState = literalLengthTable.first(BackwardBits.read(in, from, bits + o + m, l));
        offsetState = offsetTable.first(BackwardBits.read(in, from, bits + m, o));
        matchLengthState = matchLengthTable.first(BackwardBits.read(in, from, bits, m));
    }

    /**
     * Decodes and executes all sequences; returns the end of their output. One loop does both: copies run while the
     * next sequence is loaded; separate loops took 1.7 times as long.
     *
     * @param literals the literals of the block; {@link #literalsUsed} returns how many were used
     * @param origin the first byte of {@code out} that matches may refer to
     * @param outAt the start of the block's content
     * @param limit the maximum end of the content
     * @param end the end of the writable memory
     * @param stop decoding may stop from here on
     * @throws RoomExceeded if the content exceeds {@code limit}
     */
    int run(byte[] in, Literals literals, byte[] out, int origin, int outAt, int limit, int end, int stop) {
        long[] table = entries;
        byte[] literalBytes = literals.bytes();
        int literalEnd = literals.size();
        int literal = 0;
        int next = outAt;
        int from = start;
        int at = bits;
        int ls = literalLengthState;
        int os = offsetState;
        int ms = matchLengthState;
        int o1 = offset1;
        int o2 = offset2;
        int o3 = offset3;
        int fastEnd = Math.min(limit, end - Copies.SLACK);
        int i = left;
        while (i > 0 && next < stop) {
            long l = table[ls];
            long m = table[ms];
            long o = table[os];
            int lb = (int) (l >>> 32);
            int mb = (int) (m >>> 32);
            int ob = (int) (o >>> 32);
            int sum = lb + mb + ob; // extra bits in its lowest byte, state bits in the next
            long w = BackwardBits.word(in, from, at);
            int offset = (int) o + (int) (w >>> 1 >>> ~ob);
            w <<= ob;
            int matchLength = (int) m;
            int literalLength = (int) l;
            if ((lb + mb & 0xff) != 0) {
                matchLength += (int) (w >>> 1 >>> ~mb);
                w <<= mb;
                if ((sum & 0xff) > WORD_BITS - MOST_STATE_BITS) {
                    at -= ob + mb & 0xff;
                    if (at < 0) {
                        break;
                    }
                    w = BackwardBits.word(in, from, at);
                    at += ob + mb & 0xff;
                }
                literalLength += (int) (w >>> 1 >>> ~lb);
                w <<= lb;
            }
            at -= (sum & 0xff) + (sum >> 8 & 0xff);
            ls = (int) (l >>> 48) + (int) (w >>> 1 >>> ~(lb >> 8));
            w <<= lb >> 8;
            ms = (int) (m >>> 48) + (int) (w >>> 1 >>> ~(mb >> 8));
            w <<= mb >> 8;
            os = (int) (o >>> 48) + (int) (w >>> 1 >>> ~(ob >> 8));

            if ((ob & 0xff) > 1) {
                offset -= 3;
                o3 = o2;
                o2 = o1;
                o1 = offset;
            } else {
                int which = offset - (literalLength == 0 ? 0 : 1);
                if (which == 0) {
                    offset = o1;
                } else {
                    offset = which == 1 ? o2 : which == 2 ? o3 : o1 - 1;
                    o3 = which == 1 ? o3 : o2;
                    o2 = o1;
                    o1 = offset;
                }
            }
            i--;
            if (i == 0) {
                at += sum >> 8 & 0xff; // the last sequence of a block has no next states
            }
            if (at < 0) {
                break;
            }
            int match = next + literalLength;
            if (literalLength > literalEnd - literal || offset <= 0 || offset > match - origin) {
                throw broken(literalEnd - literal, literalLength, offset, match - origin);
            }
            if (literalLength + matchLength <= fastEnd - next) {
                Copies.literals(literalBytes, literal, out, next, literalLength);
                Copies.match(out, match, offset, matchLength);
            } else {
                if (literalLength + matchLength > limit - next) {
                    throw new RoomExceeded();
                }
                System.arraycopy(literalBytes, literal, out, next, literalLength);
                Copies.exactMatch(out, match, offset, matchLength);
            }
            literal += literalLength;
            next = match + matchLength;
        }
        if (next < stop && (at != 0 && left != 0 || i > 0)) {
            throw new Malformed(
                    start,
                    "expected a stream that ends with its last sequence, found " + (at < 0 ? "too few" : at + " more")
                            + " bits");
        }
        literalsUsed = literal;
        offset1 = o1;
        offset2 = o2;
        offset3 = o3;
        return next;
    }

    /** Returns the number of literals that the sequences used; the rest follows them. */
    int literalsUsed() {
        return literalsUsed;
    }

    private Malformed broken(int literalsLeft, int literalLength, int offset, int most) {
        return new Malformed(
                start,
                literalLength > literalsLeft
                        ? "expected " + literalLength + " more literals, found " + literalsLeft
                        : "expected an offset of 1 to " + most + ", found " + Integer.toUnsignedString(offset));
    }
}
