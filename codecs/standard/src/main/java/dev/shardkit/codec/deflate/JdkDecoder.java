package dev.shardkit.codec.deflate;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Output;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Decodes streams with the JDK's Inflater. Not thread-safe. */
final class JdkDecoder implements AutoCloseable {
    private final DeflateFormat format;
    private final Inflater inflater;
    private final byte[] surplus = new byte[1];

    JdkDecoder(DeflateFormat format) {
        this.format = format;
        this.inflater = new Inflater(format.isRaw());
    }

    /** Decodes a stream, as {@link StreamDecoder#decode} does. */
    int decode(HeapBytes in, int from, Output out, DecodedSize expected, String what) {
        inflater.reset();
        inflater.setInput(in.array(), from, in.to() - from);
        try {
            while (!inflater.finished()) {
                inflate(out, expected, what);
            }
            return in.to() - inflater.getRemaining();
        } catch (DataFormatException e) {
            String why = String.valueOf(e.getMessage());
            throw why.contains("data check")
                    ? new ChecksumException(what + ": the Adler-32 does not match", e)
                    : new CorruptDataException(what + ": not a valid " + format.title() + " stream: " + why, e);
        } finally {
            inflater.setInput(new byte[0]); // releases the caller's array
        }
    }

    private void inflate(Output out, DecodedSize expected, String what) throws DataFormatException {
        int n;
        if (out.size() < out.capacity() || out.grow()) {
            n = inflater.inflate(out.array(), out.size(), out.capacity() - out.size());
            out.advance(n);
        } else { // the room is exact, and the end of the stream may follow
            n = inflater.inflate(surplus);
            if (n > 0) {
                throw Output.tooMuch(expected, what);
            }
        }
        if (n == 0 && inflater.needsDictionary()) {
            throw new CorruptDataException(what + ": the stream asks for a preset dictionary, expected none");
        } else if (n == 0 && !inflater.finished()) {
            throw new CorruptDataException(what + ": the stream ends early, after " + out.size() + " decoded bytes");
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
