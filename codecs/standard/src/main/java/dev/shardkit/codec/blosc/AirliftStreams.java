package dev.shardkit.codec.blosc;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import java.util.function.Supplier;

/** Compresses and expands streams with aircompressor. Not thread-safe. */
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
    public int expand(byte[] in, int inAt, int length, byte[] out, int outAt, int size) {
        try {
            return decompressor.decompress(in, inAt, length, out, outAt, size);
        } catch (RuntimeException e) { // it also throws index and state exceptions
            decompressor = decompressors.get();
            throw new CorruptDataException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Compresses into a buffer of the size that the compressor requires, then copies. */
    @Override
    public int compress(int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room, Scratch scratch) {
        int mark = scratch.mark();
        byte[] stream = scratch.borrow(compressor.maxCompressedLength(length));
        int found = compressor.compress(in, inAt, length, stream, 0, stream.length);
        if (found <= room) {
            System.arraycopy(stream, 0, out, outAt, found);
        }
        scratch.reset(mark);
        return found <= room ? found : CompressedStreams.NO_ROOM;
    }
}
