package dev.shardkit.codec.blosc;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import java.util.function.Supplier;

/** Compresses and expands lz4 or snappy streams with the library aircompressor. Not thread-safe. */
final class AirliftStreams implements BlockStreams {
    private final Compressor compressor;
    private final Supplier<Decompressor> decompressors;
    private Decompressor decompressor;

    AirliftStreams(Compressor compressor, Supplier<Decompressor> decompressors) {
        this.compressor = compressor;
        this.decompressors = decompressors;
        this.decompressor = decompressors.get();
    }

    @Override
    public int expand(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        try {
            return decompressor.decompress(in, inOffset, length, out, outOffset, size);
        } catch (RuntimeException e) { // malformed streams also cause index and state exceptions
            decompressor = decompressors.get(); // the state of the old one is unknown
            throw new CorruptDataException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Compresses into a buffer of the size that the compressor requires, then copies. */
    @Override
    public int compress(
            int level, byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity, Scratch scratch) {
        int mark = scratch.mark();
        byte[] stream = scratch.borrow(compressor.maxCompressedLength(length));
        int compressedSize = compressor.compress(in, inOffset, length, stream, 0, stream.length);
        if (compressedSize <= capacity) {
            System.arraycopy(stream, 0, out, outOffset, compressedSize);
        }
        scratch.reset(mark);
        return compressedSize <= capacity ? compressedSize : CompressedStreams.NO_ROOM;
    }
}
