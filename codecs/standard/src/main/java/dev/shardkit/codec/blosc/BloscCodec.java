package dev.shardkit.codec.blosc;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@code blosc} codec (zarr-specs, codecs/blosc v1): one frame of c-blosc 1 for each chunk. Frames describe
 * themselves, so decoding supports all six compressors regardless of the configuration. Encoding supports all but
 * {@code blosclz}. For lz4hc it writes the same as for lz4 (the format is the same). For zstd it uses a lower level
 * than c-blosc does for the same {@code clevel}. If {@code clevel} is 0, it stores the data uncompressed.
 *
 * <p>Does not support frames of blosc 2. Immutable and thread-safe.
 */
public final class BloscCodec implements BytesToBytesCodec {
    /** The name in the metadata. */
    public static final String NAME = "blosc";

    /** Creates kernels that decline all streams, so that this codec's own implementation processes them. */
    private static final Supplier<BloscKernels> OWN = () -> NoKernels.NONE;

    private final BloscSettings settings;
    private final Supplier<? extends BloscKernels> kernels;

    /** Creates a codec from settings, which may be incomplete. */
    BloscCodec(BloscSettings settings) {
        this(settings, OWN);
    }

    private BloscCodec(BloscSettings settings, Supplier<? extends BloscKernels> kernels) {
        this.settings = settings;
        this.kernels = kernels;
    }

    /**
     * Creates a codec that takes shuffle and element size from the data type and chooses the block size itself.
     *
     * @param level the compression level, from 0 (stored) to 9
     */
    public static BloscCodec of(BloscCompressor cname, int level) {
        if (level < 0 || level > 9) {
            throw new IllegalArgumentException("blosc level must be from 0 to 9, not " + level);
        }
        return new BloscCodec(new BloscSettings(cname, level, null, null, 0));
    }

    /** Returns this codec with another shuffle. */
    public BloscCodec withShuffle(Shuffle shuffle) {
        return new BloscCodec(
                new BloscSettings(
                        settings.compressor(), settings.level(), shuffle, settings.typesize(), settings.blocksize()),
                kernels);
    }

    /** Returns this codec for elements of {@code typesize} bytes, 1 or more. */
    public BloscCodec withTypesize(int typesize) {
        if (typesize < 1) {
            throw new IllegalArgumentException("blosc typesize must be 1 or more, not " + typesize);
        }
        return new BloscCodec(
                new BloscSettings(
                        settings.compressor(), settings.level(), settings.shuffle(), typesize, settings.blocksize()),
                kernels);
    }

    /** Returns this codec with blocks of about {@code blocksize} bytes; 0 means automatic. */
    public BloscCodec withBlocksize(int blocksize) {
        if (blocksize < 0) {
            throw new IllegalArgumentException("blosc blocksize must be 0 or more, not " + blocksize);
        }
        return new BloscCodec(
                new BloscSettings(
                        settings.compressor(), settings.level(), settings.shuffle(), settings.typesize(), blocksize),
                kernels);
    }

    /**
     * Returns this codec with other kernels, which process the streams that they support.
     *
     * @param kernels creates the kernels, once for each worker; pass the same object to all codecs that should share
     *     them
     */
    public BloscCodec withKernels(Supplier<? extends BloscKernels> kernels) {
        return new BloscCodec(settings, kernels);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return settings.toJson();
    }

    /**
     * Takes settings that the configuration leaves out from the data type; elements of varying size count as single
     * bytes.
     */
    @Override
    public BytesToBytesCodec bind(ChunkType type) {
        return new BloscCodec(
                settings.complete(Math.max(1, type.dataType().elementSize().orElse(1))), kernels);
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        if (settings.compressor() == BloscCompressor.BLOSCLZ) {
            throw new UnsupportedException("blosc: cname blosclz is read, but not written; written are "
                    + "lz4, lz4hc, zstd, zlib and snappy");
        }
        if (decoded.size() > BloscHeader.MAX_BYTES) {
            throw new UnsupportedException("blosc: a frame holds at most " + BloscHeader.MAX_BYTES
                    + " bytes, the chunk has " + decoded.size());
        }
        BloscSettings complete = settings.complete(settings.typesize(1));
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        return Bytes.of(new BloscWriter(complete, streams(scratch), scratch).encode(in.array(), in.from(), in.size()));
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        return decode(encoded, expected, null, scratch);
    }

    /** Decodes only the blocks that intersect {@code part}; of lz4 and zstd blocks, only as much as needed. */
    @Override
    public Bytes decodePart(Bytes encoded, DecodedSize.Exact expected, ByteRange.Slice part, Scratch scratch) {
        return decode(encoded, expected, part, scratch);
    }

    private Bytes decode(Bytes encoded, DecodedSize expected, ByteRange.@Nullable Slice part, Scratch scratch) {
        if (encoded.size() > Integer.MAX_VALUE) {
            throw new CorruptDataException("blosc: expected a frame below 2 GiB, found " + encoded.size() + " bytes");
        }
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        int position = in.from();
        BloscHeader header = BloscHeader.parse(in.array(), position, in.size());
        expected.check(header.nbytes(), "blosc: the header's decoded size");
        int from = part == null ? 0 : (int) part.offset();
        int to = part == null ? header.nbytes() : (int) part.end();
        if (header.memcpyed()) {
            return encoded.slice(BloscHeader.SIZE + from, to - from);
        }
        BloscReader reader = new BloscReader(header, in.array(), position);
        reader.check();
        byte[] out = scratch.borrow(header.nbytes());
        reader.decode(from, to, out, streams(scratch), scratch);
        return Bytes.of(out, from, to - from);
    }

    private CompressedStreams streams(Scratch scratch) {
        return scratch.state(new Key(kernels), () -> new CompressedStreams(kernels.get()));
    }

    /** The key of the streams in a {@link Scratch}: codecs with the same kernels share them. */
    private record Key(Supplier<? extends BloscKernels> kernels) {}
}
