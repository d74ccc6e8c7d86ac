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
 * The formats of Python's {@code lzma} module, by XZ for Java: .xz with concatenated streams, the older .lzma, and raw
 * LZMA2. A dictionary takes no more memory than the content may have bytes. Immutable and thread-safe.
 *
 * @param format the container
 * @param check the kind of checksum in the container
 * @param filters the filters, which only raw streams need for reading
 */
public record LzmaCodec(Format format, Check check, LzmaFilters filters) implements BytesToBytesCodec {
    public static final String NAME = "numcodecs.lzma";
    /** Dictionaries of up to 64 MiB, as preset 9 has them. */
    private static final int MAX_KIB = 100 << 10;

    private static final int SMALLEST_DICTIONARY = 4 << 10;
    /** The offset of the dictionary's size in a .lzma stream. */
    private static final int DICTIONARY = 1;

    /** The containers, with Python's numbers. */
    public enum Format {
        XZ(1),
        ALONE(2),
        RAW(3);

        final int number;

        Format(int number) {
            this.number = number;
        }
    }

    /** The kinds of checksum in .xz, with Python's numbers; {@code USUAL} is CRC-64 in .xz. */
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

    private OutputStream encoder(OutputStream out, long size) throws IOException {
        FilterOptions[] options = filters.encoding(size);
        switch (format) {
            case XZ:
                return new XZOutputStream(out, options, check == Check.USUAL ? Check.CRC64.number : check.number);
            case ALONE:
                return new LZMAOutputStream(out, LzmaFilters.last(options), -1);
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
        long maximum = Math.max(SMALLEST_DICTIONARY, expected.maxBytes());
        HeapBytes bounded =
                switch (format) {
                    case XZ -> XzDictionaries.bounded(in, maximum, scratch);
                    case ALONE -> alone(in, maximum, scratch);
                    case RAW -> in;
                };
        return JavaStreamCodecs.decode(bounded, expected, scratch, NAME, stream -> decoder(stream, maximum));
    }

    private InputStream decoder(InputStream in, long maximum) throws IOException {
        switch (format) {
            case XZ:
                return new XZInputStream(in, MAX_KIB);
            case ALONE:
                return new LZMAInputStream(in, MAX_KIB);
            default:
                FilterOptions[] options = filters.decoding(maximum);
                InputStream raw = in;
                for (int i = options.length - 1; i >= 0; i--) {
                    raw = options[i].getInputStream(raw);
                }
                return raw;
        }
    }

    /** Returns a copy of a .lzma stream whose dictionary is no larger than {@code maximum} bytes. */
    private static HeapBytes alone(HeapBytes in, long maximum, Scratch scratch) {
        byte[] copy = scratch.borrow(in.size());
        System.arraycopy(in.array(), in.from(), copy, 0, in.size());
        if (in.size() > DICTIONARY + Integer.BYTES) {
            long stated = Integer.toUnsignedLong(Words.int32(copy, DICTIONARY));
            Words.int32(copy, DICTIONARY, (int) Math.min(stated, maximum));
        }
        return new HeapBytes(copy, 0, in.size());
    }
}
