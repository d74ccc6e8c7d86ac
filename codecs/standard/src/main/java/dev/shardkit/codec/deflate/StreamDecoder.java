package dev.shardkit.codec.deflate;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Decodes streams of one format, with the JDK's Inflater or with {@link DeflateDecoder}, as {@link DecoderChoice} says.
 * Both accept the same streams. One per worker; not thread-safe.
 */
public final class StreamDecoder implements AutoCloseable {
    private final DeflateFormat format;
    private final DecoderChoice choice;
    // created when they are first needed
    private final List<JdkDecoder> jdk = new ArrayList<>(1);
    private final List<DeflateDecoder> own = new ArrayList<>(1);

    /** Creates a decoder for one worker. */
    public StreamDecoder(DeflateFormat format) {
        this(format, DecoderChoice.OF_PROCESS);
    }

    StreamDecoder(DeflateFormat format, DecoderChoice choice) {
        this.format = format;
        this.choice = choice;
    }

    /**
     * Decodes the stream that starts at index {@code from}. Matches reach back only to the first byte of this stream.
     *
     * @param what the name of the codec, for errors
     * @return the index of the first byte after the stream
     * @throws CorruptDataException if the stream is malformed, or larger than expected; as a
     *     {@link dev.shardkit.spi.error.ChecksumException} if the Adler-32 of a zlib stream does not match
     */
    public int decode(HeapBytes in, int from, Output out, DecodedSize expected, String what) {
        int start = out.size();
        int end = choice.isOwn() ? own(in, from, out, expected, what) : inflated(in, from, out, expected, what);
        if (out.size() - start > expected.most()) {
            throw Output.tooMuch(expected, what);
        }
        return end;
    }

    private int own(HeapBytes in, int from, Output out, DecodedSize expected, String what) {
        DeflateDecoder decoder = own();
        int end = decoder.decode(in, from, out, expected, what);
        choice.decoded(end - from, end - from - decoder.stored());
        return end;
    }

    /** Uses our decoder for what the Inflater refuses, so that errors do not depend on the choice. */
    private int inflated(HeapBytes in, int from, Output out, DecodedSize expected, String what) {
        int start = out.size();
        OptionalInt end = jdk().decode(in, from, out);
        if (end.isEmpty()) {
            out.advance(start - out.size());
            return own().decode(in, from, out, expected, what);
        }
        choice.inflated(end.getAsInt() - from);
        return end.getAsInt();
    }

    private DeflateDecoder own() {
        if (own.isEmpty()) {
            own.add(new DeflateDecoder(format));
        }
        return own.get(0);
    }

    private JdkDecoder jdk() {
        if (jdk.isEmpty()) {
            jdk.add(new JdkDecoder(format));
        }
        return jdk.get(0);
    }

    @Override
    public void close() {
        jdk.forEach(JdkDecoder::close);
        jdk.clear();
    }
}
