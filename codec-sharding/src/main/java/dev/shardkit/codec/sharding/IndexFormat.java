package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardBuilder;
import dev.shardkit.spi.shard.ShardIndex;
import dev.shardkit.spi.type.CoreTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import java.util.zip.CRC32C;

/**
 * How the index of a shard is stored: an array of uint64 with an offset and a length for each inner chunk, encoded by
 * {@code index_codecs}, at the start or the end of the shard (sharding codec, "Binary shard format"). Its shape is the
 * number of inner chunks in each dimension, followed by 2; {@code ShardIndex} has the entries. The codecs determine its
 * size, which is the same for all shards. Immutable.
 */
final class IndexFormat {
    /** The maximum size in bytes of an index that can be found by searching a shard; see {@link #isSearchable}. */
    private static final long MAX_SEARCHABLE_BYTES = 16L << 20;

    /** Encodes also an index without inner chunks, whose words all equal the fill value. */
    private static final ShardWritePolicy KEEP_FILL =
            ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);

    private final ChunkCodec chain;
    private final IndexLocation location;
    private final long size;
    private final Decoder<Optional<ShardIndex>> decoder;

    /** The cache identity of decoded indexes, equal for all formats with the same configuration. */
    private record Identity(String form) {}

    private final Identity identity;
    private final boolean hasChecksum;
    private final boolean searchable;
    /** Whether a wrong checksum is ignored. */
    private final boolean ignoresChecksum;

    private IndexFormat(
            ChunkCodec chain,
            IndexLocation location,
            long size,
            Identity identity,
            boolean hasChecksum,
            boolean searchable,
            boolean ignoresChecksum) {
        this.ignoresChecksum = ignoresChecksum;
        this.identity = identity;
        this.hasChecksum = hasChecksum;
        this.searchable = searchable;
        this.chain = chain;
        this.location = location;
        this.size = size;
        this.decoder =
                Decoder.kept(identity, index -> index.map(ShardIndex::weight).orElse(16L), this::decode);
    }

    /**
     * Creates the format of the index of a shard with {@code cells} inner chunks in each dimension.
     *
     * @throws MetadataException if the index has no fixed size or is too large
     */
    static IndexFormat of(long[] cells, CodecChain codecs, IndexLocation location, Limits limits) {
        long[] shape = Arrays.copyOf(cells, cells.length + 1);
        shape[cells.length] = 2;
        refuseLarger(decodedSize(shape), cells, limits);
        ChunkType type = ChunkType.of(CoreTypes.UINT64, FillValue.of(missingWord()), shape);
        ChunkCodec chain = codecs.bind(type, limits);
        long size = chain.encodedSize()
                .orElseThrow(
                        () -> new MetadataException("index_codecs: expected codecs whose output has one size, found "
                                + codecs.codecs().stream().map(Codec::name).toList()));
        refuseLarger(OptionalLong.of(size), cells, limits);
        String form = location.word() + " " + Arrays.toString(cells) + " " + codecs.json();
        boolean hasChecksum =
                codecs.codecs().get(codecs.codecs().size() - 1).name().equals(Crc32cWindow.CODEC);
        boolean isSearchable = false; // decided by forInner()
        boolean ignoresChecksum = false;
        return new IndexFormat(chain, location, size, new Identity(form), hasChecksum, isSearchable, ignoresChecksum);
    }

    /**
     * Returns this format for shards of the given inner chunks, and finds out whether it is {@linkplain #isSearchable
     * searchable}.
     */
    IndexFormat forInner(ChunkCodec inner) {
        boolean isSearchable = hasChecksum
                && location == IndexLocation.END
                && size <= MAX_SEARCHABLE_BYTES
                && !hasSimilarIndex(inner, count());
        return new IndexFormat(chain, location, size, identity, hasChecksum, isSearchable, ignoresChecksum);
    }

    /** Returns this format with indexes whose checksum is ignored; empty if they have none. */
    Optional<IndexFormat> unchecked() {
        if (!hasChecksum) {
            return Optional.empty();
        }
        Identity uncheckedIdentity = new Identity(identity.form + " unchecked");
        boolean ignoring = true;
        return Optional.of(
                new IndexFormat(chain, location, size, uncheckedIdentity, hasChecksum, searchable, ignoring));
    }

    /**
     * Returns whether inner chunks are, or contain, shards of {@code count} inner chunks: their index could be taken
     * for this one.
     */
    private static boolean hasSimilarIndex(ChunkCodec inner, long count) {
        Optional<ShardAccess> nested = inner.shardAccess();
        return nested.isPresent()
                && (Shapes.count(nested.get().gridShape()) == count
                        || hasSimilarIndex(nested.get().inner(), count));
    }

    /**
     * Returns whether an index of this format can be found by searching a shard: it is at the end, has a checksum, and
     * no inner shard has an index that could be taken for it. Old indexes then identify the unused bytes of a shard,
     * and after an interrupted append the last valid index is in force.
     */
    boolean isSearchable() {
        return searchable;
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

    /** Returns the bytes of {@link ShardIndex#NONE}, which are all equal. */
    private static byte[] missingWord() {
        byte[] bytes = new byte[Long.BYTES];
        Arrays.fill(bytes, (byte) ShardIndex.NONE);
        return bytes;
    }

    /** Returns the size of the stored index in bytes. */
    long size() {
        return size;
    }

    /** Returns the first byte at which inner chunks may start. */
    long firstByte() {
        return location == IndexLocation.START ? size : 0;
    }

    /** Returns the number of inner chunks. */
    long count() {
        return chain.type().count() / 2;
    }

    /** Returns the byte range of the index in a shard of {@code shardSize} bytes. */
    private Extent extent(long shardSize) {
        return new Extent(location == IndexLocation.START ? 0 : shardSize - size, size);
    }

    /** Reads the index of {@code shard} without checking its entries; empty if the shard does not exist. */
    Plan<Optional<ShardIndex>> read(Source shard) {
        ByteRange range = location == IndexLocation.END
                ? new ByteRange.Suffix(size)
                : new ByteRange.Slice(0, Math.min(size, shard.size().orElse(size)));
        return shard.read(range, decoder);
    }

    private Optional<ShardIndex> decode(ReadResult result, Scratch scratch) {
        return ShardIndex.found(result, size).map(read -> decode(read.bytes(), read.sourceSize(), scratch));
    }

    /**
     * Decodes the index of a shard of {@code shardSize} bytes without checking its entries.
     *
     * @param bytes the bytes of the index, exactly {@link #size} of them
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
            if (ignoresChecksum && bytes.size() > Integer.BYTES) { // retries with a checksum that fits the entries
                boolean ignoring = false;
                return new IndexFormat(chain, location, size, identity, hasChecksum, searchable, ignoring)
                        .decode(withValidChecksum(bytes), shardSize, scratch);
            }
            throw new ChecksumException("shard index: " + e.fact(), e);
        } catch (CorruptDataException e) {
            throw new CorruptDataException("shard index: " + e.fact(), e);
        }
        return new ShardIndex(entries, extent(shardSize), shardSize);
    }

    private static Bytes withValidChecksum(Bytes index) {
        Bytes entries = index.slice(0, index.size() - Integer.BYTES);
        CRC32C crc = new CRC32C();
        entries.pieces().forEach(piece -> crc.update(piece.duplicate()));
        ByteBuffer checksum = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return Bytes.concat(
                List.of(entries, Bytes.of(checksum.putInt((int) crc.getValue()).array())));
    }

    /**
     * Returns the builder of a shard with an index of this format.
     *
     * @param slack the number of bytes to leave free after an inner chunk, by its size
     */
    ShardBuilder builder(LongUnaryOperator slack) {
        return new ShardBuilder(count(), firstByte(), slack);
    }

    /** Returns the content of {@code shard}, including the index. */
    List<Piece> finish(ShardBuilder shard, Scratch scratch) {
        List<Piece> pieces = new ArrayList<>(shard.pieces());
        pieces.add(isFirst() ? 0 : pieces.size(), new Piece.Literal(encode(shard.entries(), scratch)));
        return pieces;
    }

    /** Encodes an index with these entries. */
    Bytes encode(long[] entries, Scratch scratch) {
        Bytes bytes = chain.encode(new IndexWords(entries, chain.type().shape()).feed(), KEEP_FILL, scratch)
                .orElse(Bytes.EMPTY);
        DecodedSize.exactly(size).check(bytes.size(), "index_codecs encoded");
        return bytes;
    }

    /** Returns whether the index is at the start of the shard. */
    boolean isFirst() {
        return location == IndexLocation.START;
    }
}
