package dev.shardkit.fuzz;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.snappy.SnappyDecoder;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decodes a block of LZ4 or Snappy by shardkit's decoder and by that of aircompressor, and compares the results. The
 * first two bytes of the input are the size of the output, the rest is the block. Nothing outside of the room may be
 * written, and where both accept the block, they must agree.
 */
final class Blocks {
    static final Blocks LZ4 = new Blocks(Lz4Decoder::decode, new Lz4Decompressor());
    static final Blocks SNAPPY = new Blocks(SnappyDecoder::decode, new SnappyDecompressor());

    private static final int GUARD = 16;

    /** A decoder between arrays; gives how many bytes it wrote. */
    private interface Kernel {
        int decode(byte[] in, int inAt, int length, byte[] out, int outAt, int room);
    }

    private final Kernel ours;
    private final Decompressor theirs;

    private Blocks(Kernel ours, Decompressor theirs) {
        this.ours = ours;
        this.theirs = theirs;
    }

    void run(byte[] input) {
        if (input.length < 2) {
            return;
        }
        int room = (input[0] & 0xff) << 8 | input[1] & 0xff;
        byte[] out = new byte[room + 2 * GUARD];
        Arrays.fill(out, (byte) 0xa5);
        byte[] given = input.clone();
        Optional<Integer> n = FuzzTarget.declared(() -> ours.decode(input, 2, input.length - 2, out, GUARD, room));
        FuzzTarget.check(Arrays.equals(given, input), "the input stays as it is");
        for (int i = 0; i < GUARD; i++) {
            FuzzTarget.check(
                    out[i] == (byte) 0xa5 && out[GUARD + room + i] == (byte) 0xa5, "nothing outside is written");
        }
        if (n.isPresent()) {
            FuzzTarget.check(n.get() <= room, "what is decoded fits the room");
            byte[] found = n.get() < 0 ? new byte[0] : Arrays.copyOfRange(out, GUARD, GUARD + n.get());
            byte[] other = new byte[room];
            peer(input, other)
                    .ifPresent(m -> FuzzTarget.check(
                            Arrays.equals(found, Arrays.copyOf(other, Math.max(0, m))),
                            "another decoder decodes the same"));
        }
    }

    private Optional<Integer> peer(byte[] input, byte[] out) {
        try {
            return Optional.of(theirs.decompress(input, 2, input.length - 2, out, 0, out.length));
        } catch (RuntimeException e) {
            return Optional.empty(); // aircompressor refuses some that the formats allow
        }
    }
}
