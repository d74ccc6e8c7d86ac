package dev.shardkit.blosc2;

import dev.shardkit.codec.blosc.Blosc2Streams;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The {@link Blosc2Codec} of chunks of one shape and data type. A chunk of Blosc2 consists of blocks, which are
 * compressed one by one, so a read of a part of a large chunk fetches only the blocks of that part. Immutable.
 */
final class BoundBlosc2 implements ChunkCodec {
    /** Chunks up to this size are read as a whole. */
    private static final long MAX_WHOLE_READ = 1 << 16;

    private final ChunkType type;
    private final BlockGrid grid;
    private final ByteOrder order;
    private final int elementSize;
    private final int blockBytes;
    /**
     * Whether elements are records with big-endian words. {@link Elements} cannot convert these, so this class reverses
     * their bytes.
     */
    private final boolean isReversed;

    BoundBlosc2(ChunkType type, BlockGrid grid, ByteOrder order) {
        this.type = type;
        this.grid = grid;
        this.isReversed =
                order == ByteOrder.BIG_ENDIAN && !type.dataType().fields().isEmpty();
        this.order = order;
        this.elementSize = type.dataType().elementSize().orElseThrow();
        this.blockBytes = Math.toIntExact(grid.elementsPerBlock() * elementSize);
    }

    @Override
    public ChunkType type() {
        return type;
    }

    private long decodedBytes() {
        return (long) blockBytes * grid.count();
    }

    /** Returns the size of a chunk's header and of the table with the start of each block. */
    private long headerBytes() {
        return ChunkHeader.EXTENDED_SIZE + (long) Integer.BYTES * grid.count();
    }

    /**
     * Returns an upper bound of the encoded size: twice the size of a chunk in which nothing could be compressed, and a
     * reserve. In such a chunk, each block may have a stream for each byte of an element, and each stream has a size
     * field.
     */
    @Override
    public long maxEncodedSize() {
        return 2 * (decodedBytes() + headerBytes() + (long) Integer.BYTES * (1 + elementSize) * grid.count())
                + MAX_WHOLE_READ;
    }

    @Override
    public long[] readShape() {
        return type.shape();
    }

    /** Encodes without compression. */
    @Override
    public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        // the header and the blocks follow the specification of the chunk format of C-Blosc2
        DenseChunk dense = DenseChunk.filled(type);
        chunk.get(type.box(), dense.elements(), 0, Shapes.strides(type.shape()));
        if (policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP && dense.isFill()) {
            return Optional.empty();
        }
        byte[] output = new byte[Math.toIntExact(ChunkHeader.EXTENDED_SIZE + decodedBytes())];
        output[0] = 5; // the version of the chunk format
        output[1] = 1; // the version of the compressor's format
        output[2] = 5 | ChunkHeader.MEMCPY; // flags: 5 means an extended header, MEMCPY uncompressed bytes
        output[3] = (byte) (elementSize > 255 ? 1 : elementSize); // one byte: larger elements count as bytes
        Words.int32(output, 4, (int) decodedBytes());
        Words.int32(output, 8, blockBytes);
        Words.int32(output, 12, output.length);
        for (int block = 0; block < grid.count(); block++) {
            Box box = grid.boxOf(block);
            Box part = box.intersect(type.box());
            Elements.Fixed blockElements = elementsAt(output, ChunkHeader.EXTENDED_SIZE + block * blockBytes);
            dense.feed().get(part, blockElements, 0, Shapes.strides(grid.shape()));
        }
        if (isReversed) {
            reverseElements(output, ChunkHeader.EXTENDED_SIZE, output.length);
        }
        return Optional.of(Bytes.of(output));
    }

    private void reverseElements(byte[] bytes, int from, int to) {
        for (int offset = from; offset < to; offset += elementSize) {
            reverse(type.dataType(), bytes, offset);
        }
    }

    /** Returns the elements of a block. The bytes of records with big-endian words must be reversed separately. */
    private Elements.Fixed elementsAt(byte[] bytes, int offset) {
        return Elements.Fixed.of(
                type.dataType(),
                ByteBuffer.wrap(bytes, offset, blockBytes),
                isReversed ? ByteOrder.LITTLE_ENDIAN : order);
    }

    @Override
    public void decode(Bytes encoded, Box part, Target target, Scratch scratch) {
        if (part.isEmpty()) {
            return;
        }
        InMemoryChunk chunk = InMemoryChunk.parse(HeapBytes.of(encoded, scratch, Blosc2Codec.NAME));
        requireMatching(chunk.header());
        if (chunk.header().specialKind() != ChunkHeader.Special.NONE) {
            target.fill(toFillValue(chunk.repeatedElement()), Box.of(part.shape()));
            return;
        }
        InMemoryChunk.BlockDecoder blocks = new InMemoryChunk.BlockDecoder(chunk, scratch);
        for (int number : grid.blocksIn(part)) {
            int mark = scratch.mark();
            copyBlock(number, blocks.decodeBlock(number), part, target);
            scratch.reset(mark);
        }
    }

    /** Throws if the sizes in a chunk's header are not those of the metadata. */
    private void requireMatching(ChunkHeader header) {
        if (header.nbytes() != decodedBytes()) {
            throw new CorruptDataException(
                    "blosc2 chunk: expected " + decodedBytes() + " decoded bytes, found " + header.nbytes());
        }
        if (header.specialKind() == ChunkHeader.Special.NONE && header.blocksize() != blockBytes) {
            throw new CorruptDataException(
                    "blosc2 chunk: expected blocks of " + blockBytes + " bytes, found " + header.blocksize());
        }
    }

    /** Converts a stored element to a fill value, whose words are little-endian. */
    private FillValue toFillValue(byte[] value) {
        if (value.length != elementSize) {
            throw new CorruptDataException(
                    "blosc2 chunk: expected elements of " + elementSize + " bytes, found " + value.length);
        }
        byte[] littleEndian = value.clone();
        if (order == ByteOrder.BIG_ENDIAN) {
            reverse(type.dataType(), littleEndian, 0);
        }
        type.dataType()
                .check(Elements.Fixed.of(type.dataType(), ByteBuffer.wrap(littleEndian), ByteOrder.LITTLE_ENDIAN));
        return FillValue.of(littleEndian);
    }

    /** Reverses the words of an element. For a record, reverses the words of its fields. */
    private static void reverse(DataType type, byte[] bytes, int offset) {
        if (!type.fields().isEmpty()) {
            type.fields().forEach(field -> reverse(field.type(), bytes, offset + field.offset()));
            return;
        }
        int wordSize = type.carrier().wordSize();
        int end = offset + type.elementSize().orElseThrow();
        for (int wordStart = offset; wordStart < end; wordStart += wordSize) {
            for (int i = 0; i < wordSize / 2; i++) {
                byte swapped = bytes[wordStart + i];
                bytes[wordStart + i] = bytes[wordStart + wordSize - 1 - i];
                bytes[wordStart + wordSize - 1 - i] = swapped;
            }
        }
    }

    /** Copies the elements that a block and {@code part} have in common to the target. */
    private void copyBlock(int number, byte[] block, Box part, Target target) {
        Box box = grid.boxOf(number);
        Box intersection = part.intersect(box);
        long[] strides = Shapes.strides(grid.shape());
        Box boxInBlock = intersection.relativeTo(box);
        long firstIndex = boxInBlock.firstIn(grid.shape());
        byte[] bytesInOrder = block;
        if (isReversed) {
            bytesInOrder = Arrays.copyOf(block, blockBytes);
            reverseElements(bytesInOrder, 0, blockBytes);
        }
        Elements elements = type.dataType().canonical(elementsAt(bytesInOrder, 0));
        type.dataType().check(elements);
        target.put(elements, firstIndex, strides, intersection.relativeTo(part));
    }

    @Override
    public Plan<NoResult> decodeInto(Source source, Box part, Target target) {
        if (part.isEmpty()) {
            return Plan.done();
        }
        if (part.equals(type.box())) {
            return ChunkCodec.super.decodeInto(source, part, target);
        }
        // The read returns nothing if it has decoded the part. Otherwise it returns the size of the chunk, which was
        // too large to be sent as a whole.
        return source.read(ByteRange.wholeUnlessLarger(MAX_WHOLE_READ), (response, scratch) -> {
                    if (!(response instanceof ReadResult.Found found)) {
                        target.fill(type.fill(), Box.of(part.shape()));
                        return OptionalLong.empty();
                    } else if (found.sourceSize() > MAX_WHOLE_READ) {
                        return OptionalLong.of(found.sourceSize());
                    }
                    decode(found.bytes(), part, target, scratch);
                    return OptionalLong.empty();
                })
                .then(size -> size.isEmpty() ? Plan.done() : readBlocks(source, size.getAsLong(), part, target));
    }

    /** Reads the header, then the blocks of a part; the whole chunk if its blocks cannot be decoded separately. */
    private Plan<NoResult> readBlocks(Source source, long size, Box part, Target target) {
        long headSize = Math.min(size, headerBytes());
        return source.read(
                        new ByteRange.Slice(0, headSize),
                        (response, scratch) -> response instanceof ReadResult.Found found
                                ? Optional.of(BlockStarts.decode(found.bytes(), size, grid.count()))
                                : Optional.<BlockStarts>empty())
                .then(found -> {
                    if (found.isEmpty() || !found.get().isSeparable()) {
                        return ChunkCodec.super.decodeInto(source, part, target);
                    }
                    BlockStarts starts = found.get();
                    requireMatching(starts.header());
                    int[] blockNumbers = grid.blocksIn(part);
                    return Plan.each(
                            blockNumbers.length, i -> readBlock(source, starts, blockNumbers[(int) i], part, target));
                });
    }

    private Plan<NoResult> readBlock(Source source, BlockStarts starts, int number, Box part, Target target) {
        return source.read(starts.range(number), (response, scratch) -> {
            if (!(response instanceof ReadResult.Found found)) {
                throw new CorruptDataException("blosc2 chunk: expected block " + number + ", found no chunk");
            }
            HeapBytes bytes = HeapBytes.of(found.bytes(), scratch, Blosc2Codec.NAME);
            BlockReader reader = new BlockReader(
                    starts.header(), Blosc2Streams.of(starts.header().compressorNumber()), scratch);
            // Only the delta filter needs the chunk's first block to decode another block, and chunks with that filter
            // are not separable. So an empty array stands in for the first block.
            copyBlock(
                    number, reader.decode(number, bytes.array(), bytes.from(), bytes.to(), new byte[0]), part, target);
            return NoResult.INSTANCE;
        });
    }
}
