package dev.shardkit;

import dev.shardkit.carrier.ConvertingTarget;
import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.carrier.NumberArrays;
import dev.shardkit.engine.Guards;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.Chunks;
import dev.shardkit.region.RegionReads;
import dev.shardkit.region.Selections;
import dev.shardkit.region.SlicePlace;
import dev.shardkit.region.Tiles;
import dev.shardkit.region.Writes;
import dev.shardkit.selection.Selection;
import dev.shardkit.session.Handles;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Unit;
import java.util.Iterator;
import java.util.List;
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
 * after a write, never a mixture. Readers of other libraries see the same if shards are rewritten, which is the default
 * strategy of the write policy. Interrupting a blocking call ends it with
 * {@link java.util.concurrent.CancellationException}.
 */
public final class ZarrArray extends DescribedArray {
    static {
        Handles.open(ZarrArray.class, array -> array.stored);
    }

    private final RegionReads reads;
    private final Writes writes;

    ZarrArray(StoredNode node, ArrayMetadata metadata) {
        this(node, metadata, new Chunks(metadata, node));
    }

    private ZarrArray(StoredNode node, ArrayMetadata metadata, Chunks chunks) {
        super(node, metadata, chunks);
        this.reads = new RegionReads(node, metadata, chunks);
        this.writes = Writes.ofHandle(node, metadata, chunks);
    }

    /**
     * Returns this array with other run-time options: {@code array.with(o ->
     * o.withDurability(Durability.NONE)).write(...)}. Both handles share threads unless the executor or the parallelism
     * differs, and the cache unless its limit differs. The plug-ins stay the same. The new handle need not be closed;
     * closing it does nothing.
     */
    public ZarrArray with(UnaryOperator<ZarrOptions> change) {
        Settings other = change.apply(options()).settings();
        Session changed = node.session().with(other);
        return other.limits().equals(node.session().options().limits())
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
    public NdArray read(Box region, DataType to, NumberCast cast) {
        Object array = JavaArrays.allocate(to, check(region).shape());
        reads.read(region, Guards.target(new ConvertingTarget(dataType(), to, cast, array, 0, region.shape())));
        return NdArray.of(to, region.shape(), array);
    }

    /**
     * Reads a region into a Java array, in C order, beginning at index {@code offset}. The array is the carrier of the
     * data type, or, if the elements are numbers, an {@code int[]}, {@code long[]}, {@code float[]} or
     * {@code double[]}, to which they are converted.
     *
     * @throws ArithmeticException if the Java array cannot represent an element exactly
     */
    public void readInto(Object array, int offset, Box region) {
        DataType other = NumberArrays.signedType(dataType(), array);
        reads.read(
                check(region),
                other == null
                        ? reads.target(region, array, offset)
                        : Guards.target(new ConvertingTarget(
                                dataType(), other, NumberCast.EXACT, array, offset, region.shape())));
    }

    /**
     * Reads a region of any size into a target. Index zero of the target is the region's origin. If the target throws,
     * the read ends with that exception.
     */
    public void read(Box region, Target target) {
        reads.read(check(region), Guards.target(target));
    }

    /** Reads a region asynchronously. Cancelling the future stops the read. */
    public CompletableFuture<NdArray> readAsync(Box region) {
        return reads.start(check(region), this::values);
    }

    /** Reads a region of any size into a target asynchronously. Cancelling the future stops the read. */
    public CompletableFuture<Unit> readAsync(Box region, Target target) {
        return reads.start(check(region), Guards.target(target));
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

    /** Returns a view of one index of the dimension called {@code name}; see {@link ZarrView#sel(String, long)}. */
    public ZarrView sel(String name, long index) {
        return view().sel(name, index);
    }

    /** Returns a view of a range of the dimension called {@code name}; see {@link ZarrView#sel(String, long, long)}. */
    public ZarrView sel(String name, long start, long stop) {
        return view().sel(name, start, stop);
    }

    /**
     * Streams the inner chunks (without sharding: the chunks) of {@code region}, clipped to it, in C order. Reads a few
     * chunks at a time while the stream is consumed.
     */
    public Stream<InnerChunk> innerChunks(Box region) {
        Iterator<List<Box>> batches = batches(region);
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(batches, Spliterator.ORDERED), false)
                .flatMap(boxes -> reads.read(boxes, this::innerChunk).stream());
    }

    /** Returns the boxes of {@link #innerChunks}, in the batches that are read together. */
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
     * Overwrites a region. Inner chunks that lie partly in the region are read, changed and encoded again. The other
     * inner chunks of their shards move as encoded bytes. When the call returns, later reads return the new elements,
     * with two exceptions: an archive publishes them when it is closed, and a reader of a remote store may use a cached
     * value for some seconds.
     *
     * <p>Numbers of another type are converted.
     *
     * @throws IndexOutOfBoundsException if the region reaches outside the array
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
        write(region, JavaArrays.feed(dataType(), check(region).shape(), array, offset));
    }

    /**
     * Overwrites a region of any size with the elements of a feed. Index zero of the feed is the region's origin. In
     * holes of the feed, stored elements are kept. If the feed throws, the write ends with that exception.
     */
    public void write(Box region, Feed feed) {
        writes.write(check(region), Guards.feed(feed));
    }

    /**
     * Overwrites a region asynchronously. Cancelling the future stops the write between shards. Do not change the
     * values before the future is done. A future that is done, also by cancellation, a time limit or failure, touches
     * neither the values nor the store any more, and a later write of the same region wins. So a put that is under way
     * delays the end: {@code cancel(true)} waits for it, at most ten seconds, {@code cancel(false)} and
     * {@code orTimeout} do not.
     */
    public CompletableFuture<Unit> writeAsync(Box region, NdArray values) {
        check(region);
        return writeAsync(
                region,
                JavaArrays.feed(
                        dataType(),
                        region.shape(),
                        values.filling(region).as(dataType()).array(),
                        0));
    }

    /**
     * Asynchronous form of {@link #write(Box, Feed)}. Cancelling the future stops the write between shards. Other
     * threads call the feed until the future is done.
     */
    public CompletableFuture<Unit> writeAsync(Box region, Feed feed) {
        return writes.start(check(region), Guards.feed(feed));
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
    public CompletableFuture<Unit> eraseAsync(Box region) {
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
        SlicePlace place = new SlicePlace(
                node.in(node.session().with(node.session().options())),
                metadata,
                dimension,
                options.growth() == SliceOptions.Growth.GROW,
                options.region().orElse(null));
        return new SliceWriter(node, place, dimension, options);
    }

    private CompletableFuture<Unit> async(Runnable call) {
        return node.session().async(() -> {
            call.run();
            return Unit.UNIT;
        });
    }
}
