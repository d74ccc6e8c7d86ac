package dev.shardkit.codec.lzma;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.tukaani.xz.FilterOptions;
import org.tukaani.xz.FinishableOutputStream;
import org.tukaani.xz.FinishableWrapperOutputStream;
import org.tukaani.xz.LZMAInputStream;
import org.tukaani.xz.LZMAOutputStream;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * The codec {@code numcodecs.lzma}: the formats of Python's {@code lzma} module, by XZ for Java. These are .xz with
 * concatenated streams, the older .lzma, and raw LZMA2. Before decoding, the dictionary sizes that a stream states are
 * lowered to the maximum size of its content, because the decoder allocates them. Immutable and thread-safe.
 *
 * @param format the container
 * @param check the kind of checksum in the container
 * @param filters the filters, which only raw streams need for reading
 */
public record LzmaCodec(Format format, Check check, LzmaFilters filters) implements BytesToBytesCodec {
    public static final String NAME = "numcodecs.lzma";
    /** The memory limit of a decoder, in KiB: enough for the dictionary of preset 9, which has 64 MiB. */
    private static final int MEMORY_LIMIT_KIB = 100 << 10;

    private static final int SMALLEST_DICTIONARY = 4 << 10;
    /** The offset of the dictionary's size in a .lzma stream. */
    private static final int DICTIONARY_OFFSET = 1;

    /** The containers, with the numbers of Python's constants; {@code ALONE} is .lzma. */
    public enum Format {
        XZ(1),
        ALONE(2),
        RAW(3);

        final int number;

        Format(int number) {
            this.number = number;
        }
    }

    /** The kinds of checksum in .xz, with the numbers of Python's constants; {@code USUAL} means CRC-64. */
    public enum Check {
        USUAL(-1),
        NONE(0),
        CRC32(1),
        CRC64(4),
        SHA256(10);

        public final int number;

        Check(int number) {
            this.number = number;
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with("format", Json.of(format.number))
                .with("check", Json.of(check.number))
                .with("preset", filters.preset())
                .with("filters", filters.json());
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        return JavaStreamCodecs.encode(decoded, scratch, NAME, out -> encoder(out, decoded.size()));
    }

    /** Opens an encoder of this format; applies the filters from the last to the first. */
    private OutputStream encoder(OutputStream out, long size) throws IOException {
        FilterOptions[] options = filters.encoding(size);
        switch (format) {
            case XZ:
                return new XZOutputStream(out, options, check == Check.USUAL ? Check.CRC64.number : check.number);
            case ALONE:
                long unknownSize = -1; // the stream then ends with a marker
                return new LZMAOutputStream(out, LzmaFilters.last(options), unknownSize);
            default:
                FinishableOutputStream raw = new FinishableWrapperOutputStream(out);
                for (int i = options.length - 1; i >= 0; i--) {
                    raw = options[i].getOutputStream(raw);
                }
                return raw;
        }
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        long maxDictionary = Math.max(SMALLEST_DICTIONARY, expected.maxBytes());
        HeapBytes bounded =
                switch (format) {
                    case XZ -> XzDictionaries.bounded(in, maxDictionary, scratch);
                    case ALONE -> boundedAlone(in, maxDictionary, scratch);
                    case RAW -> in;
                };
        return JavaStreamCodecs.decode(bounded, expected, scratch, NAME, stream -> decoder(stream, maxDictionary));
    }

    /** Opens a decoder of this format. Only raw streams need the configured filters. */
    private InputStream decoder(InputStream in, long maxDictionary) throws IOException {
        switch (format) {
            case XZ:
                return new XZInputStream(in, MEMORY_LIMIT_KIB);
            case ALONE:
                return new LZMAInputStream(in, MEMORY_LIMIT_KIB);
            default:
                FilterOptions[] options = filters.decoding(maxDictionary);
                InputStream raw = in;
                for (int i = options.length - 1; i >= 0; i--) {
                    raw = options[i].getInputStream(raw);
                }
                return raw;
        }
    }

    /** Returns a copy of a .lzma stream whose dictionary is no larger than {@code maximum} bytes. */
    private static HeapBytes boundedAlone(HeapBytes in, long maximum, Scratch scratch) {
        byte[] copy = scratch.borrow(in.size());
        System.arraycopy(in.array(), in.from(), copy, 0, in.size());
        if (in.size() > DICTIONARY_OFFSET + Integer.BYTES) {
            long stated = Integer.toUnsignedLong(Words.int32(copy, DICTIONARY_OFFSET));
            Words.int32(copy, DICTIONARY_OFFSET, (int) Math.min(stated, maximum));
        }
        return new HeapBytes(copy, 0, in.size());
    }
}
