package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * A contiguous frame in memory. Used by one thread.
 *
 * @param header its header
 * @param array the shapes of its array; empty if it is a list of chunks
 * @param in its bytes
 */
record WholeFrame(FrameHeader header, Optional<B2ndShapes> array, HeapBytes in) {
    static WholeFrame of(HeapBytes in) {
        int start = Math.min(in.size(), FrameHeader.START);
        int size = FrameHeader.size(Arrays.copyOfRange(in.array(), in.from(), in.from() + start));
        if (size > in.size()) {
            throw new CorruptDataException(
                    "blosc2 frame: expected a header of " + size + " bytes, found " + in.size() + " bytes");
        }
        FrameHeader header = FrameHeader.decode(Arrays.copyOfRange(in.array(), in.from(), in.from() + size));
        if (header.layout() != FrameHeader.Layout.CONTIGUOUS) {
            throw new UnsupportedException("blosc2 frame: expected a contiguous frame, found a sparse one");
        }
        if (header.cbytes() > in.size() - size) {
            throw new CorruptDataException(
                    "blosc2 frame: expected " + header.cbytes() + " bytes of chunks, found " + (in.size() - size));
        }
        Optional<B2ndShapes> array =
                B2ndShapes.members(header).map(members -> B2ndShapes.of(members, header.typesize()));
        return new WholeFrame(header, array.filter(shapes -> shapes.array().length > 0), in);
    }

    long decodedSize() {
        return array.map(B2ndShapes::bytes).orElse(header.nbytes());
    }

    /** Returns the number of chunks, which the header claims. */
    long chunks() {
        if (array.isPresent()) {
            long count = 1;
            for (long n : array.get().cells()) {
                count = Math.multiplyExact(count, n);
            }
            return count;
        }
        if (header.nbytes() > 0 && header.chunkSize() == 0) {
            throw new CorruptDataException(
                    "blosc2 frame: expected chunks of a fixed size, found " + header.nbytes() + " bytes without one");
        }
        return header.nbytes() == 0 ? 0 : (header.nbytes() - 1) / header.chunkSize() + 1;
    }

    /** Reads the index of chunks, which is a chunk itself. The caller has checked the number of chunks. */
    long[] offsets(Scratch scratch) {
        long[] offsets = new long[Math.toIntExact(chunks())];
        if (offsets.length == 0) {
            return offsets;
        }
        WholeChunk index = chunk(header.cbytes(), in.size());
        if (index.header().nbytes() != (long) Long.BYTES * offsets.length) {
            throw new CorruptDataException("blosc2 frame: expected an index of " + offsets.length + " chunks in "
                    + (long) Long.BYTES * offsets.length + " bytes, found "
                    + index.header().nbytes());
        }
        ByteBuffer.wrap(index.decoded(scratch))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(offsets);
        return offsets;
    }

    /**
     * Returns the chunk at {@code offset}.
     *
     * @param offset where it starts after the header
     * @param end the end of the bytes that may belong to it, from the start of the frame
     */
    private WholeChunk chunk(long offset, long end) {
        long from = header.size() + offset;
        if (from > end) {
            throw new CorruptDataException("blosc2 frame: expected a chunk within " + (end - header.size())
                    + " bytes, found one at " + offset);
        }
        return WholeChunk.of(new HeapBytes(in.array(), in.from() + (int) from, in.from() + (int) end));
    }

    /** Returns a chunk that has bytes, of the expected decoded size. */
    WholeChunk chunk(int number, long offset, long nbytes) {
        WholeChunk chunk = chunk(offset, header.size() + header.cbytes());
        if (chunk.header().nbytes() != nbytes) {
            throw new CorruptDataException("blosc2 frame: expected " + nbytes + " decoded bytes in chunk " + number
                    + ", found " + chunk.header().nbytes());
        }
        return chunk;
    }

    /** Returns the element that a chunk without bytes repeats. */
    byte[] value(long offset) {
        return WholeChunk.value(Blosc2Frame.special(offset), header.typesize());
    }

    /** Decodes a chunk of a list to its place in {@code out}. */
    void decode(int number, long offset, byte[] out, Scratch scratch) {
        long at = number * header.chunkSize();
        int size = (int) Math.min(header.chunkSize(), header.nbytes() - at);
        if (offset < 0) {
            fill(value(offset), out, (int) at, size);
            return;
        }
        WholeChunk chunk = chunk(number, offset, size);
        if (chunk.header().special() != ChunkHeader.Special.NONE) {
            fill(chunk.value(), out, (int) at, size);
            return;
        }
        WholeChunk.Blocks blocks = new WholeChunk.Blocks(chunk, scratch);
        for (int block = 0; block < chunk.header().blocks(); block++) {
            int mark = scratch.mark();
            int from = (int) at + block * chunk.header().blocksize();
            System.arraycopy(blocks.block(block), 0, out, from, chunk.header().sizeOf(block));
            scratch.reset(mark);
        }
    }

    /** Repeats an element. */
    static void fill(byte[] value, byte[] out, int at, int size) {
        for (int i = 0; i < size; i++) {
            out[at + i] = value[i % value.length];
        }
    }
}
