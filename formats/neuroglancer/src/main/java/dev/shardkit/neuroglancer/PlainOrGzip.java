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
 * The bytes of a chunk's file, or of the compressed file beside it if the file itself is absent. Immutable.
 *
 * @param plain the file itself
 * @param gzip the compressed file
 * @param most the largest size of the bytes
 */
record PlainOrGzip(Source plain, Source gzip, long most) implements Source {
    private static final GzipCodec GZIP = new GzipCodec(1);

    @Override
    public <V> Plan<V> read(ByteRange range, Decoder<V> decoder) {
        return plain.read(range, new IfFound<>(decoder))
                .then(found -> found.isPresent()
                        ? Plan.done(found.get())
                        : gzip.read(
                                ByteRange.whole(GZIP.maxEncodedSize(most)),
                                (answer, scratch) -> decoder.decode(unzipped(answer, range, scratch), scratch)));
    }

    private ReadResult unzipped(ReadResult answer, ByteRange range, Scratch scratch) {
        if (!(answer instanceof ReadResult.Found found)) {
            return answer;
        }
        Bytes all = GZIP.decode(found.bytes(), DecodedSize.atMost(most), scratch);
        if (range instanceof ByteRange.Slice slice && slice.end() > all.size()) {
            throw new CorruptDataException(
                    "expected at least " + slice.end() + " bytes in the compressed file, found " + all.size());
        }
        return new ReadResult.Found(all.slice(range), all.size());
    }

    @Override
    public OptionalLong size() {
        return OptionalLong.empty();
    }

    @Override
    public DataLocation location() {
        return plain.location();
    }

    /** Chunks of volumes have no inner chunks. */
    @Override
    public Source inner(long[] cell, long offset, long length) {
        return plain.inner(cell, offset, length);
    }

    /** Leaves absence to the other file. */
    private record IfFound<V>(Decoder<V> decoder) implements Decoder<Optional<V>> {
        @Override
        public Optional<V> decode(ReadResult answer, Scratch scratch) {
            return answer instanceof ReadResult.Found ? Optional.of(decoder.decode(answer, scratch)) : Optional.empty();
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

    private record Identity(Object decoder) {}
}
