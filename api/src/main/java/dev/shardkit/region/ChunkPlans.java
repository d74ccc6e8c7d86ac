package dev.shardkit.region;

import dev.shardkit.engine.run.PartedRead;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.box.RegionCheck;
import dev.shardkit.region.feed.ClearingFeed;
import dev.shardkit.region.feed.PaddedFeed;
import dev.shardkit.region.feed.WritePart;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plans reads and changes of an array's stored chunks. Knows the key of each chunk and the codec for each chunk shape.
 * Runs no plan itself. Thread-safe: codecs are bound once per distinct chunk shape, guarded by this object's monitor.
 */
public final class ChunkPlans {
    /** An index in a key: a decimal number. 2^63-1 has 19 digits. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

    /** The most chunk shapes whose codecs are kept. */
    private static final int MAX_SHAPES = 1024;

    private final ArrayMetadata metadata;
    private final String path;
    private final Limits limits;
    /** Finds and changes the stored objects of chunks by the chunks' keys, through the storage transformers. */
    private final Keyspace keyspace;
    /** The codecs of recently used shapes, in access order. A grid may have as many shapes as chunks. */
    private final Map<Box, ChunkCodec> bound = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Box, ChunkCodec> eldest) {
            return size() > MAX_SHAPES;
        }
    };

    /** The codec of the last shape. Most arrays have one shape; readers find its codec here without a lock. */
    private volatile @Nullable Bound last;

    /** Creates the plans for an array in a store. */
    public ChunkPlans(ArrayMetadata metadata, StoredNode node) {
        this(
                metadata,
                node.path(),
                node.session().options().limits(),
                new IdentityKeyspace(node.session().store()));
    }

    /** Returns the metadata of the array. */
    public ArrayMetadata metadata() {
        return metadata;
    }

    /** Creates the plans for an array that may not be in a store yet. Each object has the key of its chunk. */
    public ChunkPlans(ArrayMetadata metadata, String path, Limits limits) {
        this(metadata, path, limits, Keyspace.stored());
    }

    /** Creates the plans over the keys of stored objects. The last transformer is nearest to these keys. */
    private ChunkPlans(ArrayMetadata metadata, String path, Limits limits, Keyspace stored) {
        this.metadata = metadata;
        this.path = path;
        this.limits = limits;
        Keyspace keys = stored;
        for (int i = metadata.storageTransformers().size() - 1; i >= 0; i--) {
            StorageTransformer transformer = metadata.storageTransformers().get(i);
            keys = transformer.over(keys);
        }
        this.keyspace = keys;
    }

    public ChunkGrid grid() {
        return metadata.chunkGrid();
    }

    /** Returns the limits for untrusted data. */
    public Limits limits() {
        return limits;
    }

    /** Returns the codec for the chunk at {@code cell}. */
    public ChunkCodec codec(long[] cell) {
        return codec(grid().chunk(cell));
    }

    /** Returns the chunk at the origin, even of an array without elements, which has no chunk. */
    public Box firstChunk() {
        long[] shape = Arrays.stream(metadata.shape())
                .map(length -> Math.max(1, length))
                .toArray();
        ChunkGrid grid = Box.of(metadata.shape()).isEmpty() ? grid().resize(shape) : grid();
        return grid.chunk(new long[shape.length]);
    }

    /** Returns the codec for {@link #firstChunk()}. */
    public ChunkCodec firstCodec() {
        return codec(firstChunk());
    }

    private ChunkCodec codec(Box chunk) {
        Bound cached = last;
        return cached != null && cached.fits(chunk) ? cached.codec() : bind(chunk);
    }

    private synchronized ChunkCodec bind(Box chunk) {
        Box shape = Box.of(chunk.shape());
        ChunkCodec codec = bound.computeIfAbsent(shape, s -> metadata.codecs()
                .bind(ChunkType.of(metadata.dataType(), metadata.fillValue(), chunk.shape()), limits));
        last = new Bound(shape, codec);
        return codec;
    }

    private record Bound(Box shape, ChunkCodec codec) {
        public boolean fits(Box chunk) {
            for (int d = 0; d < chunk.rank(); d++) {
                if (chunk.shape(d) != shape.shape(d)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Returns the key of the chunk at {@code cell}, before storage transformers. */
    public String key(long[] cell) {
        return StoreKeys.join(path, metadata.chunkKeyEncoding().encode(cell));
    }

    /** Returns the key of the stored object of the chunk at {@code cell}, after storage transformers. */
    public String storedKey(long[] cell) {
        return keyspace.storedKey(key(cell));
    }

    /** Returns the cell whose key is {@code key}; empty if keys do not contain the indices as decimal numbers. */
    public Optional<long[]> cell(String key) {
        int rank = metadata.shape().length;
        long[] cell = new long[rank];
        // The last numbers of a key are the cell. Others may precede them, as in a prefix of the key encoding.
        Matcher numbers = NUMBER.matcher(key);
        int found = 0;
        for (int position = path.length(); numbers.find(position); position = numbers.end()) {
            System.arraycopy(cell, Math.min(1, rank), cell, 0, Math.max(0, rank - 1)); // keeps the last numbers
            if (rank > 0) {
                cell[rank - 1] = Long.parseUnsignedLong(numbers.group()); // above 2^63-1: negative, whose key differs
            }
            found++;
        }
        boolean isKeyOfCell = metadata.storageTransformers().isEmpty()
                && found >= rank
                && key(cell).equals(key);
        return isKeyOfCell ? Optional.of(cell) : Optional.empty();
    }

    /**
     * Returns the directory that contains a directory per dimension, named by decimal index, down to the chunks; empty
     * if keys have another form.
     */
    public Optional<String> directories() {
        int rank = metadata.shape().length;
        long[] probe = new long[rank]; // different indices, so that their order shows
        Arrays.setAll(probe, d -> 7 + 3L * d);
        String[] parts = key(probe).split("/", -1);
        boolean isNested = rank > 0 && metadata.storageTransformers().isEmpty() && parts.length > rank;
        for (int d = 0; isNested && d < rank; d++) {
            isNested = parts[parts.length - rank + d].equals(Long.toString(probe[d]));
        }
        return isNested ? Optional.of(String.join("/", Arrays.copyOf(parts, parts.length - rank))) : Optional.empty();
    }

    /** Plans a change of the chunk at {@code cell}. */
    public Plan<Edit> change(long[] cell, Function<Source, Plan<Edit>> change) {
        return keyspace.edit(key(cell), change);
    }

    /** Returns the encoded chunk at {@code cell}. */
    public Plan<Source> source(long[] cell) {
        return keyspace.open(key(cell));
    }

    /** Finds the last valid end of the shard at {@code cell} after an interrupted append. */
    public Plan<OptionalLong> lastValidEnd(long[] cell) {
        return codec(cell)
                .shardAccess()
                .flatMap(ShardAccess::rewriting)
                .map(shard -> source(cell).then(shard::lastValidEnd))
                .orElseGet(() -> Plan.done(OptionalLong.empty()));
    }

    /** Returns the box of the chunk at {@code cell}, clipped to the array. */
    public Box inside(long[] cell) {
        return grid().chunk(cell).intersect(Box.of(metadata.shape()));
    }

    /**
     * Reads {@code region} into {@code target}, whose index zero is the region's origin.
     *
     * @param value supplies the result of the read
     */
    public <T> PartedRead<T> read(Box region, Target target, WholeShardReads wholeShards, Supplier<T> value) {
        Box cells = grid().touched(region);
        long count = RegionCheck.countable(cells);
        WholeShardReads choice = wholeShards.of(count);
        return new PartedRead<>(
                count,
                i -> {
                    long[] cell = cells.at(i);
                    Box chunk = grid().chunk(cell);
                    Box part = chunk.intersect(region);
                    ChunkCodec codec = codec(chunk);
                    Target window = target.window(part.relativeTo(region));
                    boolean needsAll = part.equals(inside(cell));
                    return source(cell)
                            .then(s -> choice.open(s, codec, needsAll))
                            .then(s -> codec.decodeInto(s, part.relativeTo(chunk), window));
                },
                value);
    }

    /**
     * Overwrites the part of {@code region} in the chunk at {@code cell}. Index zero of {@code values} is the region's
     * origin.
     */
    public Plan<Edit> write(long[] cell, Box region, Feed values, ShardWritePolicy policy) {
        return keyspace.edit(key(cell), update(cell, region, values, policy));
    }

    /** Overwrites parts of several chunks in one stored object; empty if they must be written one after the other. */
    public Optional<Plan<Edit>> write(List<long[]> cells, List<WritePart> parts, ShardWritePolicy policy) {
        List<Function<Source, Plan<Edit>>> updates = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            updates.add(update(cells.get(i), parts.get(i).box(), parts.get(i).feed(), policy));
        }
        return keyspace.editTogether(cells.stream().map(this::key).toList(), updates);
    }

    /** Plans a change of a chunk. A change that only clears boxes is skipped if they hold the fill value already. */
    private Function<Source, Plan<Edit>> update(long[] cell, Box region, Feed values, ShardWritePolicy policy) {
        Function<Source, Plan<Edit>> update = overwrite(cell, region, values, policy);
        if (!(values instanceof ClearingFeed clearing)) {
            return update;
        }
        Box chunk = grid().chunk(cell);
        return old -> holdsOtherThanFill(old, chunk, clearing)
                .then(other -> other ? update.apply(old) : Plan.done(new Edit.Keep()));
    }

    /** Returns whether the chunk holds elements other than the fill value in the boxes of {@code clearing}. */
    private Plan<Boolean> holdsOtherThanFill(Source old, Box chunk, ClearingFeed clearing) {
        if (clearing.coverage(Box.of(chunk.shape())) == Coverage.FILL) { // the whole chunk: clear it if it is stored
            return old.read(new ByteRange.Suffix(1), (result, scratch) -> result instanceof ReadResult.Found);
        }
        ChunkCodec codec = codec(chunk);
        FillCheck check = new FillCheck(metadata.dataType(), metadata.fillValue());
        List<Box> boxes = clearing.boxes();
        return Plan.all(boxes.size(), i -> {
                    Box part = boxes.get((int) i).relativeTo(chunk);
                    return codec.decodeInto(old, part, check);
                })
                .map(done -> check.foundOtherThanFill());
    }

    private Function<Source, Plan<Edit>> overwrite(long[] cell, Box region, Feed values, ShardWritePolicy policy) {
        Box chunk = grid().chunk(cell);
        ChunkCodec codec = codec(chunk);
        Box part = chunk.intersect(region);
        Feed feed = values.window(part.relativeTo(region));
        Coverage coverage = feed.coverage(Box.of(part.shape()));
        boolean coversChunk = part.equals(inside(cell)) && (coverage == Coverage.ALL || coverage == Coverage.FILL);
        if (coversChunk && coverage == Coverage.FILL && policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP) {
            return old -> Plan.done(new Edit.Delete());
        }
        if (!coversChunk) {
            return old -> codec.update(old, part.relativeTo(chunk), feed, policy);
        }
        // The write covers the whole chunk: only a header or footer is kept. Elements past the array's edge are the
        // fill value.
        Box stored = part.relativeTo(chunk);
        Feed padded = stored.equals(codec.type().box()) ? feed : PaddedFeed.of(feed, stored, metadata.fillValue());
        boolean keeps = policy.foreignBytes() == ShardWritePolicy.ForeignBytes.KEEP;
        return old -> EncodedFeed.update(
                codec, keeps ? old : Source.absent(old.location()), codec.type().box(), padded, policy);
    }
}
