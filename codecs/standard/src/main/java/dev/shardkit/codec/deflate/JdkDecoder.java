package dev.shardkit.codec.deflate;

import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Output;
import java.util.OptionalInt;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Decodes streams with the JDK's Inflater. Not thread-safe. */
final class JdkDecoder implements AutoCloseable {
    private final Inflater inflater;
    private final byte[] surplus = new byte[1];

    JdkDecoder(DeflateFormat format) {
        this.inflater = new Inflater(format.isRaw());
    }

    /**
     * Decodes a stream, as {@link StreamDecoder#decode} does. Empty if the stream is malformed or larger than the room;
     * then the output may hold a part of it.
     */
    OptionalInt decode(HeapBytes in, int from, Output out) {
        inflater.reset();
        inflater.setInput(in.array(), from, in.to() - from);
        try {
            while (!inflater.finished()) {
                if (!inflate(out)) {
                    return OptionalInt.empty();
                }
            }
            return OptionalInt.of(in.to() - inflater.getRemaining());
        } catch (DataFormatException e) {
            return OptionalInt.empty();
        } finally {
            inflater.setInput(new byte[0]); // releases the caller's array
        }
    }

    /** Returns false if the stream asks for a dictionary, ends early or does not fit. */
    private boolean inflate(Output out) throws DataFormatException {
        if (out.size() < out.capacity() || out.grow()) {
            int n = inflater.inflate(out.array(), out.size(), out.capacity() - out.size());
            out.advance(n);
            return n > 0 || inflater.finished();
        }
        // the room is exact, and the end of the stream may follow
        return inflater.inflate(surplus) == 0 && inflater.finished();
    }

    @Override
    public void close() {
        inflater.end();
    }
}
