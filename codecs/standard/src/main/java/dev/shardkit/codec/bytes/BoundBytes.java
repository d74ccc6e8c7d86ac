package dev.shardkit.codec.bytes;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.DenseFeed;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.FixedLayout;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The {@code bytes} codec bound to one chunk type. Decoding passes the encoded buffer on without a copy.
 *
 * <p>A run is a range of contiguous bytes. If the policy asks for writing in place and the written part consists of few
 * runs, a write patches these bytes and does not read the rest of the chunk. An exception is the write of fill values
 * only: afterwards the whole chunk may consist of fill values and must be deleted, so the chunk is read.
 */
final class BoundBytes implements ChunkCodec, FixedLayout {
    /** The maximum number of runs of bytes in a patch. */
    private static final long MAX_RUNS = 256;
    /** The size in bytes from which a part of a chunk is read alone. Smaller chunks are always read whole. */
    private static final int MIN_CUT = 8 << 10;

    private final ChunkType type;
    private final ByteOrder order;
    private final long[] shape;
    private final long[] strides;
    /** The size of an encoded chunk in bytes. */
    private final int size;

    /** Reverses the words of big-endian records. Empty if elements are no records, or are little-endian. */
    private final RecordWords words;

    BoundBytes(ChunkType type, ByteOrder order) {
        this.type = type;
        this.words = RecordWords.of(type.dataType(), order);
        // the words of big-endian records are reversed when they are read, so elements in memory are little-endian
        this.order = words.isEmpty() ? order : ByteOrder.LITTLE_ENDIAN;
        this.shape = type.shape();
        this.strides = Shapes.strides(shape);
        this.size = Math.toIntExact(type.decodedSize().orElseThrow());
    }

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public OptionalLong encodedSize() {
        return OptionalLong.of(size);
    }

    @Override
    public long maxEncodedSize() {
        return size;
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        Optional<Bytes> dense = words.isEmpty() && chunk instanceof DenseFeed d ? d.dense(order) : Optional.empty();
        boolean drops = policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP;
        if (dense.isPresent()) {
            return dense.filter(bytes -> !drops || !isFill(bytes));
        }
        byte[] bytes = new byte[size];
        Elements elements = Elements.Fixed.of(type.dataType(), ByteBuffer.wrap(bytes), order);
        chunk.get(type.box(), elements, 0, strides);
        if (drops && DenseChunk.of(type, elements).isFill()) {
            return Optional.empty();
        }
        words.reverse(bytes);
        return Optional.of(Bytes.of(bytes));
    }

    @Override
    public Plan<Edit> update(Source source, Box part, Feed values, ShardWritePolicy policy) {
        Coverage coverage = values.coverage(Box.of(part.shape()));
        boolean patches = policy.strategy() == ShardWritePolicy.Strategy.IN_PLACE
                && !source.isAbsent()
                && size > 0
                && (coverage == Coverage.ALL || coverage == Coverage.FILL)
                && !part.isEmpty()
                && !part.equals(type.box())
                && part.count() / run(part) <= MAX_RUNS;
        if (!patches) {
            return ChunkCodec.super.update(source, part, values, policy);
        }
        if (source.size().isPresent()) {
            return patched(source, source.size().getAsLong(), part, values, policy);
        }
        // reads the last byte only to learn the size of the chunk, which the answer states
        return source.<OptionalLong>read(
                        new ByteRange.Suffix(1),
                        (result, scratch) -> result instanceof ReadResult.Found found
                                ? OptionalLong.of(found.sourceSize())
                                : OptionalLong.empty())
                .then(found -> patched(source, found.orElse(-1), part, values, policy));
    }

    /** Plans the patch of a chunk of {@code oldSize} bytes; falls back to a rewrite. */
    private Plan<Edit> patched(Source source, long oldSize, Box part, Feed values, ShardWritePolicy policy) {
        if (oldSize != size) {
            return ChunkCodec.super.update(source, part, values, policy);
        }
        return Plan.defer(source.location(), scratch -> {
            byte[] bytes = new byte[Math.toIntExact(part.count() * (size / type.count()))];
            Elements elements = Elements.Fixed.of(type.dataType(), ByteBuffer.wrap(bytes), order);
            values.get(Box.of(part.shape()), elements, 0, Shapes.strides(part.shape()));
            boolean mayBecomeEmpty = policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP
                    && DenseChunk.of(type.withShape(part.shape()), elements).isFill();
            if (mayBecomeEmpty) {
                return ChunkCodec.super.update(source, part, values, policy);
            }
            words.reverse(bytes);
            return Plan.done(patch(part, bytes));
        });
    }

    /** Returns the number of elements of {@code part} that are contiguous in the chunk. */
    private long run(Box part) {
        long run = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            run *= part.shape(d);
            if (part.shape(d) != shape[d]) {
                break;
            }
        }
        return run;
    }

    /** Returns the edit that overwrites the runs of a part. */
    private Edit patch(Box part, byte[] bytes) {
        long elementSize = size / type.count();
        long run = run(part);
        List<Edit.Write> writes = new ArrayList<>();
        for (long i = 0; i < part.count(); i += run) {
            // coordinates of the run's first element in the chunk, and from them its position in the chunk
            writes.add(new Edit.Write(
                    Shapes.ravel(part.at(i), shape) * elementSize,
                    Bytes.of(bytes, (int) (i * elementSize), (int) (run * elementSize))));
        }
        return new Edit.Patch(
                size, List.of(), writes, Edit.Recovery.JOURNAL, ShardWritePolicy.Strategy.IN_PLACE, Optional.empty());
    }

    /** Reads only the byte ranges of a stored chunk that the part needs, and short gaps between them. */
    @Override
    public Plan<NoResult> decodeInto(Source in, Box part, Target out) {
        if (in.isAbsent()
                || part.isEmpty()
                || size < MIN_CUT
                || part.equals(type.box())
                || in.size().orElse(size) != size) {
            return ChunkCodec.super.decodeInto(in, part, out);
        }
        long elementSize = size / type.count();
        RangeSlabs slabs = RangeSlabs.of(part, strides, elementSize);
        long length = slabs.span() * elementSize;
        if (slabs.count() == 1 && length > size - size / 4) { // more than three quarters: read the whole chunk
            return ChunkCodec.super.decodeInto(in, part, out);
        }
        return Plan.each(slabs.count(), i -> {
            Box slab = slabs.slab(i);
            return in.read(new ByteRange.Slice(slabs.firstElement(slab) * elementSize, length), (result, scratch) -> {
                if (result instanceof ReadResult.Found found) {
                    checkSize(found.sourceSize());
                    put(found.bytes(), 0, slab, out);
                } else {
                    out.fill(type.fill(), slab);
                }
                return NoResult.INSTANCE;
            });
        });
    }

    /** Returns whether all elements of an encoded chunk equal the fill value. */
    private boolean isFill(Bytes bytes) {
        for (ByteBuffer piece : bytes.pieces()) {
            Elements.Fixed elements = Elements.Fixed.of(type.dataType(), piece, order);
            if (!ElementCopy.isAll(elements, type.fill())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
        checkSize(encoded.size());
        put(encoded, part.firstIn(shape), part.atZero(), out);
    }

    @Override
    public Optional<FixedLayout> fixedLayout() {
        return size > 0 ? Optional.of(this) : Optional.empty();
    }

    @Override
    public ByteRange.Slice span(Box part) {
        long elementSize = size / type.count();
        long elements = new RangeSlabs(part, strides, 0).span();
        return new ByteRange.Slice(part.firstIn(shape) * elementSize, elements * elementSize);
    }

    @Override
    public void decodeSpan(Bytes span, Box part, Target out, Scratch scratch) {
        put(span, 0, part.atZero(), out);
    }

    private void checkSize(long actual) {
        if (actual != size) {
            throw new CorruptDataException(
                    "codec bytes: expected " + size + " bytes for a chunk of " + type + ", found " + actual);
        }
    }

    /** Writes elements to {@code box} of the target; the first one is element {@code first} of {@code bytes}. */
    private void put(Bytes bytes, long first, Box box, Target out) {
        ByteBuffer stored = words.isEmpty() ? bytes.buffer() : words.reversed(bytes.buffer());
        Elements elements = type.dataType().canonical(Elements.Fixed.in(type.dataType(), stored.order(order)));
        type.dataType().check(elements);
        out.put(elements, first, strides, box);
    }
}
