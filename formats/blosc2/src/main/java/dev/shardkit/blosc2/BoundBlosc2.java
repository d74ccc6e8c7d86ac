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
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.plan.Unit;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/** {@link Blosc2Codec} bound to a chunk type. Reads the blocks of large chunks one by one. Immutable. */
final class BoundBlosc2 implements ChunkCodec {
    /** Smaller chunks are read whole. */
    private static final long SMALL = 1 << 16;

    private final ChunkType type;
    private final BlockGrid grid;
    private final ByteOrder order;
    private final int elementSize;
    private final int blockBytes;
    /** Whether elements are records with big-endian words, which buffers of elements do not reverse. */
    private final boolean isReversed;

    BoundBlosc2(ChunkType type, BlockGrid grid, ByteOrder order) {
        this.type = type;
        this.grid = grid;
        this.isReversed =
                order == ByteOrder.BIG_ENDIAN && !type.dataType().fields().isEmpty();
        this.order = order;
        this.elementSize = type.dataType().elementSize().orElseThrow();
        this.blockBytes = Math.toIntExact(grid.elements() * elementSize);
    }

    @Override
    public ChunkType type() {
        return type;
    }

    private long nbytes() {
        return (long) blockBytes * grid.count();
    }

    private long firstStream() {
        return ChunkHeader.EXTENDED + (long) Integer.BYTES * grid.count();
    }

    /** Each stream has a size field besides its bytes. A block may have one stream for each byte of an element. */
    @Override
    public long maxEncodedSize() {
        return 2 * (nbytes() + firstStream() + (long) Integer.BYTES * (1 + elementSize) * grid.count()) + SMALL;
    }

    @Override
    public long[] readShape() {
        return type.shape();
    }

    /** Encodes without compression. */
    @Override
    public Optional<Bytes> encode(Feed chunk, WritePolicy policy, Scratch scratch) {
        DenseChunk dense = DenseChunk.filled(type);
        chunk.get(type.box(), dense.elements(), 0, Shapes.strides(type.shape()));
        if (policy.emptyChunks() == WritePolicy.EmptyChunks.DROP && dense.isFill()) {
            return Optional.empty();
        }
        byte[] out = new byte[Math.toIntExact(ChunkHeader.EXTENDED + nbytes())];
        out[0] = 5;
        out[1] = 1;
        out[2] = 5 | ChunkHeader.MEMCPY;
        out[3] = (byte) (elementSize > 255 ? 1 : elementSize);
        Words.int32(out, 4, (int) nbytes());
        Words.int32(out, 8, blockBytes);
        Words.int32(out, 12, out.length);
        for (int block = 0; block < grid.count(); block++) {
            Box box = grid.box(block);
            Box part = box.intersect(type.box());
            Elements.Fixed to = elements(out, ChunkHeader.EXTENDED + block * blockBytes);
            dense.feed().get(part, to, 0, Shapes.strides(grid.shape()));
        }
        if (isReversed) {
            reverseAll(out, ChunkHeader.EXTENDED, out.length);
        }
        return Optional.of(Bytes.of(out));
    }

    private void reverseAll(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at += elementSize) {
            reverse(type.dataType(), bytes, at);
        }
    }

    private Elements.Fixed elements(byte[] bytes, int at) {
        return Elements.Fixed.of(
                type.dataType(), ByteBuffer.wrap(bytes, at, blockBytes), isReversed ? ByteOrder.LITTLE_ENDIAN : order);
    }

    @Override
    public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
        if (part.isEmpty()) {
            return;
        }
        WholeChunk chunk = WholeChunk.of(HeapBytes.of(encoded, scratch, Blosc2Codec.NAME));
        check(chunk.header());
        if (chunk.header().special() != ChunkHeader.Special.NONE) {
            out.fill(fill(chunk.value()), Box.of(part.shape()));
            return;
        }
        WholeChunk.Blocks blocks = new WholeChunk.Blocks(chunk, scratch);
        for (int number : grid.touched(part)) {
            int mark = scratch.mark();
            put(number, blocks.block(number), part, out);
            scratch.reset(mark);
        }
    }

    private void check(ChunkHeader header) {
        if (header.nbytes() != nbytes()) {
            throw new CorruptDataException(
                    "blosc2 chunk: expected " + nbytes() + " decoded bytes, found " + header.nbytes());
        }
        if (header.special() == ChunkHeader.Special.NONE && header.blocksize() != blockBytes) {
            throw new CorruptDataException(
                    "blosc2 chunk: expected blocks of " + blockBytes + " bytes, found " + header.blocksize());
        }
    }

    /** Returns a stored element as a fill value, whose words are little-endian. */
    private FillValue fill(byte[] value) {
        if (value.length != elementSize) {
            throw new CorruptDataException(
                    "blosc2 chunk: expected elements of " + elementSize + " bytes, found " + value.length);
        }
        byte[] little = value.clone();
        if (order == ByteOrder.BIG_ENDIAN) {
            reverse(type.dataType(), little, 0);
        }
        type.dataType().check(Elements.Fixed.of(type.dataType(), ByteBuffer.wrap(little), ByteOrder.LITTLE_ENDIAN));
        return FillValue.of(little);
    }

    /** Reverses the words of the element at {@code at}: of a record, those of its fields. */
    private static void reverse(DataType type, byte[] bytes, int at) {
        if (!type.fields().isEmpty()) {
            type.fields().forEach(field -> reverse(field.type(), bytes, at + field.offset()));
            return;
        }
        int word = type.carrier().wordSize();
        int end = at + type.elementSize().orElseThrow();
        for (int from = at; from < end; from += word) {
            for (int i = 0; i < word / 2; i++) {
                byte first = bytes[from + i];
                bytes[from + i] = bytes[from + word - 1 - i];
                bytes[from + word - 1 - i] = first;
            }
        }
    }

    private void put(int number, byte[] block, Box part, Target out) {
        Box box = grid.box(number);
        Box common = part.intersect(box);
        long[] strides = Shapes.strides(grid.shape());
        Box inBlock = common.relativeTo(box);
        long first = inBlock.firstIn(grid.shape());
        byte[] ordered = block;
        if (isReversed) {
            ordered = Arrays.copyOf(block, blockBytes);
            reverseAll(ordered, 0, blockBytes);
        }
        Elements elements = type.dataType().canonical(elements(ordered, 0));
        type.dataType().check(elements);
        out.put(elements, first, strides, common.relativeTo(part));
    }

    @Override
    public Plan<Unit> decodeInto(Source in, Box part, Target out) {
        if (part.isEmpty()) {
            return Plan.done();
        }
        if (part.equals(type.box())) {
            return ChunkCodec.super.decodeInto(in, part, out);
        }
        return in.read(ByteRange.wholeUnlessLarger(SMALL), (answer, scratch) -> {
                    if (!(answer instanceof ReadResult.Found found)) {
                        out.fill(type.fill(), Box.of(part.shape()));
                        return OptionalLong.empty();
                    } else if (found.sourceSize() > SMALL) {
                        return OptionalLong.of(found.sourceSize());
                    }
                    decode(found.bytes(), part, out, scratch);
                    return OptionalLong.empty();
                })
                .then(size -> size.isEmpty() ? Plan.done() : blocks(in, size.getAsLong(), part, out));
    }

    /** Reads the header, then the blocks. */
    private Plan<Unit> blocks(Source in, long size, Box part, Target out) {
        long head = Math.min(size, firstStream());
        return in.read(
                        new ByteRange.Slice(0, head),
                        (answer, scratch) -> answer instanceof ReadResult.Found found
                                ? Optional.of(BlockStarts.decode(found.bytes(), size, grid.count()))
                                : Optional.<BlockStarts>empty())
                .then(found -> {
                    if (found.isEmpty() || !found.get().isSeparable()) {
                        return ChunkCodec.super.decodeInto(in, part, out);
                    }
                    BlockStarts starts = found.get();
                    check(starts.header());
                    int[] touched = grid.touched(part);
                    return Plan.each(touched.length, i -> block(in, starts, touched[(int) i], part, out));
                });
    }

    private Plan<Unit> block(Source in, BlockStarts starts, int number, Box part, Target out) {
        return in.read(starts.range(number), (answer, scratch) -> {
            if (!(answer instanceof ReadResult.Found found)) {
                throw new CorruptDataException("blosc2 chunk: expected block " + number + ", found no chunk");
            }
            HeapBytes bytes = HeapBytes.of(found.bytes(), scratch, Blosc2Codec.NAME);
            BlockReader reader = new BlockReader(
                    starts.header(), Blosc2Streams.of(starts.header().format()), scratch);
            put(number, reader.decode(number, bytes.array(), bytes.from(), bytes.to(), new byte[0]), part, out);
            return Unit.UNIT;
        });
    }
}
