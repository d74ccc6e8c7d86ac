package dev.shardkit.codec.ffm;

import dev.shardkit.codec.zstd.ZstdCodec;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.v3.xxhash.XxHash64Hasher;
import io.airlift.compress.v3.zstd.ZstdNativeCompressor;
import io.airlift.compress.v3.zstd.ZstdNativeDecompressor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * {@code zstd} with the native library. Writes at the level of the metadata, with a checksum if the metadata asks for
 * one. If the native library fails to decode, the pure-Java codec decodes or reports the error. Immutable and
 * thread-safe.
 *
 * @param plain the pure-Java codec with the same configuration
 */
record FfmZstdCodec(ZstdCodec plain) implements BytesToBytesCodec {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    /** The position of a frame's descriptor byte, after the magic number (RFC 8878, section 3.1.1.1). */
    private static final int DESCRIPTOR = 4;
    /** The bit of the descriptor that says that a checksum follows the last block. */
    private static final int HAS_CHECKSUM = 1 << 2;
    /** The size of a checksum: the lower half of an XXH64 hash. */
    private static final int CHECKSUM = 4;
    /**
     * The size in bytes from which the native library decodes a chunk. Each of its calls costs about 5 us, so smaller
     * chunks are decoded in Java.
     */
    private static final int WORTH_A_CALL = 4 << 10;

    @Override
    public String name() {
        return plain.name();
    }

    @Override
    public Json.Obj configuration() {
        return plain.configuration();
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, name());
        State state = State.of(plain.level(), scratch);
        int maximum = in.size() == 0 ? 0 : state.compressor.maxCompressedLength(in.size());
        if (maximum <= 0 || maximum > Limits.LARGEST_CHUNK - CHECKSUM) { // out of range for the native library
            return plain.encode(decoded, scratch);
        }
        CodecOutput out = CodecOutput.encoding(maximum + CHECKSUM, scratch);
        out.advance(state.compressor.compress(in.array(), in.from(), in.size(), out.array(), 0, maximum));
        if (plain.checksum()) { // the binding of the native library cannot write one
            out.array()[DESCRIPTOR] |= HAS_CHECKSUM;
            INT.set(out.array(), out.size(), (int) XxHash64Hasher.hash(in.array(), in.from(), in.size()));
            out.advance(CHECKSUM);
        }
        return out.copy();
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        if (expected.isExact() && expected.maxBytes() >= WORTH_A_CALL && expected.maxBytes() <= Limits.LARGEST_CHUNK) {
            HeapBytes in = HeapBytes.of(encoded, scratch, name());
            State state = State.of(plain.level(), scratch);
            int size = (int) expected.maxBytes();
            byte[] out = scratch.borrow(size);
            try {
                if (state.decompressor.decompress(in.array(), in.from(), in.size(), out, 0, size) == size) {
                    return Bytes.of(out, 0, size);
                }
            } catch (RuntimeException e) { // the pure-Java codec reports the error, or decodes
            }
        }
        return plain.decode(encoded, expected, scratch);
    }

    /**
     * Uses the pure-Java decoder for parts in the first half of the chunk. It stops at the end of the part, so it is
     * done before the native decoder has decoded everything. Frames with a checksum must be decoded whole.
     */
    @Override
    public Bytes decodePart(Bytes encoded, DecodedSize.Exact expected, ByteRange.Slice part, Scratch scratch) {
        boolean early = part.end() <= expected.maxBytes() / 2
                && encoded.size() > DESCRIPTOR
                && (encoded.slice(DESCRIPTOR, 1).toArray()[0] & HAS_CHECKSUM) == 0;
        return early
                ? plain.decodePart(encoded, expected, part, scratch)
                : BytesToBytesCodec.super.decodePart(encoded, expected, part, scratch);
    }

    /** The native compressor and decompressor that a worker keeps in its {@link Scratch} from chunk to chunk. */
    private static final class State implements AutoCloseable {
        private final ZstdNativeCompressor compressor;
        private final ZstdNativeDecompressor decompressor = new ZstdNativeDecompressor();

        private State(int level) {
            this.compressor = new ZstdNativeCompressor(level);
        }

        static State of(int level, Scratch scratch) {
            return scratch.state(new Key(level), () -> new State(level));
        }

        @Override
        public void close() {}
    }

    /** The key of the state in a {@link Scratch}. */
    private record Key(int level) {}
}
