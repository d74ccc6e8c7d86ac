package dev.shardkit.codec.zstd.decoder;

/**
 * Decodes compressed blocks (RFC 8878, section 3.1.1.3): first the literals, then the sequences, which combine literals
 * and earlier output. Keeps the tables and repeated offsets that a block of a frame leaves for the next block. Not
 * thread-safe.
 */
public final class ZstdBlockDecoder {
    private final Literals literals = new Literals();
    private final Sequences sequences = new Sequences();
    private int dictionarySize;

    /** Begins a frame with the state that its dictionary prescribes. */
    public void reset(ZstdDictionary dictionary) {
        literals.reset(dictionary.huffman());
        sequences.reset(dictionary.sequences());
        dictionarySize = dictionary.contentSize();
    }

    /**
     * Decodes the block from {@code from} to {@code to}; returns the end of its content.
     *
     * @param origin the start of the frame's content in {@code out}; the content of the dictionary lies before it
     * @param offset the start of the block's content
     * @param limit the maximum end of the content
     * @param end the end of the writable memory; bytes from {@code limit} on may be overwritten
     * @param stopAfter decoding may stop when the content reaches this index, with arbitrary bytes after it
     * @throws BlockLimitExceeded if the content exceeds {@code limit}
     */
    public int decode(
            byte[] in, int from, int to, byte[] out, int origin, int offset, int limit, int end, int stopAfter) {
        int start = literals.read(in, from, to, stopAfter - offset);
        SequenceLoop loop = sequences.open(in, start, to);
        int next = loop.run(in, literals, out, origin - dictionarySize, offset, limit, end, stopAfter);
        if (next >= stopAfter) {
            return next;
        }
        int usedLiterals = loop.literalsUsed();
        int remaining = literals.size() - usedLiterals;
        if (remaining > limit - next) {
            throw new BlockLimitExceeded();
        }
        System.arraycopy(literals.bytes(), usedLiterals, out, next, remaining);
        return next + remaining;
    }
}
