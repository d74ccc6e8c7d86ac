package dev.shardkit.blosc2;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;

/**
 * Decodes the chunks of an array, whose blocks are boxes, into one array in C order. Used by one thread.
 *
 * @param frame the frame of the array
 * @param shapes its shapes; it has at least one dimension
 * @param out the elements, which begin at index 0
 */
record ArrayChunks(WholeFrame frame, B2ndShapes shapes, byte[] out) {
    /** Takes a row of elements: its place in the array, in elements, and the place in the box, of which it is part. */
    private interface Row {
        void at(long inArray, long inBox, long length);
    }

    /**
     * Decodes a chunk.
     *
     * @param number its number in C order
     * @param offset where it is in the frame
     */
    void decode(int number, long offset, Scratch scratch) {
        Box chunk = Box.cell(Shapes.unravel(number, shapes.cells()), shapes.chunk());
        if (offset < 0) {
            fill(chunk, frame.value(offset));
            return;
        }
        long nbytes = Math.multiplyExact(Shapes.count(shapes.padded()), shapes.elementBytes());
        WholeChunk stored = frame.chunk(number, offset, nbytes);
        ChunkHeader header = stored.header();
        if (header.special() != ChunkHeader.Special.NONE) {
            fill(chunk, stored.value());
            return;
        }
        if (header.blocksize() != shapes.blockBytes()) {
            throw new CorruptDataException(
                    "blosc2 chunk: expected blocks of " + shapes.blockBytes() + " bytes, found " + header.blocksize());
        }
        WholeChunk.Blocks blocks = new WholeChunk.Blocks(stored, scratch);
        Box touched = chunk.intersect(Box.of(shapes.array())).relativeTo(chunk).cells(shapes.block());
        for (long i = 0; i < touched.count(); i++) {
            int mark = scratch.mark();
            long[] cell = touched.at(i);
            byte[] block = blocks.block((int) Shapes.ravel(cell, shapes.blocks()));
            put(Box.cell(cell, shapes.block()).intersect(chunk.atZero()).within(chunk), block);
            scratch.reset(mark);
        }
    }

    private void put(Box part, byte[] block) {
        int size = shapes.elementBytes();
        rows(
                part,
                shapes.block(),
                (inArray, inBox, length) ->
                        System.arraycopy(block, (int) inBox * size, out, (int) inArray * size, (int) length * size));
    }

    private void fill(Box chunk, byte[] value) {
        int size = shapes.elementBytes();
        rows(
                chunk,
                shapes.chunk(),
                (inArray, inBox, length) -> WholeFrame.fill(value, out, (int) inArray * size, (int) length * size));
    }

    /**
     * Visits the rows of the part of a box that lies in the array.
     *
     * @param part the box; it starts where the elements of {@code shape} start
     * @param shape the shape in which its elements lie
     */
    private void rows(Box part, long[] shape, Row row) {
        Box inside = part.intersect(Box.of(shapes.array()));
        int last = inside.rank() - 1;
        long[] starts = inside.shape();
        starts[last] = Math.min(1, starts[last]);
        Box all = Box.of(inside.origin(), starts);
        for (long i = 0; i < all.count(); i++) {
            long[] at = all.at(i);
            long inArray = Shapes.ravel(at, shapes.array());
            for (int d = 0; d < at.length; d++) {
                at[d] -= part.origin(d);
            }
            row.at(inArray, Shapes.ravel(at, shape), inside.shape(last));
        }
    }
}
