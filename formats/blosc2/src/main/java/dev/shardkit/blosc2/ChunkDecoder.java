package dev.shardkit.blosc2;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;

/**
 * Decodes the chunks of a b2nd array into one buffer in C order, for {@link FrameCodec}. Each block of a chunk is a box
 * of the array. Used by one thread.
 *
 * @param frame the frame of the array
 * @param shapes the shapes of the array, which has at least one dimension
 * @param output the decoded elements, from index 0
 */
record ChunkDecoder(InMemoryFrame frame, B2ndShapes shapes, byte[] output) {
    /** Receives rows of elements, each with the index of its first element in the array and in the box, in C order. */
    private interface RowVisitor {
        void accept(long arrayIndex, long boxIndex, long length);
    }

    /**
     * Decodes a chunk.
     *
     * @param number the number of the chunk in C order
     * @param offset the offset of the chunk in the frame; negative for a chunk of equal elements
     */
    void decode(int number, long offset, Scratch scratch) {
        Box chunkBox = Box.cell(Shapes.unravel(number, shapes.chunkCounts()), shapes.chunk());
        if (offset < 0) {
            fill(chunkBox, frame.repeatedElement(offset));
            return;
        }
        long paddedBytes = Math.multiplyExact(Shapes.count(shapes.paddedChunkShape()), shapes.elementBytes());
        InMemoryChunk wholeChunk = frame.readChunk(number, offset, paddedBytes);
        ChunkHeader header = wholeChunk.header();
        if (header.specialKind() != ChunkHeader.Special.NONE) {
            fill(chunkBox, wholeChunk.repeatedElement());
            return;
        }
        if (header.blocksize() != shapes.blockBytes()) {
            throw new CorruptDataException(
                    "blosc2 chunk: expected blocks of " + shapes.blockBytes() + " bytes, found " + header.blocksize());
        }
        InMemoryChunk.BlockDecoder blocks = new InMemoryChunk.BlockDecoder(wholeChunk, scratch);
        // Blocks that consist of padding are skipped.
        Box blocksInArray =
                chunkBox.intersect(Box.of(shapes.array())).relativeTo(chunkBox).cells(shapes.block());
        for (long i = 0; i < blocksInArray.count(); i++) {
            int mark = scratch.mark();
            long[] cell = blocksInArray.at(i);
            byte[] block = blocks.decodeBlock((int) Shapes.ravel(cell, shapes.blocksPerChunk()));
            // A block may reach beyond the chunk, and then also has padding.
            copyBlock(
                    Box.cell(cell, shapes.block()).intersect(chunkBox.atZero()).within(chunkBox), block);
            scratch.reset(mark);
        }
    }

    /** Copies the part of a decoded block that lies in the array. */
    private void copyBlock(Box box, byte[] block) {
        int size = shapes.elementBytes();
        visitRows(
                box,
                shapes.block(),
                (arrayIndex, boxIndex, length) -> System.arraycopy(
                        block, (int) boxIndex * size, output, (int) arrayIndex * size, (int) length * size));
    }

    /** Fills the part of a chunk that lies in the array with one value. */
    private void fill(Box chunkBox, byte[] value) {
        int size = shapes.elementBytes();
        visitRows(
                chunkBox,
                shapes.chunk(),
                (arrayIndex, boxIndex, length) ->
                        InMemoryFrame.fill(value, output, (int) arrayIndex * size, (int) length * size));
    }

    /**
     * Visits the rows of the part of a box that lies in the array.
     *
     * @param box the box; its origin has index 0 in the buffer
     * @param shape the shape of the buffer of the box, in C order
     */
    private void visitRows(Box box, long[] shape, RowVisitor visitor) {
        Box boxInArray = box.intersect(Box.of(shapes.array()));
        int lastDimension = boxInArray.rank() - 1;
        long[] rowGrid = boxInArray.shape();
        rowGrid[lastDimension] = Math.min(1, rowGrid[lastDimension]);
        Box rows = Box.of(boxInArray.origin(), rowGrid);
        for (long i = 0; i < rows.count(); i++) {
            long[] position = rows.at(i);
            long arrayIndex = Shapes.ravel(position, shapes.array());
            for (int d = 0; d < position.length; d++) {
                position[d] -= box.origin(d);
            }
            visitor.accept(arrayIndex, Shapes.ravel(position, shape), boxInArray.shape(lastDimension));
        }
    }
}
