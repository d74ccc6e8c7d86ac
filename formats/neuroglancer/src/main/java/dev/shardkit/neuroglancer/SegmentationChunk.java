package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * The {@link CompressedSegmentationCodec} of chunks of one shape and data type. A chunk has the following format
 * (compressed_segmentation/README.md of neuroglancer). First comes the offset of each channel. For each channel follow
 * the headers of its blocks, and then the tables and values to which the headers refer. A table lists the different
 * labels of a block. The values of a block are an index into the table for each voxel. The header of a block has two
 * words of 4 bytes. The first word contains the offset of the table (24 bits) and the number of bits of a value (8
 * bits), the second word the offset of the values. Offsets count words of 4 bytes. The offset of a channel is relative
 * to the start of the chunk, other offsets to the start of the channel.
 */
final class SegmentationChunk extends FortranChunk {
    private static final int WORD_BYTES = Integer.BYTES;
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

    /**
     * Returns the maximum encoded size, which chunks with blocks of one voxel need: for each block a header, a word of
     * values, and an entry of a table.
     */
    @Override
    public long maxEncodedSize() {
        long blockOverhead = (HEADER_WORDS + 1L) * WORD_BYTES;
        return super.maxEncodedSize()
                + type().decodedSize().orElseThrow()
                + channels * (WORD_BYTES + blockOverhead * blocks.totalCount());
    }

    @Override
    void decode(HeapBytes encoded, byte[] output, int size) {
        byte[] bytes = encoded.array();
        for (int channel = 0; channel < channels; channel++) {
            requireInside(
                    encoded,
                    encoded.from() + (long) channel * WORD_BYTES,
                    WORD_BYTES,
                    "the offset of channel " + channel);
            long channelStart = encoded.from()
                    + Integer.toUnsignedLong(Words.int32(bytes, encoded.from() + channel * WORD_BYTES)) * WORD_BYTES;
            for (long blockNumber = 0; blockNumber < blocks.totalCount(); blockNumber++) {
                long offset = channelStart + blockNumber * HEADER_WORDS * WORD_BYTES;
                requireInside(encoded, offset, HEADER_WORDS * WORD_BYTES, "the header of block " + blockNumber);
                int firstWord = Words.int32(bytes, (int) offset);
                decodeBlock(
                        encoded,
                        new Block(
                                blockNumber,
                                firstWord >>> TABLE_BITS,
                                channelStart + (long) (firstWord & TABLE_MASK) * WORD_BYTES,
                                channelStart
                                        + Integer.toUnsignedLong(Words.int32(bytes, (int) offset + WORD_BYTES))
                                                * WORD_BYTES),
                        output,
                        channel * blocks.channelBytes());
            }
        }
    }

    /**
     * A block in the encoded bytes.
     *
     * @param bits the number of bits of each value
     * @param table the position of the table in the encoded bytes
     * @param values the position of the values in the encoded bytes
     */
    private record Block(long number, int bits, long table, long values) {}

    /** Decodes a block: looks up the value of each voxel in the table. */
    private void decodeBlock(HeapBytes encoded, Block block, byte[] output, int outputOffset) {
        int bits = block.bits;
        if (bits > Integer.SIZE || Integer.bitCount(bits) > 1) {
            throw new CorruptDataException(CompressedSegmentationCodec.NAME + ": expected 0, 1, 2, 4, 8, 16 or 32 bits"
                    + " for each value of block " + block.number + ", found " + bits);
        }
        int elementSize = blocks.elementSize();
        SegmentationBlocks.ClippedBlock part = blocks.clip(block.number);
        // Only the last value is checked: the values before it then lie inside the encoded bytes, too.
        long lastBit = (blocks.indexInBlock(part.x() - 1, part.y() - 1, part.z() - 1) + 1) * bits;
        requireInside(
                encoded,
                block.values,
                (lastBit + Integer.SIZE - 1) / Integer.SIZE * WORD_BYTES,
                "the values of block " + block.number);
        requireInside(encoded, block.table, elementSize, "the table of block " + block.number);
        int mask = bits == 0 ? 0 : -1 >>> Integer.SIZE - bits; // without bits, all voxels have the first label
        for (int z = 0; z < part.z(); z++) {
            for (int y = 0; y < part.y(); y++) {
                int outputPosition = outputOffset + part.offset(0, y, z);
                long bit = blocks.indexInBlock(0, y, z) * bits;
                for (int x = 0; x < part.x(); x++, bit += bits, outputPosition += elementSize) {
                    // A value never crosses words, because its number of bits divides 32.
                    long index = bits == 0
                            ? 0
                            : Integer.toUnsignedLong(
                                    Words.int32(encoded.array(), (int) (block.values + (bit >> 5) * WORD_BYTES))
                                                    >>> (int) (bit & 31)
                                            & mask);
                    long entryOffset = block.table + index * elementSize;
                    if (entryOffset > encoded.to() - elementSize) {
                        requireInside(
                                encoded,
                                entryOffset,
                                elementSize,
                                "value " + index + " in the table of block " + block.number);
                    }
                    if (elementSize == WORD_BYTES) {
                        Words.int32(output, outputPosition, Words.int32(encoded.array(), (int) entryOffset));
                    } else {
                        Words.int64(output, outputPosition, Words.int64(encoded.array(), (int) entryOffset));
                    }
                }
            }
        }
    }

    /** Throws unless a part of the format lies inside the encoded bytes. */
    private static void requireInside(HeapBytes encoded, long offset, long length, String name) {
        if (offset < encoded.from() || offset > encoded.to() - length) {
            throw new CorruptDataException(CompressedSegmentationCodec.NAME + ": expected " + name + " within the "
                    + encoded.size() + " bytes, found it at byte " + (offset - encoded.from()));
        }
    }

    @Override
    Bytes encode(byte[] elements, Scratch scratch) {
        SegmentationWriter writer = new SegmentationWriter(channels);
        for (int channel = 0; channel < channels; channel++) {
            writer.beginChannel(channel, Math.toIntExact(blocks.totalCount()));
            for (long blockNumber = 0; blockNumber < blocks.totalCount(); blockNumber++) {
                writer.writeBlock(
                        (int) blockNumber,
                        blocks.valuesOf(elements, channel, blockNumber),
                        blocks.elementSize(),
                        TABLE_MASK);
            }
        }
        return writer.finish();
    }

    /** Returns the exception for a channel whose tables do not fit into the format. */
    static UnencodableException tooLarge() {
        return new UnencodableException(CompressedSegmentationCodec.NAME
                + ": expected tables that begin within the first 2^24 words of a channel, found more; choose smaller"
                + " chunks");
    }
}
