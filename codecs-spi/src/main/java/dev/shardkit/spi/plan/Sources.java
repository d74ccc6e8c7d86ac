package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import java.util.Optional;
import java.util.OptionalLong;

/** The three kinds of {@link Source}: stored bytes, bytes in memory, and a source that does not exist. */
final class Sources {
    private Sources() {}

    /** The size of a whole object, before it is read. */
    private static final long UNKNOWN = -1;

    /**
     * A stored object or a slice of one. A slice of a slice refers to the object directly.
     *
     * @param length the size; {@link #UNKNOWN} for a whole object
     * @param largest the largest accepted size of the whole object, see {@link Source#within}
     * @param entire the largest size at which the whole object may be received in one request, see
     *     {@link Source#expectingWholeRead}; 0 for never
     */
    record Stored(String key, long offset, long length, DataLocation location, long largest, long entire)
            implements Source {
        /** The whole object stored under {@code key}. */
        static Stored whole(String key) {
            return new Stored(key, 0, UNKNOWN, DataLocation.of(key), Long.MAX_VALUE, 0);
        }

        /** A part of the object stored under {@code key}. */
        static Stored part(String key, long offset, long length, DataLocation location) {
            if (length < 0) {
                throw new IllegalArgumentException("not a byte range: offset " + offset + ", length " + length);
            }
            return new Stored(key, offset, length, location, Long.MAX_VALUE, 0);
        }

        @Override
        public <V> Plan<V> read(ByteRange range, Decoder<V> decoder) {
            ByteRange absolute = isWhole() ? range : absolute(range);
            Decoder<V> sliceDecoder = isWhole() ? decoder : new InSlice<>(decoder, length);
            return new Plan.Need<>(
                    new ReadRequest<>(key, absolute, location, sliceDecoder, largest, entire),
                    (v, scratch) -> Plan.done(v));
        }

        private boolean isWhole() {
            return length == UNKNOWN;
        }

        @Override
        public OptionalLong size() {
            return isWhole() ? OptionalLong.empty() : OptionalLong.of(length);
        }

        /** Converts a range of this slice to a range of the object. */
        private ByteRange absolute(ByteRange range) {
            if (range instanceof ByteRange.Slice s) {
                check(s.offset(), s.length(), length, location);
                return new ByteRange.Slice(offset + s.offset(), s.length());
            }
            refuseLarger(range, length, location);
            long count = range instanceof ByteRange.Suffix s
                    ? Math.min(s.length(), length)
                    : ((ByteRange.Whole) range).skips(length) ? 0 : length;
            return new ByteRange.Slice(offset + length - count, count);
        }

        @Override
        public Source inner(long[] cell, long start, long size) {
            DataLocation innerLocation = location.inner(cell);
            check(start, size, length, innerLocation);
            return new Stored(key, offset + start, size, innerLocation, largest, entire);
        }

        @Override
        public Source within(long maxBytes) {
            return isWhole() ? new Stored(key, offset, length, location, maxBytes, entire) : this;
        }

        @Override
        public Source expectingWholeRead(long maxBytes) {
            return isWhole() ? new Stored(key, offset, length, location, largest, maxBytes) : this;
        }
    }

    /** Passes the size of the slice to a decoder instead of the size of the object. */
    private record InSlice<V>(Decoder<V> decoder, long size) implements Decoder<V> {
        @Override
        public V decode(ReadResult result, Scratch scratch) {
            return decoder.decode(
                    result instanceof ReadResult.Found f ? new ReadResult.Found(f.bytes(), size) : result, scratch);
        }

        @Override
        public Optional<Object> identity() {
            Optional<Object> id = decoder.identity(); // no map(): its lambda would be allocated for each inner chunk
            return id.isEmpty() ? id : Optional.of(new Sized(id.get(), size));
        }

        @Override
        public long weight(V value) {
            return decoder.weight(value);
        }
    }

    /**
     * The identity of a decoder for a slice of a given size, by which decoded values are cached. It includes the size,
     * because the value may depend on it, and a range of an object may lie in slices of several sizes.
     */
    private record Sized(Object decoder, long size) {}

    /** Bytes in memory. Decoding them is deferred to a worker, although it needs no read. */
    record Memory(Bytes bytes, DataLocation location) implements Source {
        @Override
        public <V> Plan<V> read(ByteRange range, Decoder<V> decoder) {
            if (range instanceof ByteRange.Slice s) {
                check(s.offset(), s.length(), bytes.size(), location);
            }
            refuseLarger(range, bytes.size(), location);
            return Plan.defer(
                    location,
                    scratch ->
                            Plan.done(decoder.decode(new ReadResult.Found(bytes.slice(range), bytes.size()), scratch)));
        }

        @Override
        public OptionalLong size() {
            return OptionalLong.of(bytes.size());
        }

        @Override
        public Source inner(long[] cell, long offset, long length) {
            DataLocation innerLocation = location.inner(cell);
            check(offset, length, bytes.size(), innerLocation);
            return new Memory(bytes.slice(offset, length), innerLocation);
        }
    }

    /** A source that does not exist. */
    record Missing(DataLocation location) implements Source {
        @Override
        public <V> Plan<V> read(ByteRange range, Decoder<V> decoder) {
            return Plan.defer(location, scratch -> Plan.done(decoder.decode(new ReadResult.Absent(), scratch)));
        }

        @Override
        public OptionalLong size() {
            return OptionalLong.empty();
        }

        @Override
        public Source inner(long[] cell, long offset, long length) {
            return new Missing(location.inner(cell));
        }

        @Override
        public boolean isAbsent() {
            return true;
        }
    }

    /** Throws if a request for a whole source of {@code size} bytes accepts only fewer. */
    private static void refuseLarger(ByteRange range, long size, DataLocation location) {
        if (range instanceof ByteRange.Whole w && w.refuses(size)) {
            throw new CorruptDataException("expected at most " + w.maxBytes() + " bytes, found " + size)
                    .locate(Optional.empty(), Optional.of(location), Optional.empty());
        }
    }

    /** Refuses a range past the end of {@code size} bytes, which may be {@link #UNKNOWN}. */
    private static void check(long offset, long length, long size, DataLocation location) {
        boolean isValid = offset >= 0 && length >= 0 && offset + length >= 0;
        if (!isValid || (size != UNKNOWN && offset + length > size)) {
            String end = size == UNKNOWN ? "an object of at most 2^63-1 bytes" : size + " bytes";
            throw new CorruptDataException("a byte range past the end: offset " + Long.toUnsignedString(offset)
                            + ", length " + Long.toUnsignedString(length) + " in " + end)
                    .locate(Optional.empty(), Optional.of(location), Optional.empty());
        }
    }
}
