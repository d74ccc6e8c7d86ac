package dev.shardkit.region;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.ObjectPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A source whose bytes are composed of several parts, or a slice of such a source: for example a foreign file, followed
 * by an index that is stored separately. A read of bytes inside one part sends a request for that part only. Immutable.
 *
 * @param parts all parts, in order
 * @param offset the first byte of this source in the composed bytes
 * @param length the number of bytes of this source
 * @param location the location of this source, for errors
 */
public record PartsSource(List<ObjectPart> parts, long offset, long length, DataLocation location) implements Source {

    public static Source of(List<ObjectPart> parts, DataLocation location) {
        long size = 0;
        for (ObjectPart part : parts) {
            size = Math.addExact(size, part.size());
        }
        return new PartsSource(List.copyOf(parts), 0, size, location);
    }

    @Override
    public OptionalLong size() {
        return OptionalLong.of(length);
    }

    @Override
    public Source inner(long[] cell, long start, long size) {
        check(start, size, location.inner(cell));
        return new PartsSource(parts, offset + start, size, location.inner(cell));
    }

    @Override
    public <V> Plan<V> read(ByteRange range, Decoder<V> decoder) {
        ByteRange.Slice slice = slice(range);
        List<ObjectPart> touched = touched(offset + slice.offset(), slice.length());
        if (touched.size() == 1) {
            return read(touched.get(0), new SizedDecoder<>(decoder, length, objectSize(touched.get(0))));
        }
        return Plan.<Bytes>all(touched.size(), i -> {
                    ObjectPart part = touched.get((int) i);
                    return read(part, new SizedDecoder<>(PartsSource::copy, part.size(), objectSize(part)));
                })
                .then(contents -> Plan.defer(
                        location,
                        scratch -> Plan.done(
                                decoder.decode(new ReadResult.Found(Bytes.concat(contents), length), scratch))));
    }

    private static Bytes copy(ReadResult result, Scratch scratch) {
        return ((ReadResult.Found) result).bytes().copy();
    }

    private static OptionalLong objectSize(ObjectPart part) {
        return part instanceof ObjectPart.Stored s ? s.objectSize() : OptionalLong.empty();
    }

    /** Reads one part. */
    private <V> Plan<V> read(ObjectPart part, SizedDecoder<V> decoder) {
        if (part instanceof ObjectPart.Stored s) {
            ByteRange bytes = new ByteRange.Slice(s.offset(), s.size());
            return new Plan.Need<>(new ReadRequest<>(s.key(), bytes, location, decoder), (v, scratch) -> Plan.done(v));
        }
        Bytes bytes = ((ObjectPart.Literal) part).bytes();
        return Plan.defer(
                location, scratch -> Plan.done(decoder.decode(new ReadResult.Found(bytes, bytes.size()), scratch)));
    }

    /** Returns a range of these bytes as offset and length. */
    private ByteRange.Slice slice(ByteRange range) {
        if (range instanceof ByteRange.Slice s) {
            check(s.offset(), s.length(), location);
            return s;
        }
        if (range instanceof ByteRange.Whole w && w.refuses(length)) {
            throw new CorruptDataException("expected at most " + w.maxBytes() + " bytes, found " + length)
                    .locate(Optional.empty(), Optional.of(location), Optional.empty());
        }
        long size = length;
        if (range instanceof ByteRange.Suffix s) {
            size = Math.min(s.length(), length);
        } else if (((ByteRange.Whole) range).skips(length)) {
            size = 0; // the reader wants no bytes of a source of this length
        }
        return new ByteRange.Slice(length - size, size);
    }

    /** Throws if a range reaches past the end of these bytes. */
    private void check(long start, long size, DataLocation location) {
        if (start < 0 || size < 0 || start > length - size) {
            throw new CorruptDataException("a byte range past the end: offset " + Long.toUnsignedString(start)
                            + ", length " + Long.toUnsignedString(size) + " in " + length + " bytes")
                    .locate(Optional.empty(), Optional.of(location), Optional.empty());
        }
    }

    /**
     * Returns the parts that contain {@code size} bytes from {@code begin}, clipped to these bytes. For a size of 0,
     * returns an empty literal.
     */
    private List<ObjectPart> touched(long begin, long size) {
        List<ObjectPart> touched = new ArrayList<>(1);
        long start = 0;
        for (ObjectPart part : parts) {
            long first = Math.max(begin, start);
            long end = Math.min(begin + size, start + part.size());
            if (first < end) {
                touched.add(cut(part, first - start, end - first));
            }
            start += part.size();
        }
        return touched.isEmpty() ? List.of(new ObjectPart.Literal(Bytes.EMPTY)) : touched;
    }

    private static ObjectPart cut(ObjectPart part, long start, long size) {
        return part instanceof ObjectPart.Stored s
                ? new ObjectPart.Stored(s.key(), s.offset() + start, size, s.objectSize())
                : new ObjectPart.Literal(((ObjectPart.Literal) part).bytes().slice(start, size));
    }

    /**
     * Passes the size of the composed bytes to a decoder in place of the object's size, and checks that the object has
     * not changed.
     */
    private record SizedDecoder<V>(Decoder<V> decoder, long size, OptionalLong objectSize) implements Decoder<V> {
        @Override
        public V decode(ReadResult result, Scratch scratch) {
            if (!(result instanceof ReadResult.Found f)) {
                throw new CorruptDataException("the object that holds these bytes does not exist");
            }
            if (objectSize.isPresent() && f.bytes().size() > 0 && f.sourceSize() != objectSize.getAsLong()) {
                throw new CorruptDataException("the object that holds these bytes has changed: expected "
                        + objectSize.getAsLong() + " bytes, found " + f.sourceSize());
            }
            return decoder.decode(new ReadResult.Found(f.bytes(), size), scratch);
        }

        @Override
        public Optional<Object> identity() {
            return decoder.identity().map(id -> new Sized(id, size));
        }

        @Override
        public long weight(V value) {
            return decoder.weight(value);
        }
    }

    /** The identity of a {@link SizedDecoder}, for caches: a decoder may depend on the size. */
    private record Sized(Object decoder, long size) {}
}
