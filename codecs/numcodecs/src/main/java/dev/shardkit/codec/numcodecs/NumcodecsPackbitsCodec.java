package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import java.nio.ByteBuffer;

/**
 * The codec {@code numcodecs.packbits}: stores bools as bits. First comes a byte with the number of unused bits in the
 * last byte, then a byte for each eight elements, the first element in its highest bit. The encoded chunk is a list of
 * bytes. The codec {@code packbits} of zarr-extensions has a different layout. Immutable and thread-safe.
 */
record NumcodecsPackbitsCodec() implements ArrayToArrayCodec {
    static final String NAME = "numcodecs.packbits";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType type) {
        if (!type.dataType().equals(CoreTypes.BOOL)) {
            throw new MetadataException("codec " + NAME + ": expected bool, found "
                    + type.dataType().name());
        }
        long bytes = 1 + (type.count() + 7) / 8;
        ChunkType packed = ChunkType.of(CoreTypes.UINT8, FillValue.of(new byte[1]), new long[] {bytes});
        return new WholeChunkConversion(type, packed, NumcodecsPackbitsCodec::pack, NumcodecsPackbitsCodec::unpack);
    }

    /** Returns the number of unused bits in the last byte of {@code count} elements. */
    private static int unusedBits(int count) {
        return (8 - count % 8) % 8;
    }

    private static void pack(ByteBuffer in, ByteBuffer out, int count) {
        out.put(0, (byte) unusedBits(count));
        for (int i = 0; i < count; i++) {
            int position = 1 + i / 8;
            out.put(position, (byte) (out.get(position) | (in.get(i) != 0 ? 0x80 >>> i % 8 : 0)));
        }
    }

    private static void unpack(ByteBuffer in, ByteBuffer out, int count) {
        if (in.get(0) != unusedBits(count)) {
            throw new CorruptDataException(
                    NAME + ": expected " + unusedBits(count) + " unused bits, found " + (in.get(0) & 0xff));
        }
        for (int i = 0; i < count; i++) {
            out.put(i, (byte) (in.get(1 + i / 8) >>> 7 - i % 8 & 1));
        }
    }
}
