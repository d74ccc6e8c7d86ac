package dev.shardkit.codec.blosc;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** What the tests of this package share. */
final class Frames {
    /** First inner chunks of the conformance fixtures, as c-blosc wrote them, that decode to 1536 bytes. */
    static final String[] SMALL = {
        "blosclz_noshuffle", "blosclz_shuffle", "blosclz_bitshuffle", "lz4_noshuffle", "lz4_shuffle", "lz4_bitshuffle",
        "lz4hc_noshuffle", "lz4hc_shuffle", "lz4hc_bitshuffle", "snappy_noshuffle", "snappy_shuffle",
                "snappy_bitshuffle",
        "zlib_noshuffle", "zlib_shuffle", "zlib_bitshuffle", "zstd_noshuffle", "zstd_shuffle", "zstd_bitshuffle",
        "clevel0", "blocksize", "typesize1", "typesize8"
    };

    private Frames() {}

    static byte[] resource(String name) {
        try (InputStream in = Frames.class.getResourceAsStream("/blosc/" + name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static BloscCodec codec(BloscCompressor cname, int level, Shuffle shuffle, int typesize, int blocksize) {
        return BloscCodec.of(cname, level)
                .withShuffle(shuffle)
                .withTypesize(typesize)
                .withBlocksize(blocksize);
    }

    static BloscCodec reader() {
        return codec(BloscCompressor.LZ4, 5, Shuffle.NOSHUFFLE, 1, 0);
    }

    /** Decodes by a scratch whose buffers are full of what is no result. */
    static byte[] decode(byte[] frame, DecodedSize expected) {
        try (Scratch scratch = new Scratch()) {
            int mark = scratch.mark();
            for (int i = 0; i < 4 && expected.maxBytes() < 1 << 20; i++) {
                java.util.Arrays.fill(scratch.borrow((int) expected.maxBytes()), (byte) 0xA5);
            }
            scratch.reset(mark);
            return reader().decode(Bytes.of(frame), expected, scratch).toArray();
        }
    }
}
