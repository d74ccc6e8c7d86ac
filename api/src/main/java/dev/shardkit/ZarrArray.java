package dev.shardkit;

import dev.shardkit.attributes.AttributeMapper;
import dev.shardkit.engine.threads.CallerExceptionGuards;
import dev.shardkit.engine.threads.SerialCalls;
import dev.shardkit.javaarray.ConvertingTarget;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.javaarray.NumberArrays;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.StoredArray;
import dev.shardkit.region.box.RegionCheck;
import dev.shardkit.region.read.RegionReads;
import dev.shardkit.region.read.TileGroups;
import dev.shardkit.region.resize.Resizing;
import dev.shardkit.region.selection.Selections;
import dev.shardkit.region.stream.SlicePlan;
import dev.shardkit.region.stream.SlicePosition;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.selection.Selection;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.NoResult;
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
 * A Zarr v3 array, sharded or not. Regions are boxes in the array's coordinates. Indices and sizes are 64-bit.
 *
 * <p>Thread-safe: any number of threads may read and write at once. Writers of one shard wait for one another and lose
 * no updates. In file stores, this includes writers in other processes. Readers see a stored object as it was before or
 * after a write, never a mixture, unless the durability is {@link dev.shardkit.store.policy.Durability#NONE}. Readers
 * of other libraries see the same if shards are rewritten, which is the default strategy of the write policy.
 * Interrupting a blocking call ends it with {@link java.util.concurrent.CancellationException}.
 *
 * <p>The future of an asynchronous call, here and in all other classes, is done when the call has ended: after that,
 * the call touches neither the caller's memory nor the store. Cancelling or completing the future, and
 * {@code orTimeout}, stop the call, but the future is done only when its running requests have ended.
 * {@code cancel(true)}, {@code complete} and {@code completeExceptionally} wait for that end, at most ten seconds;
 * {@code cancel(false)} and {@code orTimeout} do not wait.
 */
public final class ZarrArray extends ZarrNode {
    static {
        InternalAccess.open(ZarrArray.class, array -> array.stored);
    }

    final ArrayMetadata metadata;
    final ChunkPlans chunks;
    final StoredArray stored;
    private final RegionReads reads;
    private final RegionWrites writes;

    ZarrArray(StoredNode node, ArrayMetadata metadata) {
        this(node, metadata, new ChunkPlans(metadata, node));
    }

    private ZarrArray(StoredNode node, ArrayMetadata metadata, ChunkPlans chunks) {
        super(node);
        this.metadata = metadata;
        this.chunks = chunks;
        this.stored = new StoredArray(node, metadata, chunks);
        this.reads = new RegionReads(stored);
        this.writes = RegionWrites.ofHandle(stored);
    }

    @Override
    public ArrayMetadata metadata() {
        return metadata;
    }

    /** Returns the shape. */
    public long[] shape() {
        return metadata.shape();
    }

    /** Returns the data type. */
    public DataType dataType() {
        return metadata.dataType();
    }

    /** Returns the fill value. */
    public FillValue fillValue() {
        return metadata.fillValue();
    }

    /** Returns the region that covers the whole array. */
    public Box domain() {
        return Box.of(metadata.shape());
    }

    /**
     * Returns the shape of a stored object at the array's origin: the shard, or the chunk of an array without shards.
     */
    public long[] storedChunkShape() {
        return chunks.firstChunk().shape();
    }

    /**
     * Returns the shape of the smallest unit of a read at the array's origin: the innermost inner chunk, or the chunk.
     */
    public long[] chunkShape() {
        return codec().readShape();
    }

    /** Returns whether the array has shards whose inner chunks can be read on their own. */
    public boolean isSharded() {
        return codec().shardAccess().isPresent();
    }

    private ChunkCodec codec() {
        return chunks.firstCodec();
    }

    /** Returns the stored objects and the layout of the shards, for tools that inspect encoded bytes. */
    public ArrayStorage storage() {
        return new ArrayStorage(stored);
    }

    /** Returns the inner chunks (without sharding: the chunks) that exist. */
    public ChunkPresence presence() {
        return presence(domain());
    }

    /** Returns the inner chunks (without sharding: the chunks) that exist and touch {@code region}. */
    public ChunkPresence presence(Box region) {
        return new ChunkPresence(stored, domain(), check(region));
    }

    /**
     * Returns whether the innermost inner chunk (without sharding: the chunk) at {@code cell} exists; see
     * {@link ChunkPresence#exists}.
     */
    public boolean chunkExists(long... cell) {
        return presence().exists(cell);
    }

    /** Returns the {@code nonempty_chunks} attribute, a list of the chunks that exist. */
    public NonemptyChunksAttribute nonemptyChunks() {
        return new NonemptyChunksAttribute(node, metadata);
    }

    /** Returns the names of the dimensions; empty if they have none. */
    public Optional<List<Optional<String>>> dimensionNames() {
        return metadata.dimensionNames();
    }

    /** Returns all shards (without sharding: chunks) of the array. */
    public Shards shards() {
        return shards(domain());
    }

    /**
     * Returns the shards (without sharding: chunks) that a region touches. Lazy; {@link Shards#split} divides them
     * among workers.
     */
    public Shards shards(Box region) {
        return new Shards(chunks, check(region));
    }

    /**
     * Reads header and footer of the shard at {@code cell}: those set by {@link #writeMargins}, else the bytes that
     * another program wrote there. Empty if the shard is not stored; {@link ShardMargins#NONE} if it has neither.
     * Unused bytes are not part of them.
     *
     * @param cell the coordinates of the shard in the grid of shards, one per dimension
     * @param maxBytes the largest sum of both sizes, in bytes
     * @throws IndexOutOfBoundsException if there is no such shard
     * @throws UnsupportedException if header and footer are larger than {@code maxBytes} together, or if the stored
     *     chunks are not shards, or are shards inside another codec
     */
    public Optional<ShardMargins> readMargins(long[] cell, int maxBytes) {
        return new ShardMarginAccess(stored).read(cell, maxBytes);
    }

    /**
     * Replaces the header and footer of the shard at {@code cell}, also those that another program wrote. The elements
     * stay. The call rewrites the shard. A mark of 16 bytes separates each from the inner chunks, so that later writes
     * of every strategy keep them, except for these: a write that covers the whole shard, without
     * {@link ShardWritePolicy.ForeignBytes#KEEP}; any rewrite with {@link ShardWritePolicy.ForeignBytes#DROP}; a write
     * that leaves the shard empty, which deletes it; a change of layout. Other Zarr libraries ignore them on reading.
     *
     * @param cell the coordinates of the shard in the grid of shards, one per dimension
     * @throws IndexOutOfBoundsException if there is no such shard
     * @throws UnsupportedException if the shard is not stored, if it would become larger than its shape and codecs
     *     allow, if the stored chunks are not shards or are shards inside another codec, or if the store is read-only
     * @throws IllegalArgumentException if the header or the footer is larger than 16 MiB, or contains one of shardkit's
     *     marks
     */
    public void writeMargins(long[] cell, ShardMargins margins) {
        node.refuseForeign();
        new ShardMarginAccess(stored).write(cell, margins);
    }

    /**
     * Changes the shape; the number of dimensions stays the same. The call changes the stored metadata and, with
     * {@link ResizePolicy#REMOVE}, removes the elements outside the new shape; a listener receives the progress. Other
     * members of the metadata keep their stored values. This handle keeps the old shape.
     *
     * <p>Elements outside are removed before the metadata change. After a crash, the array has its old shape and all
     * elements inside the new one; rerunning the call completes it. No other writer should write outside the new shape
     * meanwhile. With {@link ResizePolicy#REMOVE}, the new elements of a larger array read as the fill value: elements
     * that another program has left there are cleared before the metadata change. With {@link ResizePolicy#KEEP}, such
     * elements are kept, and readers see them.
     *
     * <p>Slice writers that extend the array wait for this call, and this call waits for a batch that is being written.
     * The next batch is appended after the new end. On a store without locks, a slice writer does not wait: if it
     * extends the array meanwhile, its slices stay and this call fails. The elements between the new shape and the old
     * one are removed then, and the error says so.
     *
     * @return the array with its new shape
     * @throws dev.shardkit.spi.error.StoreException if the array was extended since this handle was opened, and the
     *     call would leave those elements outside
     * @throws dev.shardkit.spi.error.UnknownOutcomeException if the answer to the change was lost, and the store cannot
     *     tell whether the change was made
     */
    public ZarrArray resize(long[] shape, ResizePolicy outside) {
        node.refuseForeign();
        boolean keepsOutside = outside == ResizePolicy.KEEP;
        ArrayMetadata changed = new Resizing(node).run(metadata, shape, keepsOutside);
        ConsolidatedUpdates.changed(node);
        return new ZarrArray(node, changed);
    }

    /** Asynchronous form of {@link #resize(long[], ResizePolicy)}. */
    public CompletableFuture<ZarrArray> resizeAsync(long[] shape, ResizePolicy outside) {
        return node.session().async(() -> resize(shape, outside));
    }

    /**
     * Reads the stored metadata again, for example to see the new shape of an array that another process extends.
     * Elements that were written before the stored shape are seen too, regardless of what a remote store would keep in
     * its cache for some seconds. This handle keeps its metadata. Both handles share threads, cache and store; closing
     * one closes both.
     *
     * <p>On a remote store, costs one request now, and later one for each cached object that is read again: the request
     * confirms that the object is unchanged. Arrays opened with {@link ZarrOptions#withImmutableObjects} still trust
     * their cache.
     *
     * @return the array with its stored metadata; this handle if nothing has changed
     * @throws dev.shardkit.spi.error.MetadataException if the array was deleted, or replaced by a group
     * @throws UnsupportedException if the metadata came from the caller and are not stored
     */
    public ZarrArray refresh() {
        checkStored();
        return refreshed(node.call(node::find));
    }

    /** Asynchronous form of {@link #refresh}. Cancelling the future stops the request. */
    public CompletableFuture<ZarrArray> refreshAsync() {
        checkStored();
        return node.start(() -> node.find().map(this::refreshed));
    }

    private void checkStored() {
        if (!node.session().hasDocuments()) {
            throw node.located(new UnsupportedException(
                    "the metadata of this array came from the caller and cannot be read again; open the array with the "
                            + "new metadata"));
        }
    }

    private ZarrArray refreshed(Optional<FoundNode> found) {
        FoundNode current = found.orElseThrow(node::deletedError);
        ZarrArray refreshed = ZarrNode.array(Zarr.node(current, node.session()), node);
        node.session().checkCached();
        return refreshed.metadata.equals(metadata) && current.dataPath().equals(node.path()) ? this : refreshed;
    }

    @Override
    public ZarrArray replaceAttributes(Json.Obj attributes) {
        return changeAttributes(stored -> attributes);
    }

    @Override
    public ZarrArray changeAttributes(UnaryOperator<Json.Obj> change) {
        ArrayMetadata changed = changing(
                change,
                guarded -> node.changeMetadata(
                        metadata, stored -> stored.withAttributes(guarded.apply(stored.attributes()))));
        ConsolidatedUpdates.changed(node);
        return new ZarrArray(node, changed);
    }

    @Override
    public ZarrArray replaceAttributes(Object attributes) {
        return replaceAttributes(AttributeMapper.attributes(attributes));
    }

    @Override
    public ZarrArray mergeAttributes(Object members) {
        return changeAttributes(merging(members));
    }

    Box check(Box region) {
        return RegionCheck.in(metadata.shape(), region);
    }

    @Override
    public String toString() {
        return "array " + location() + " " + dataType().name() + Arrays.toString(shape());
    }

    /**
     * Returns this array with other run-time options: {@code array.with(o ->
     * o.withDurability(Durability.NONE)).write(...)}. Both handles share threads unless the executor or the parallelism
     * differs, and the cache unless its limit differs. The plug-ins stay the same. The new handle need not be closed;
     * closing it does nothing.
     */
    public ZarrArray with(UnaryOperator<ZarrOptions> change) {
        Settings settings = change.apply(options()).settings();
        Session changed = node.session().with(settings);
        // the chunk plans hold codecs that depend on the limits
        return settings.limits().equals(node.session().options().limits())
                ? new ZarrArray(node.in(changed), metadata, chunks)
                : new ZarrArray(node.in(changed), metadata);
    }

    /** Reads the whole array. */
    public NdArray read() {
        return read(domain());
    }

    /**
     * Reads a region.
     *
     * @throws IndexOutOfBoundsException if the region reaches outside the array
     * @throws IllegalArgumentException if the region has more elements than a Java array can hold
     */
    public NdArray read(Box region) {
        return reads.read(check(region), this::values);
    }

    /**
     * Reads a region and converts its elements to another number type; see {@link NdArray#convert(DataType,
     * NumberCast)}. Converts while it reads, so there is no second array.
     */
    public NdArray read(Box region, DataType target, NumberCast cast) {
        Object array = JavaArrayAdapters.allocate(target, check(region).shape());
        reads.read(
                region,
                CallerExceptionGuards.target(new ConvertingTarget(dataType(), target, cast, array, 0, region.shape())));
        return NdArray.of(target, region.shape(), array);
    }

    /**
     * Reads a region into a Java array, in C order, beginning at index {@code offset}. The array is the carrier of the
     * data type, or, if the elements are numbers, an {@code int[]}, {@code long[]}, {@code float[]} or
     * {@code double[]}, to which they are converted.
     *
     * @throws ArithmeticException if the Java array cannot represent an element exactly
     */
    public void readInto(Object array, int offset, Box region) {
        // null if the array is the carrier, or of a class that the target below refuses
        DataType converted = NumberArrays.signedType(dataType(), array);
        reads.read(
                check(region),
                converted == null
                        ? reads.target(region, array, offset)
                        : CallerExceptionGuards.target(new ConvertingTarget(
                                dataType(), converted, NumberCast.EXACT, array, offset, region.shape())));
    }

    /**
     * Reads a region of any size into a target. Index zero of the target is the region's origin. If the target throws,
     * the read ends with that exception.
     */
    public void read(Box region, Target target) {
        reads.read(check(region), CallerExceptionGuards.target(target));
    }

    /** Reads a region asynchronously. Cancelling the future stops the read. */
    public CompletableFuture<NdArray> readAsync(Box region) {
        return reads.start(check(region), this::values);
    }

    /** Reads a region of any size into a target asynchronously. Cancelling the future stops the read. */
    public CompletableFuture<NoResult> readAsync(Box region, Target target) {
        return reads.start(check(region), CallerExceptionGuards.target(target));
    }

    /** Returns a field of the records of a {@code struct} array. */
    public ZarrField field(String name) {
        return new ZarrField(this, reads, name);
    }

    /** Returns a view of the whole array, from which parts can be selected. Reads nothing. */
    public ZarrView view() {
        return new ZarrView(node, metadata, new Selections(chunks, reads, writes), Selection.all(shape()));
    }

    /** Returns a view of a region; see {@link #view()}. */
    public ZarrView view(Box region) {
        return view().region(region);
    }

    /** Returns a view of one index of the dimension called {@code name}; see {@link ZarrView#isel(String, long)}. */
    public ZarrView isel(String name, long index) {
        return view().isel(name, index);
    }

    /**
     * Returns a view of a range of the dimension called {@code name}; see {@link ZarrView#isel(String, long, long)}.
     */
    public ZarrView isel(String name, long start, long stop) {
        return view().isel(name, start, stop);
    }

    /**
     * Streams the inner chunks (without sharding: the chunks) of {@code region}, clipped to it, in C order. Reads a few
     * chunks at a time while the stream is consumed.
     */
    public Stream<DecodedInnerChunk> innerChunks(Box region) {
        Iterator<List<Box>> batches = new TileGroups(chunks, check(region));
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(batches, Spliterator.ORDERED), false)
                .flatMap(boxes -> reads.read(boxes, this::innerChunk).stream());
    }

    /**
     * Asynchronous form of {@link #innerChunks}. A batch is a few neighbouring inner chunks, which are read together.
     */
    public AsyncBatches<DecodedInnerChunk> innerChunksAsync(Box region) {
        Iterator<List<Box>> batches = new TileGroups(chunks, check(region));
        return () -> batches.hasNext()
                ? reads.start(batches.next(), this::innerChunk)
                : CompletableFuture.completedFuture(List.of());
    }

    private NdArray values(Box region, Object array) {
        return NdArray.of(dataType(), region.shape(), array);
    }

    private DecodedInnerChunk innerChunk(Box box, Object array) {
        return new DecodedInnerChunk(box, values(box, array));
    }

    /**
     * Overwrites a region. Inner chunks that lie partly in the region are read, changed and encoded again. The other
     * inner chunks of their shards move as encoded bytes. When the call returns, later reads return the new elements,
     * with two exceptions: an archive publishes them when it is closed, and a reader of a remote store may use a cached
     * value for some seconds.
     *
     * <p>Elements of another number type are converted to the array's type. {@link #write(Box, Object, int)} does not
     * convert: a Java array does not say which data type its elements have, so it must be the carrier.
     *
     * @throws IndexOutOfBoundsException if the region reaches outside the array
     * @throws IllegalArgumentException if the values have another shape, or another data type and one of the types has
     *     no real numbers
     * @throws ArithmeticException if the array's type does not represent a number exactly; see {@link NdArray#convert}
     * @throws UnsupportedException if the store is read-only
     */
    public void write(Box region, NdArray values) {
        write(region, values.filling(region).as(dataType()).array(), 0);
    }

    /**
     * Overwrites a region with the elements of a Java array of the data type's carrier, in C order, beginning at index
     * {@code offset}.
     */
    public void write(Box region, Object array, int offset) {
        write(region, JavaArrayAdapters.feed(dataType(), check(region).shape(), array, offset));
    }

    /**
     * Overwrites a region of any size with the elements of a feed. Index zero of the feed is the region's origin. In
     * holes of the feed, stored elements are kept. If the feed throws, the write ends with that exception.
     */
    public void write(Box region, Feed feed) {
        writes.write(check(region), CallerExceptionGuards.feed(feed));
    }

    /**
     * Overwrites a region asynchronously. Cancelling the future stops the write between shards. Do not change the
     * values before the future is done. A future that is done, also by cancellation, a time limit or failure, touches
     * neither the values nor the store any more, and a later write of the same region wins. So a put request in
     * progress delays the end: {@code cancel(true)} waits for it, at most ten seconds, {@code cancel(false)} and
     * {@code orTimeout} do not.
     */
    public CompletableFuture<NoResult> writeAsync(Box region, NdArray values) {
        check(region);
        return writeAsync(
                region,
                JavaArrayAdapters.feed(
                        dataType(),
                        region.shape(),
                        values.filling(region).as(dataType()).array(),
                        0));
    }

    /**
     * Asynchronous form of {@link #write(Box, Feed)}. Cancelling the future stops the write between shards. Other
     * threads call the feed until the future is done.
     */
    public CompletableFuture<NoResult> writeAsync(Box region, Feed feed) {
        return writes.start(check(region), CallerExceptionGuards.feed(feed));
    }

    /**
     * Erases a region: its elements read as the fill value. Shards and chunks in the region are deleted and inner
     * chunks in it are removed from their shards, all without being read. Inner chunks that lie partly in the region
     * are changed as in a write. Shards that become empty are deleted, regardless of the write policy for empty chunks.
     *
     * <p>If the store supports listing, only stored shards are visited, so the region may have any size. Otherwise the
     * region may have at most 2^20 shards.
     *
     * @throws UnsupportedException if the store does not support listing and the region has more shards
     */
    public void erase(Box region) {
        writes.erase(check(region));
    }

    /** Asynchronous form of {@link #erase}. Cancelling the future stops it between shards. */
    public CompletableFuture<NoResult> eraseAsync(Box region) {
        check(region);
        return async(() -> erase(region));
    }

    /**
     * Begins a transaction that holds at most {@code budgetBytes} bytes of staged writes and refuses more. Its commit
     * uses the options of this handle.
     */
    public Transaction transaction(long budgetBytes) {
        return transaction(budgetBytes, WhenFull.REFUSE);
    }

    /** Begins a transaction that holds at most {@code budgetBytes} bytes of staged writes. */
    public Transaction transaction(long budgetBytes, WhenFull whenFull) {
        return new Transaction(node.session(), metadata, chunks, writes, budgetBytes, whenFull);
    }

    /** Begins a stream of slices along {@code dimension} with {@link SliceOptions#defaults()}. */
    public SliceWriter slices(int dimension) {
        return slices(dimension, SliceOptions.defaults());
    }

    /** Begins a stream of slices along {@code dimension}. */
    public SliceWriter slices(int dimension, SliceOptions options) {
        node.refuseForeign();
        return new SliceWriter(node, slicePosition(dimension, options), dimension, options);
    }

    /**
     * Begins an acquisition: frames of several channels, positions and planes, in any order within a window. The array
     * needs {@linkplain #dimensionNames names of its dimensions}. Reads the array.
     *
     * @throws IllegalArgumentException if the array lacks a dimension of the options
     * @throws dev.shardkit.spi.error.UnsupportedException if dimensions have no names, the shards do not have one
     *     shape, or the elements are not numbers
     */
    public Acquisition acquisition(AcquisitionOptions options) {
        node.refuseForeign();
        return Acquisition.begin(this, options);
    }

    SerialCalls serialCalls() {
        return node.session().serialCalls();
    }

    /**
     * Returns this array for the work of queued calls. If its store listener waits for one of these calls, that call
     * throws, because the queue would wait for itself.
     */
    ZarrArray within(SerialCalls calls) {
        Settings settings = node.session().options();
        StoredNode inside = node.in(node.session().with(settings.with(calls.listener(settings.listener()))));
        return new ZarrArray(inside, metadata);
    }

    /** Returns the position of a new stream of slices. It uses a session that need not be closed. */
    private SlicePosition slicePosition(int dimension, SliceOptions options) {
        return new SlicePosition(
                node.in(node.session().with(node.session().options())),
                metadata,
                dimension,
                options.growth() == SliceOptions.Growth.GROW,
                options.region().orElse(null));
    }

    /** Returns the memory of a stream of slices. */
    SliceEstimate sliceEstimate(int dimension, SliceOptions options) {
        SlicePosition position = slicePosition(dimension, options);
        Box first = position.slice(position.region().origin(dimension));
        SlicePlan plan =
                SlicePlan.of(node, position.chunks(), first, dimension, options.strategy(), options.budgetBytes());
        return new SliceEstimate(
                plan.strategy(),
                plan.heapBytes(node, position.chunks(), first),
                plan.directBytes(node, position.chunks(), first),
                plan.pipelineBytes(node, position.chunks(), first),
                plan.smoothBytes(node, position.chunks(), first));
    }

    CompletableFuture<NoResult> async(Runnable call) {
        return node.session().async(() -> {
            call.run();
            return NoResult.INSTANCE;
        });
    }
}
