package dev.shardkit.blosc2;

import dev.shardkit.codec.blosc.Blosc2Streams;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;

/**
 * A Blosc2 chunk whose encoded bytes are all in memory, and the decoder of its blocks. {@link FrameCodec} decodes all
 * chunks in this way, {@link BoundBlosc2} those that it reads as a whole. Used by one thread.
 *
 * @param header the header of the chunk
 * @param input the bytes of the chunk
 */
record InMemoryChunk(ChunkHeader header, HeapBytes input) {
    private static final byte[] NO_BYTES = {};
    /** The maximum size of a dictionary. No version of c-blosc2 writes larger ones. */
    private static final int MAX_DICTIONARY_SIZE = 128 << 10;

    /** Parses the header of a chunk and checks that all bytes of the chunk are there. */
    static InMemoryChunk parse(HeapBytes input) {
        ChunkHeader header = ChunkHeader.decode(input.array(), input.from(), input.size());
        if (header.cbytes() > input.size()) {
            throw new CorruptDataException(
                    "blosc2 chunk: expected " + header.cbytes() + " bytes, found " + input.size());
        }
        return new InMemoryChunk(header, input);
    }

    /** Returns the element of which a chunk without blocks consists. */
    byte[] repeatedElement() {
        int typesize = header.typesize();
        if (header.specialKind() != ChunkHeader.Special.VALUE) {
            return repeatedElement(header.specialKind(), typesize);
        }
        int start = input.from() + header.size();
        if (header.cbytes() < header.size() + typesize) {
            throw new CorruptDataException("blosc2 chunk: expected an element of " + typesize
                    + " bytes after the header, found " + (header.cbytes() - header.size()));
        }
        return Arrays.copyOfRange(input.array(), start, start + typesize);
    }

    /**
     * Returns the element of a special chunk that does not store its element: zero, or NaN. Undefined elements are
     * zero.
     */
    static byte[] repeatedElement(ChunkHeader.Special special, int typesize) {
        byte[] element = new byte[typesize];
        if (special == ChunkHeader.Special.NANS) {
            if (typesize != Float.BYTES && typesize != Double.BYTES) {
                throw new CorruptDataException(
                        "blosc2 chunk: expected NaN of 4 or 8 bytes, found elements of " + typesize);
            }
            if (typesize == Float.BYTES) {
                Words.int32(element, 0, Float.floatToIntBits(Float.NaN));
            } else {
                Words.int64(element, 0, Double.doubleToLongBits(Double.NaN));
            }
        }
        return element;
    }

    /** Returns the decoded chunk. Used for the index of chunks, which is itself stored as a chunk. */
    byte[] decodeAll(Scratch scratch) {
        byte[] output = new byte[header.nbytes()];
        if (header.specialKind() != ChunkHeader.Special.NONE) {
            byte[] element = repeatedElement();
            for (int i = 0; i < output.length; i++) {
                output[i] = element[i % element.length];
            }
            return output;
        }
        BlockDecoder blocks = new BlockDecoder(this, scratch);
        for (int block = 0; block < header.blockCount(); block++) {
            int mark = scratch.mark();
            byte[] bytes = blocks.decodeBlock(block);
            System.arraycopy(bytes, 0, output, block * header.blocksize(), header.blockSize(block));
            scratch.reset(mark);
        }
        return output;
    }

    /**
     * Returns the decompressor of the chunk's streams, with the dictionary if there is one. The dictionary is stored
     * after the starts of the blocks: its size, then its bytes.
     */
    private Blosc2Streams createExpander(Scratch scratch) {
        if (!header.hasDictionary() || header.isCopied()) {
            return Blosc2Streams.of(header.compressorNumber());
        }
        long dictionaryOffset = (long) input.from() + header.size() + (long) Integer.BYTES * header.blockCount();
        long available = (long) input.from() + header.cbytes() - dictionaryOffset - Integer.BYTES;
        int size = available < 0 ? 0 : Words.int32(input.array(), (int) dictionaryOffset);
        if (size < 1 || size > Math.min(available, MAX_DICTIONARY_SIZE)) {
            throw new CorruptDataException("blosc2 chunk: expected a dictionary of 1 to "
                    + Math.max(0, Math.min(available, MAX_DICTIONARY_SIZE)) + " bytes, found " + size);
        }
        int start = (int) dictionaryOffset + Integer.BYTES;
        HeapBytes dictionary = new HeapBytes(input.array(), start, start + size);
        return Blosc2Streams.of(
                header.compressorNumber(), dictionary, Math.min(header.blocksize(), header.nbytes()), scratch);
    }

    /**
     * Decodes the blocks of a chunk. The filter delta stores differences from the first block, so with this filter the
     * decoded first block is kept. Used by one thread.
     */
    static final class BlockDecoder {
        private final InMemoryChunk chunk;
        private final BlockReader reader;
        private byte[] firstBlock = NO_BYTES;

        BlockDecoder(InMemoryChunk chunk, Scratch scratch) {
            this.chunk = chunk;
            this.reader = new BlockReader(chunk.header, chunk.createExpander(scratch), scratch);
        }

        /**
         * Returns a decoded block: the first bytes of an array, which may be longer. Valid until the scratch is reset.
         */
        byte[] decodeBlock(int number) {
            ChunkHeader header = chunk.header;
            HeapBytes input = chunk.input;
            int end = input.from() + header.cbytes();
            int size = header.blockSize(number);
            if (header.isCopied()) {
                long start = (long) input.from() + header.size() + (long) number * header.blocksize();
                if (start + size > end) {
                    throw new CorruptDataException("blosc2 chunk: expected " + header.nbytes() + " stored bytes, found "
                            + (header.cbytes() - header.size()));
                }
                return Arrays.copyOfRange(input.array(), (int) start, (int) start + size);
            }
            if (header.hasDelta() && number > 0 && firstBlock.length == 0) {
                firstBlock = Arrays.copyOf(decodeStreams(0, end, NO_BYTES), header.blockSize(0));
            }
            return decodeStreams(number, end, firstBlock);
        }

        /** Decodes a compressed block. The table after the chunk's header contains the start of each block. */
        private byte[] decodeStreams(int number, int end, byte[] firstDecoded) {
            long startOffset = (long) chunk.input.from() + chunk.header.size() + (long) Integer.BYTES * number;
            if (startOffset > end - Integer.BYTES) {
                throw new CorruptDataException("blosc2 chunk: expected the starts of " + chunk.header.blockCount()
                        + " blocks, found " + chunk.header.cbytes() + " bytes");
            }
            long start = (long) chunk.input.from() + Words.int32(chunk.input.array(), (int) startOffset);
            if (start < startOffset || start > end) {
                throw new CorruptDataException("blosc2 chunk: expected block " + number + " to start within "
                        + chunk.header.cbytes() + " bytes, found " + (start - chunk.input.from()));
            }
            return reader.decode(number, chunk.input.array(), (int) start, end, firstDecoded);
        }
    }
}
