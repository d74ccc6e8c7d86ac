package dev.shardkit;

import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.engine.Guards;
import dev.shardkit.json.AttributeMapper;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.Chunks;
import dev.shardkit.region.RegionReads;
import dev.shardkit.region.Regions;
import dev.shardkit.region.Resizing;
import dev.shardkit.region.SlicePlace;
import dev.shardkit.region.StoredArray;
import dev.shardkit.region.Tiles;
import dev.shardkit.region.Writes;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.FoundNode;
import dev.shardkit.session.Handles;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Unit;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A Zarr v3 array, sharded or not. Regions are boxes in the array's coordinates; indices and sizes are 64-bit.
 *
 * <p>Thread-safe: any number of threads may read and write at once. Writers of one shard wait for one another, in this
 * process and (file stores) in others, and lose nothing. Our readers see each stored object as it was before or after a
 * write, never a mixture; other libraries too, where shards are rewritten, which is the default of the write policy's
 * strategy. Interrupting a blocking call ends it with {@link java.util.concurrent.CancellationException}.
 */
public final class ZarrArray implements ZarrNode {
    static {
        Handles.open(ZarrArray.class, array -> array.stored);
    }

    private final StoredArray stored;
    private final StoredNode node;
    private final ArrayMetadata metadata;
    private final Chunks chunks;
    private final RegionReads reads;
    private final Writes writes;

    ZarrArray(StoredNode node, ArrayMetadata metadata) {
        this(node, metadata, new Chunks(metadata, node));
    }

    private ZarrArray(StoredNode node, ArrayMetadata metadata, Chunks chunks) {
        this.stored = new StoredArray(node, metadata, chunks);
        this.node = node;
        this.metadata = metadata;
        this.chunks = chunks;
        this.reads = new RegionReads(node, metadata, chunks);
        this.writes = Writes.ofHandle(node, metadata, chunks);
    }

    /**
     * The same array with other run-time options, for a while or for a call: {@code array.with(o ->
     * o.withDurability(Durability.NONE)).write(...)}. Threads are shared unless the executor or the parallelism differ,
     * and what is kept between calls unless its limit does; plug-ins stay those of this handle. It need not be closed:
     * closing it closes nothing.
     */
    public ZarrArray with(UnaryOperator<ZarrOptions> change) {
        Settings other = change.apply(options()).settings();
        Session changed = node.session().with(other);
        return other.limits().equals(node.session().options().limits())
                ? new ZarrArray(node.in(changed), metadata, chunks)
                : new ZarrArray(node.in(changed), metadata);
    }

    /** The run-time options of this handle. */
    public ZarrOptions options() {
        return new ZarrOptions(node.session().options());
    }

    @Override
    public String path() {
        return node.path();
    }

    @Override
    public String location() {
        return node.location();
    }

    /** The metadata document, parsed. */
    public ArrayMetadata metadata() {
        return metadata;
    }

    /** The shape. */
    public long[] shape() {
        return metadata.shape();
    }

    /** The data type. */
    public DataType dataType() {
        return metadata.dataType();
    }

    /** The fill value. */
    public FillValue fillValue() {
        return metadata.fillValue();
    }

    /** All of the array, as a region. */
    public Box domain() {
        return Box.of(metadata.shape());
    }

    /** The shape of what is stored as one object, at the array's origin: the shard, or without sharding the chunk. */
    public long[] storedChunkShape() {
        return chunks.first().shape();
    }

    /** The shape of what can be read by itself, at the array's origin: the innermost inner chunk, or the chunk. */
    public long[] chunkShape() {
        return codec().readShape();
    }

    /** Whether chunks are packed into shards whose inner chunks can be read by themselves. */
    public boolean isSharded() {
        return codec().partitioned().isPresent();
    }

    private ChunkCodec codec() {
        return chunks.firstCodec();
    }

    /** The inside of the array's shards and chunks, for those who look at encoded bytes. */
    public StoredChunks storedChunks() {
        return new StoredChunks(stored);
    }

    /** Which inner chunks (without sharding: chunks) of the array exist. */
    public ChunkPresence presence() {
        return presence(domain());
    }

    /** Which inner chunks (without sharding: chunks) that {@code region} touches exist. */
    public ChunkPresence presence(Box region) {
        return new ChunkPresence(node, chunks, domain(), check(region));
    }

    /**
     * Whether the innermost inner chunk (without sharding: the chunk) at {@code cell} exists; {@link ChunkPresence}.
     */
    public boolean chunkExists(long... cell) {
        return presence().exists(cell);
    }

    /** The list of chunks that exist, as an attribute of the array claims it. */
    public ChunkManifest chunkManifest() {
        return new ChunkManifest(node, metadata);
    }

    /** Reads the whole array. */
    public NdArray read() {
        return read(domain());
    }

    /**
     * Reads a region.
     *
     * @throws IndexOutOfBoundsException if it reaches outside the array
     * @throws IllegalArgumentException if it has more elements than a Java array holds
     */
    public NdArray read(Box region) {
        return reads.read(check(region), this::values);
    }

    /** Reads a region into a Java array of the data type's carrier, in C order from place {@code offset}. */
    public void readInto(Object array, int offset, Box region) {
        reads.read(check(region), reads.target(region, array, offset));
    }

    /**
     * Reads a region of any size into a target, whose index zero is the region's origin. What it throws ends the read
     * as it is.
     */
    public void read(Box region, Target target) {
        reads.read(check(region), Guards.target(target));
    }

    /** Reads a region without waiting; cancelling the future ends it. */
    public CompletableFuture<NdArray> readAsync(Box region) {
        return reads.start(check(region), this::values);
    }

    /**
     * Reads a region of any size into a target without waiting; after cancelling, the target may still be written to.
     */
    public CompletableFuture<Unit> readAsync(Box region, Target target) {
        return reads.start(check(region), Guards.target(target));
    }

    /**
     * The inner chunks (without sharding: the chunks) that lie in {@code region}, cut to it, in C order. They are read
     * a few at a time, as the stream is consumed.
     */
    public Stream<InnerChunk> innerChunks(Box region) {
        Iterator<List<Box>> batches = batches(region);
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(batches, Spliterator.ORDERED), false)
                .flatMap(boxes -> reads.read(boxes, this::innerChunk).stream());
    }

    /** The boxes of {@link #innerChunks}, in the batches in which they are read. */
    Iterator<List<Box>> batches(Box region) {
        return new Tiles(chunks, check(region));
    }

    CompletableFuture<List<InnerChunk>> readAsync(List<Box> boxes) {
        return reads.start(boxes, this::innerChunk);
    }

    private NdArray values(Box region, Object array) {
        return NdArray.of(dataType(), region.shape(), array);
    }

    private InnerChunk innerChunk(Box box, Object array) {
        return new InnerChunk(box, values(box, array));
    }

    /**
     * Overwrites a region. Only what it touches is written: inner chunks that it covers in part are read, changed and
     * encoded again, the others of their shards move as encoded bytes. When it returns, readers anywhere see it.
     *
     * @throws IndexOutOfBoundsException if it reaches outside the array
     * @throws UnsupportedException if the store cannot write
     */
    public void write(Box region, NdArray values) {
        write(region, values.filling(region).array(), 0);
    }

    /** Overwrites a region with a Java array of the data type's carrier, in C order from place {@code offset}. */
    public void write(Box region, Object array, int offset) {
        write(region, JavaArrays.feed(dataType(), check(region).shape(), array, offset));
    }

    /**
     * Overwrites a region of any size with what a feed gives, whose index zero is the region's origin; where the feed
     * has holes, what is stored stays. What it throws ends the write.
     */
    public void write(Box region, Feed feed) {
        writes.write(check(region), Guards.feed(feed));
    }

    /**
     * Overwrites a region without waiting; cancelling the future ends it between shards. The values must stay as they
     * are.
     */
    public CompletableFuture<Unit> writeAsync(Box region, NdArray values) {
        check(region);
        return async(() -> write(region, values));
    }

    /**
     * As {@link #write(Box, Feed)}, without waiting; cancelling the future ends it between shards. The feed is asked
     * from other threads, for a moment after the cancellation too.
     */
    public CompletableFuture<Unit> writeAsync(Box region, Feed feed) {
        check(region);
        return async(() -> write(region, feed));
    }

    /**
     * Sets a region back to the fill value. Shards and chunks in it are deleted, and inner chunks in it leave their
     * shard, without being read; those that it covers in part are changed like in a write. A shard of which nothing is
     * left is deleted too, whatever the write policy says of empty chunks. Only what is stored is visited, so the
     * region may be of any size where the store can list; elsewhere each shard is looked for, of which there may be
     * 2^20.
     *
     * @throws UnsupportedException if the store cannot list and the region has more shards than that
     */
    public void erase(Box region) {
        writes.erase(check(region));
    }

    /** As {@link #erase}, without waiting; cancelling the future ends it between shards. */
    public CompletableFuture<Unit> eraseAsync(Box region) {
        check(region);
        return async(() -> erase(region));
    }

    /**
     * Gives the array another shape, of as many dimensions, and gives the array as it is then; this handle keeps the
     * old one. Only the metadata change, and with {@link Outside#REMOVE} what is stored outside of the new shape; the
     * listener is told how far that is. Other members of the metadata stay as they are stored.
     *
     * <p>What is outside goes before the metadata change: after a crash the array has its old shape and lacks none of
     * what is inside the new one; the same call again ends it. Nobody should write outside meanwhile. Where the array
     * grows it shows the fill value, or what {@link Outside#KEEP} left.
     *
     * <p>Streams of slices that make the array longer wait for this call, and this call waits for a batch that one of
     * them writes; the next batch goes behind the new end. On a store without locks a stream does not wait: if it makes
     * the array longer meanwhile, its slices stay and this call fails.
     *
     * @throws dev.shardkit.spi.error.StoreException if the array was made longer since this handle was opened, and
     *     would lose what this handle does not know of
     */
    public ZarrArray resize(long[] shape, Outside outside) {
        node.refuseForeign();
        ArrayMetadata changed = new Resizing(node).run(metadata, shape, outside == Outside.KEEP);
        Consolidated.changed(node, changed);
        return new ZarrArray(node, changed);
    }

    /** As {@link #resize}, without waiting. */
    public CompletableFuture<ZarrArray> resizeAsync(long[] shape, Outside outside) {
        return node.session().async(() -> resize(shape, outside));
    }

    /**
     * Begins a transaction that holds at most {@code budgetBytes} bytes of staged writes and refuses more; its commit
     * writes as this handle's options say.
     */
    public Transaction transaction(long budgetBytes) {
        return transaction(budgetBytes, WhenFull.REFUSE);
    }

    /** Begins a transaction that holds at most {@code budgetBytes} bytes of staged writes. */
    public Transaction transaction(long budgetBytes, WhenFull whenFull) {
        return new Transaction(node.session(), metadata, chunks, writes, budgetBytes, whenFull);
    }

    /** Begins a stream of slices along {@code dimension}, by {@link SliceOptions#defaults()}. */
    public SliceWriter slices(int dimension) {
        return slices(dimension, SliceOptions.defaults());
    }

    /** Begins a stream of slices along {@code dimension}. */
    public SliceWriter slices(int dimension, SliceOptions options) {
        node.refuseForeign();
        SlicePlace place = new SlicePlace(
                node.in(node.session().with(node.session().options())),
                metadata,
                dimension,
                options.growth() == SliceOptions.Growth.GROW,
                options.region());
        return new SliceWriter(node, place, dimension, options);
    }

    /** The shards (without sharding: the chunks) of the array. */
    public Shards shards() {
        return shards(domain());
    }

    /** The shards (without sharding: the chunks) that a region touches; lazy, and to be split among workers. */
    public Shards shards(Box region) {
        return new Shards(chunks, check(region));
    }

    private CompletableFuture<Unit> async(Runnable call) {
        return node.session().async(() -> {
            call.run();
            return Unit.UNIT;
        });
    }

    @Override
    public Json.Obj attributes() {
        return metadata.attributes();
    }

    @Override
    public Optional<String> nodeFormat() {
        return node.session().foreign().map(FoundNode.Foreign::format);
    }

    @Override
    public <T> T attributes(Class<T> type) {
        return AttributeMapper.map(metadata.attributes(), type, location());
    }

    @Override
    public ZarrArray withAttributes(Json.Obj attributes) {
        ArrayMetadata changed = node.changeMetadata(metadata, now -> now.withAttributes(attributes));
        Consolidated.changed(node, changed);
        return new ZarrArray(node, changed);
    }

    @Override
    public void delete() {
        node.deleteNode();
        Consolidated.forget(node);
    }

    /** The names of the dimensions, if they have any. */
    public Optional<List<Optional<String>>> dimensionNames() {
        return metadata.dimensionNames();
    }

    private Box check(Box region) {
        return Regions.in(metadata.shape(), region);
    }

    @Override
    public void close() {
        node.session().close();
    }

    @Override
    public String toString() {
        return "array " + location() + " " + dataType().name() + Arrays.toString(shape());
    }
}
