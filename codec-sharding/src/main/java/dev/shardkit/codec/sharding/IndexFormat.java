package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.type.CoreTypes;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How the index of a shard is stored: a uint64 array of shape cells + [2] through {@code index_codecs}, at one end of
 * the shard. Its size follows from the codecs. Immutable.
 */
final class IndexFormat {
    /** Larger indexes are not looked for. */
    private static final long LARGEST_FOUND = 16L << 20;

    private static final WritePolicy WHOLE = WritePolicy.defaults().with(WritePolicy.EmptyChunks.KEEP);

    private final ChunkCodec chain;
    private final IndexLocation location;
    private final long size;
    private final Decoder<Optional<ShardIndex>> decoder;

    /** What decoded indexes are kept under: equal for indexes of equal form, whoever bound the codec. */
    private record Identity(String form) {}

    private final Identity identity;
    private final boolean checked;
    private final boolean found;

    private IndexFormat(
            ChunkCodec chain, IndexLocation location, long size, Identity identity, boolean checked, boolean found) {
        this.identity = identity;
        this.checked = checked;
        this.found = found;
        this.chain = chain;
        this.location = location;
        this.size = size;
        this.decoder =
                Decoder.kept(identity, index -> index.map(ShardIndex::weight).orElse(16L), this::decode);
    }

    /**
     * The index of a shard with so many {@code cells} in each dimension.
     *
     * @throws MetadataException if it can't be
     */
    static IndexFormat of(long[] cells, CodecChain codecs, IndexLocation location, Limits limits) {
        long[] shape = Arrays.copyOf(cells, cells.length + 1);
        shape[cells.length] = 2;
        refuseLarger(decodedSize(shape), cells, limits);
        ChunkType type = ChunkType.of(CoreTypes.UINT64, FillValue.of(words(ShardIndex.NONE)), shape);
        ChunkCodec chain = codecs.bind(type, limits);
        long size = chain.encodedSize()
                .orElseThrow(
                        () -> new MetadataException("index_codecs: expected codecs whose output has one size, found "
                                + codecs.codecs().stream().map(Codec::name).toList()));
        refuseLarger(OptionalLong.of(size), cells, limits);
        String form = location.word() + " " + Arrays.toString(cells) + " " + ShardingCodec.list(codecs);
        boolean checked = codecs.codecs().get(codecs.codecs().size() - 1).name().equals(Crc32cWindow.CODEC);
        return new IndexFormat(chain, location, size, new Identity(form), checked, false);
    }

    /** The same for shards of such inner chunks: with other indexes among them or without. */
    IndexFormat above(ChunkCodec inner) {
        boolean alone = checked && location == IndexLocation.END && size <= LARGEST_FOUND && !holds(inner, count());
        return new IndexFormat(chain, location, size, identity, checked, alone);
    }

    /** Whether inner chunks are shards of {@code count} inner chunks, or hold such: their index looks like ours. */
    private static boolean holds(ChunkCodec inner, long count) {
        Optional<Partitioned> nested = inner.partitioned();
        return nested.isPresent()
                && (Shapes.count(nested.get().cells()) == count
                        || holds(nested.get().inner(), count));
    }

    /**
     * Whether an index of this format is found wherever it ends in a shard: it lies at the end, has a checksum, and no
     * shard among the inner chunks has one that could be taken for it. Then old indexes tell what the bytes of a shard
     * were, and the last one that is valid is in force after an append that was cut short.
     */
    boolean isFound() {
        return found;
    }

    private static OptionalLong decodedSize(long[] shape) {
        try {
            return OptionalLong.of(Math.multiplyExact(Shapes.count(shape), (long) Long.BYTES));
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    private static void refuseLarger(OptionalLong size, long[] cells, Limits limits) {
        if (size.isEmpty() || size.getAsLong() > limits.indexBytes()) {
            throw new MetadataException("sharding_indexed: the index of a shard of " + Arrays.toString(cells)
                    + " inner chunks has " + (size.isPresent() ? size.getAsLong() + " bytes" : "more than 2^63-1 bytes")
                    + ", expected at most the limit indexBytes, " + limits.indexBytes());
        }
    }

    private static byte[] words(long word) {
        byte[] bytes = new byte[Long.BYTES];
        Arrays.fill(bytes, (byte) word);
        return bytes;
    }

    /** How many bytes the stored index has. */
    long size() {
        return size;
    }

    /** Where inner chunks may begin. */
    long firstByte() {
        return location == IndexLocation.START ? size : 0;
    }

    /** How many inner chunks there are. */
    long count() {
        return chain.type().count() / 2;
    }

    /** Where the index lies in a shard of {@code shardSize} bytes. */
    private Extent extent(long shardSize) {
        return new Extent(location == IndexLocation.START ? 0 : shardSize - size, size);
    }

    /** Reads the index of {@code shard}, no entry checked; empty if there is no such shard. */
    Plan<Optional<ShardIndex>> read(Source shard) {
        ByteRange range = location == IndexLocation.END
                ? new ByteRange.Suffix(size)
                : new ByteRange.Slice(0, Math.min(size, shard.size().orElse(size)));
        return shard.read(range, decoder);
    }

    private Optional<ShardIndex> decode(Answer answer, Scratch scratch) {
        if (!(answer instanceof Answer.Found found)) {
            return Optional.empty();
        }
        if (found.bytes().size() != size) {
            throw new CorruptDataException("a shard shorter than its index: expected at least " + size
                    + " bytes, found " + found.sourceSize());
        }
        return Optional.of(decode(found.bytes(), found.sourceSize(), scratch));
    }

    /**
     * Decodes the index of a shard of {@code shardSize} bytes; no entry is checked.
     *
     * @param bytes as many as an index has
     */
    ShardIndex decode(Bytes bytes, long shardSize, Scratch scratch) {
        long[] entries = new long[Math.toIntExact(chain.type().count())];
        try {
            chain.decode(
                    bytes,
                    chain.type().box(),
                    new IndexWords(entries, chain.type().shape()).target(),
                    scratch);
        } catch (ChecksumException e) {
            throw new ChecksumException("shard index: " + e.fact(), e);
        } catch (CorruptDataException e) {
            throw new CorruptDataException("shard index: " + e.fact(), e);
        }
        return new ShardIndex(entries, extent(shardSize), shardSize);
    }

    /** Encodes the index of these entries. */
    Bytes encode(long[] entries, Scratch scratch) {
        Bytes bytes = chain.encode(new IndexWords(entries, chain.type().shape()).feed(), WHOLE, scratch)
                .orElse(Bytes.EMPTY);
        DecodedSize.exactly(size).check(bytes.size(), "index_codecs encoded");
        return bytes;
    }

    /** Whether the index comes before the inner chunks. */
    boolean isFirst() {
        return location == IndexLocation.START;
    }
}
