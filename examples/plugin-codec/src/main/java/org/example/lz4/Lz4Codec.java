package org.example.lz4;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The codec {@code numcodecs.lz4}, as zarr-python and numcodecs write it: the decoded size as a little-endian int32,
 * then one LZ4 block. A plug-in in one class: the same object is the factory that {@link java.util.ServiceLoader} finds
 * and, configured, the codec. Immutable and thread-safe.
 */
public final class Lz4Codec implements CodecFactory, BytesToBytesCodec {
    /** The size of the header, which holds the decoded size. */
    private static final int HEADER = 4;

    private final long acceleration;

    /** For {@link java.util.ServiceLoader}. */
    public Lz4Codec() {
        this(1);
    }

    private Lz4Codec(long acceleration) {
        this.acceleration = acceleration;
    }

    // example: factory
    @Override
    public String name() {
        return "numcodecs.lz4";
    }

    @Override
    public Codec create(Config config) {
        return new Lz4Codec(config.integer("acceleration", 1, Integer.MAX_VALUE).orElse(1));
    }
    // end

    /** Returns the acceleration, which the metadata keeps for other encoders. This encoder has only one speed. */
    @Override
    public Json.Obj configuration() {
        return Json.object().with("acceleration", Json.of(acceleration));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        byte[] in = decoded.toArray();
        Lz4Compressor compressor = new Lz4Compressor();
        byte[] out = scratch.borrow(HEADER + compressor.maxCompressedLength(in.length));
        ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN).putInt(in.length);
        int length = compressor.compress(in, 0, in.length, out, HEADER, out.length - HEADER);
        return Bytes.of(Arrays.copyOf(out, HEADER + length));
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        byte[] in = encoded.toArray();
        if (in.length < HEADER) {
            throw new CorruptDataException("numcodecs.lz4: expected a size of 4 bytes, found " + in.length);
        }
        int size = ByteBuffer.wrap(in).order(ByteOrder.LITTLE_ENDIAN).getInt();
        // Check the claimed size before allocating memory. A byte of an LZ4 block decodes to at most 255 bytes.
        expected.check(size, "numcodecs.lz4 claims");
        if (size < 0 || size > 255L * in.length) {
            throw new CorruptDataException("numcodecs.lz4: a block of " + in.length + " bytes cannot hold " + size);
        }
        byte[] out = scratch.borrow(size);
        int length = decompress(in, out, size);
        if (length != size) {
            throw new CorruptDataException("numcodecs.lz4: expected " + size + " bytes, found " + length);
        }
        return Bytes.of(out, 0, size);
    }

    private static int decompress(byte[] in, byte[] out, int size) {
        try {
            return new Lz4Decompressor().decompress(in, HEADER, in.length - HEADER, out, 0, size);
        } catch (MalformedInputException | IndexOutOfBoundsException e) {
            throw new CorruptDataException("numcodecs.lz4: no LZ4 block: " + e.getMessage(), e);
        }
    }
}
