package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * {@link CompressedSegmentationCodec} bound to a chunk type (compressed_segmentation/README.md). All offsets count
 * words of 4 bytes: that of a channel from the start of the chunk, those of its blocks from the start of the channel.
 */
final class SegmentationChunk extends FortranChunk {
    private static final int WORD = Integer.BYTES;
    private static final int HEADER_WORDS = 2;
    private static final int TABLE_BITS = 24;
    private static final int TABLE_MASK = (1 << TABLE_BITS) - 1;

    private final SegmentationBlocks blocks;
    private final int channels;

    SegmentationChunk(ChunkType type, long[] block) {
        super(type, CompressedSegmentationCodec.NAME);
        this.blocks = SegmentationBlocks.of(type, block);
        this.channels = Math.toIntExact(type.shape()[VolumeGrid.SPACE]);
    }

    /** A block of one voxel takes a header and a value. */
    @Override
    public long maxEncodedSize() {
        long perBlock = (HEADER_WORDS + 1L) * WORD;
        return super.maxEncodedSize()
                + type().decodedSize().orElseThrow()
                + channels * (WORD + perBlock * blocks.count());
    }

    @Override
    void decode(HeapBytes encoded, byte[] out, int size) {
        byte[] in = encoded.array();
        for (int c = 0; c < channels; c++) {
            need(encoded, encoded.from() + (long) c * WORD, WORD, "the offset of channel " + c);
            long start = encoded.from() + Integer.toUnsignedLong(Words.int32(in, encoded.from() + c * WORD)) * WORD;
            for (long b = 0; b < blocks.count(); b++) {
                long at = start + b * HEADER_WORDS * WORD;
                need(encoded, at, HEADER_WORDS * WORD, "the header of block " + b);
                int first = Words.int32(in, (int) at);
                decodeBlock(
                        encoded,
                        new Block(
                                b,
                                first >>> TABLE_BITS,
                                start + (long) (first & TABLE_MASK) * WORD,
                                start + Integer.toUnsignedLong(Words.int32(in, (int) at + WORD)) * WORD),
                        out,
                        c * blocks.channelBytes());
            }
        }
    }

    /**
     * A block in the encoded bytes.
     *
     * @param bits the number of bits of each value
     * @param table the index of the first byte of its table
     * @param values the index of the first byte of its values
     */
    private record Block(long number, int bits, long table, long values) {}

    private void decodeBlock(HeapBytes in, Block block, byte[] out, int outAt) {
        int bits = block.bits;
        if (bits > Integer.SIZE || Integer.bitCount(bits) > 1) {
            throw new CorruptDataException(CompressedSegmentationCodec.NAME + ": expected 0, 1, 2, 4, 8, 16 or 32 bits"
                    + " for each value of block " + block.number + ", found " + bits);
        }
        int width = blocks.elementSize();
        SegmentationBlocks.Cut cut = blocks.cut(block.number);
        // The values of a block's last voxel end within the chunk; so do those before it.
        long lastBit = (blocks.position(cut.x() - 1, cut.y() - 1, cut.z() - 1) + 1) * bits;
        need(
                in,
                block.values,
                (lastBit + Integer.SIZE - 1) / Integer.SIZE * WORD,
                "the values of block " + block.number);
        need(in, block.table, width, "the table of block " + block.number);
        int mask = bits == 0 ? 0 : -1 >>> Integer.SIZE - bits;
        for (int z = 0; z < cut.z(); z++) {
            for (int y = 0; y < cut.y(); y++) {
                int to = outAt + cut.offset(0, y, z);
                long bit = blocks.position(0, y, z) * bits;
                for (int x = 0; x < cut.x(); x++, bit += bits, to += width) {
                    long index = bits == 0
                            ? 0
                            : Integer.toUnsignedLong(Words.int32(in.array(), (int) (block.values + (bit >> 5) * WORD))
                                            >>> (int) (bit & 31)
                                    & mask);
                    long entry = block.table + index * width;
                    if (entry > in.to() - width) {
                        need(in, entry, width, "value " + index + " in the table of block " + block.number);
                    }
                    if (width == WORD) {
                        Words.int32(out, to, Words.int32(in.array(), (int) entry));
                    } else {
                        Words.int64(out, to, Words.int64(in.array(), (int) entry));
                    }
                }
            }
        }
    }

    private static void need(HeapBytes in, long at, long n, String what) {
        if (at < in.from() || at > in.to() - n) {
            throw new CorruptDataException(CompressedSegmentationCodec.NAME + ": expected " + what + " within the "
                    + in.size() + " bytes, found it at byte " + (at - in.from()));
        }
    }

    @Override
    Bytes encode(byte[] elements, Scratch scratch) {
        SegmentationWriter writer = new SegmentationWriter(channels);
        for (int c = 0; c < channels; c++) {
            writer.beginChannel(c, Math.toIntExact(blocks.count()));
            for (long b = 0; b < blocks.count(); b++) {
                writer.block((int) b, blocks.values(elements, c, b), blocks.elementSize(), TABLE_MASK);
            }
        }
        return writer.finish();
    }

    static UnencodableException tooLarge() {
        return new UnencodableException(CompressedSegmentationCodec.NAME
                + ": expected tables that begin within the first 2^24 words of a channel, found more; choose smaller"
                + " chunks");
    }
}
