package dev.shardkit.fuzz;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.snappy.SnappyDecoder;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.util.Arrays;
import java.util.Optional;

/**
 * Fuzz target for the decoders of LZ4 and Snappy blocks. Decodes a block with shardkit's decoder and with that of
 * aircompressor. If both accept the block, their results must agree. Shardkit's decoder must not change the input, and
 * must not write outside its part of the output array. The first two bytes of the input are the size of that part; the
 * rest is the block.
 */
final class Blocks {
    static final Blocks LZ4 = new Blocks(Lz4Decoder::decode, new Lz4Decompressor());
    static final Blocks SNAPPY = new Blocks(SnappyDecoder::decode, new SnappyDecompressor());

    /** The number of bytes before and behind the output that must stay unchanged. */
    private static final int GUARD = 16;

    private static final byte GUARD_BYTE = (byte) 0xa5;

    /** A decoder from one array to another. Returns the number of bytes that it wrote. */
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
        Arrays.fill(out, GUARD_BYTE);
        byte[] inputBefore = input.clone();
        Optional<Integer> size = FuzzTarget.declared(() -> ours.decode(input, 2, input.length - 2, out, GUARD, room));
        FuzzTarget.check(Arrays.equals(inputBefore, input), "decoding does not change the input");
        for (int i = 0; i < GUARD; i++) {
            FuzzTarget.check(
                    out[i] == GUARD_BYTE && out[GUARD + room + i] == GUARD_BYTE,
                    "decoding writes nothing outside the output");
        }
        if (size.isPresent()) {
            FuzzTarget.check(size.get() <= room, "the decoded bytes fit the output");
            byte[] found = size.get() < 0 ? new byte[0] : Arrays.copyOfRange(out, GUARD, GUARD + size.get());
            byte[] peerOut = new byte[room];
            decodeWithPeer(input, peerOut)
                    .ifPresent(peerSize -> FuzzTarget.check(
                            Arrays.equals(found, Arrays.copyOf(peerOut, Math.max(0, peerSize))),
                            "another decoder decodes the same"));
        }
    }

    private Optional<Integer> decodeWithPeer(byte[] input, byte[] out) {
        try {
            return Optional.of(theirs.decompress(input, 2, input.length - 2, out, 0, out.length));
        } catch (RuntimeException e) {
            return Optional.empty(); // aircompressor refuses some blocks that the formats allow
        }
    }
}
