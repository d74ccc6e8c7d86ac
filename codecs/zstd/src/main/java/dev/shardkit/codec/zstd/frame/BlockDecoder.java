package dev.shardkit.codec.zstd.frame;

/**
 * Decodes compressed blocks (RFC 8878, section 3.1.1.3): literals first, then the sequences that say how they and what
 * came before are put together. Keeps what one block of a frame leaves to the next. Not thread-safe.
 */
final class BlockDecoder {
    private final Literals literals = new Literals();
    private final Sequences sequences = new Sequences();

    /** Forgets the last frame. */
    void reset() {
        literals.reset();
        sequences.reset();
    }

    /**
     * Decodes the block from {@code from} to {@code to}; gives where what it holds ends.
     *
     * @param origin where what the frame holds begins in {@code out}
     * @param at where what the block holds begins
     * @param limit where it must end at the latest
     * @param end where memory ends that may be written to: anything may be left between {@code limit} and it
     * @param stop from where on nothing is wanted: there it may end too, and behind it anything may be
     * @throws RoomExceeded if it does not end before {@code limit}
     */
    int decode(byte[] in, int from, int to, byte[] out, int origin, int at, int limit, int end, int stop) {
        int start = literals.read(in, from, to, stop - at);
        sequences.open(in, start, to);
        int next = sequences.run(in, literals, out, origin, at, limit, end, stop);
        if (next >= stop) {
            return next;
        }
        int used = sequences.literalsUsed();
        int rest = literals.size() - used;
        if (rest > limit - next) {
            throw new RoomExceeded();
        }
        System.arraycopy(literals.bytes(), used, out, next, rest);
        return next + rest;
    }
}
