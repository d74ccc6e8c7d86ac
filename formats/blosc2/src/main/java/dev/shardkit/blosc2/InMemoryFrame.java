package dev.shardkit.blosc2;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * A contiguous Blosc2 frame in memory: its header, its index of chunks and its chunks. {@link FrameCodec} decodes it.
 * Used by one thread.
 *
 * @param header the header of the frame
 * @param array the shapes of the array; empty if the frame is a list of chunks
 * @param input the bytes of the frame
 */
record InMemoryFrame(FrameHeader header, Optional<B2ndShapes> array, HeapBytes input) {
    /** Parses the header of a frame. */
    static InMemoryFrame parse(HeapBytes input) {
        int start = Math.min(input.size(), FrameHeader.START_BYTES);
        int size = FrameHeader.readSize(Arrays.copyOfRange(input.array(), input.from(), input.from() + start));
        if (size > input.size()) {
            throw new CorruptDataException(
                    "blosc2 frame: expected a header of " + size + " bytes, found " + input.size() + " bytes");
        }
        FrameHeader header = FrameHeader.decode(Arrays.copyOfRange(input.array(), input.from(), input.from() + size));
        if (header.layout() != FrameHeader.Layout.CONTIGUOUS) {
            throw new UnsupportedException("blosc2 frame: expected a contiguous frame, found a sparse one");
        }
        if (header.cbytes() > input.size() - size) {
            throw new CorruptDataException(
                    "blosc2 frame: expected " + header.cbytes() + " bytes of chunks, found " + (input.size() - size));
        }
        Optional<B2ndShapes> array =
                B2ndShapes.readMembers(header).map(members -> B2ndShapes.parse(members, header.typesize()));
        return new InMemoryFrame(header, array.filter(shapes -> shapes.array().length > 0), input);
    }

    /** Returns the size of the decoded array, or of all decoded chunks. */
    long decodedSize() {
        return array.map(B2ndShapes::arrayBytes).orElse(header.nbytes());
    }

    /** Returns the number of chunks that the header claims. */
    long chunkCount() {
        if (array.isPresent()) {
            long count = 1;
            for (long chunks : array.get().chunkCounts()) {
                count = Math.multiplyExact(count, chunks);
            }
            return count;
        }
        if (header.nbytes() > 0 && header.chunkSize() == 0) {
            throw new CorruptDataException(
                    "blosc2 frame: expected chunks of a fixed size, found " + header.nbytes() + " bytes without one");
        }
        return header.nbytes() == 0 ? 0 : (header.nbytes() - 1) / header.chunkSize() + 1;
    }

    /** Reads the index of chunks, which is stored as a chunk. The caller must check the number of chunks before. */
    long[] readOffsets(Scratch scratch) {
        long[] offsets = new long[Math.toIntExact(chunkCount())];
        if (offsets.length == 0) {
            return offsets;
        }
        InMemoryChunk index = readChunk(header.cbytes(), input.size());
        if (index.header().nbytes() != (long) Long.BYTES * offsets.length) {
            throw new CorruptDataException("blosc2 frame: expected an index of " + offsets.length + " chunks in "
                    + (long) Long.BYTES * offsets.length + " bytes, found "
                    + index.header().nbytes());
        }
        ByteBuffer.wrap(index.decodeAll(scratch))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(offsets);
        return offsets;
    }

    /**
     * Returns the chunk at {@code offset}.
     *
     * @param offset the start of the chunk, relative to the end of the header
     * @param end the end of the bytes that may belong to the chunk, relative to the start of the frame
     */
    private InMemoryChunk readChunk(long offset, long end) {
        long start = header.size() + offset;
        if (start > end) {
            throw new CorruptDataException("blosc2 frame: expected a chunk within " + (end - header.size())
                    + " bytes, found one at " + offset);
        }
        return InMemoryChunk.parse(new HeapBytes(input.array(), input.from() + (int) start, input.from() + (int) end));
    }

    /** Returns a chunk that is stored. Throws if its decoded size differs from the expected one. */
    InMemoryChunk readChunk(int number, long offset, long decodedBytes) {
        InMemoryChunk chunk = readChunk(offset, header.size() + header.cbytes());
        if (chunk.header().nbytes() != decodedBytes) {
            throw new CorruptDataException("blosc2 frame: expected " + decodedBytes + " decoded bytes in chunk "
                    + number + ", found " + chunk.header().nbytes());
        }
        return chunk;
    }

    /** Returns the element of a chunk of equal elements, which has no bytes but a negative offset. */
    byte[] repeatedElement(long offset) {
        return InMemoryChunk.repeatedElement(Blosc2Frame.specialKind(offset), header.typesize());
    }

    /**
     * Decodes a chunk of a frame without the metalayer of an array. The chunks follow one another in {@code output}.
     */
    void decode(int number, long offset, byte[] output, Scratch scratch) {
        long start = number * header.chunkSize();
        int size = (int) Math.min(header.chunkSize(), header.nbytes() - start);
        if (offset < 0) {
            fill(repeatedElement(offset), output, (int) start, size);
            return;
        }
        InMemoryChunk chunk = readChunk(number, offset, size);
        if (chunk.header().specialKind() != ChunkHeader.Special.NONE) {
            fill(chunk.repeatedElement(), output, (int) start, size);
            return;
        }
        InMemoryChunk.BlockDecoder blocks = new InMemoryChunk.BlockDecoder(chunk, scratch);
        for (int block = 0; block < chunk.header().blockCount(); block++) {
            int mark = scratch.mark();
            int blockOffset = (int) start + block * chunk.header().blocksize();
            System.arraycopy(
                    blocks.decodeBlock(block),
                    0,
                    output,
                    blockOffset,
                    chunk.header().blockSize(block));
            scratch.reset(mark);
        }
    }

    /** Fills bytes with an element. */
    static void fill(byte[] element, byte[] output, int offset, int size) {
        for (int i = 0; i < size; i++) {
            output[offset + i] = element[i % element.length];
        }
    }
}
