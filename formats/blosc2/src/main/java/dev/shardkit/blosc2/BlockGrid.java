package dev.shardkit.blosc2;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;

/**
 * The grid of the blocks of a Blosc2 chunk, which are numbered in C order. Blocks at the upper edges are padded.
 * Immutable.
 *
 * @param shape the shape of a block
 * @param blocks the number of blocks in each dimension
 * @param count the number of blocks
 */
record BlockGrid(long[] shape, long[] blocks, int count) {
    /** Returns the box of a block in the chunk. */
    Box boxOf(long number) {
        return Box.cell(Shapes.unravel(number, blocks), shape);
    }

    /** Returns the numbers of the blocks that intersect {@code part}. */
    int[] blocksIn(Box part) {
        Box blockRange = part.cells(shape);
        int[] numbers = new int[Math.toIntExact(blockRange.count())];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (int) Shapes.ravel(blockRange.at(i), blocks);
        }
        return numbers;
    }

    /** Returns the number of elements of a block. */
    long elementsPerBlock() {
        return Shapes.count(shape);
    }
}
