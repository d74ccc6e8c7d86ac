package dev.shardkit.neuroglancer;

import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A source of a chunk's bytes: reads the plain file or, if it is absent, the file that cloud-volume compressed with
 * gzip. Immutable.
 *
 * @param plain the plain file
 * @param gzip the compressed file
 * @param maxBytes the maximum size of the decompressed bytes
 */
record GzipFallbackSource(Source plain, Source gzip, long maxBytes) implements Source {
    private static final GzipCodec GZIP = new GzipCodec(1);

    @Override
    public <V> Plan<V> read(ByteRange range, Decoder<V> decoder) {
        return plain.read(range, new IfFound<>(decoder))
                .then(found -> found.isPresent()
                        ? Plan.done(found.get())
                        : gzip.read(
                                ByteRange.whole(GZIP.maxEncodedSize(maxBytes)),
                                (response, scratch) -> decoder.decode(decompress(response, range, scratch), scratch)));
    }

    private ReadResult decompress(ReadResult response, ByteRange range, Scratch scratch) {
        if (!(response instanceof ReadResult.Found found)) {
            return response;
        }
        Bytes bytes = GZIP.decode(found.bytes(), DecodedSize.atMost(maxBytes), scratch);
        if (range instanceof ByteRange.Slice slice && slice.end() > bytes.size()) {
            throw new CorruptDataException(
                    "expected at least " + slice.end() + " bytes in the compressed file, found " + bytes.size());
        }
        return new ReadResult.Found(bytes.slice(range), bytes.size());
    }

    @Override
    public OptionalLong size() {
        return OptionalLong.empty();
    }

    @Override
    public DataLocation location() {
        return plain.location();
    }

    /** Returns a slice of the plain file. Chunks of volumes have no inner chunks. */
    @Override
    public Source inner(long[] cell, long offset, long length) {
        return plain.inner(cell, offset, length);
    }

    /** A decoder that returns empty if the file is absent, so that the other file is read. */
    private record IfFound<V>(Decoder<V> decoder) implements Decoder<Optional<V>> {
        @Override
        public Optional<V> decode(ReadResult response, Scratch scratch) {
            return response instanceof ReadResult.Found
                    ? Optional.of(decoder.decode(response, scratch))
                    : Optional.empty();
        }

        @Override
        public Optional<Object> identity() {
            return decoder.identity().map(Identity::new);
        }

        @Override
        public long weight(Optional<V> value) {
            return value.map(decoder::weight).orElse(0L);
        }
    }

    /** Distinguishes cached results of this decoder from those of the decoder inside. */
    private record Identity(Object decoder) {}
}
