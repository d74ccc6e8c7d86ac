package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.Chunks;
import dev.shardkit.region.Regions;
import dev.shardkit.region.Resizing;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.AttributeMapper;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.FoundNode;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** An array as a node: its metadata and their changes, its layout and its chunks. Reads and writes no elements. */
abstract sealed class DescribedArray extends ZarrNode permits ZarrArray {
    final ArrayMetadata metadata;
    final Chunks chunks;
    final StoredArray stored;

    DescribedArray(StoredNode node, ArrayMetadata metadata, Chunks chunks) {
        super(node);
        this.metadata = metadata;
        this.chunks = chunks;
        this.stored = new StoredArray(node, metadata, chunks);
    }

    /** Returns the run-time options of this handle. */
    public ZarrOptions options() {
        return new ZarrOptions(node.session().options());
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
        return chunks.first().shape();
    }

    /**
     * Returns the shape of the smallest unit of a read at the array's origin: the innermost inner chunk, or the chunk.
     */
    public long[] chunkShape() {
        return codec().readShape();
    }

    /** Checks whether the array has shards whose inner chunks can be read on their own. */
    public boolean isSharded() {
        return codec().partitioned().isPresent();
    }

    private ChunkCodec codec() {
        return chunks.firstCodec();
    }

    /** Returns the stored objects and the layout of the shards, for tools that inspect encoded bytes. */
    public StoredChunks storedChunks() {
        return new StoredChunks(stored);
    }

    /** Returns the inner chunks (without sharding: the chunks) that exist. */
    public ChunkPresence presence() {
        return presence(domain());
    }

    /** Returns the inner chunks (without sharding: the chunks) that exist and touch {@code region}. */
    public ChunkPresence presence(Box region) {
        return new ChunkPresence(node, chunks, domain(), check(region));
    }

    /**
     * Checks whether the innermost inner chunk (without sharding: the chunk) at {@code cell} exists; see
     * {@link ChunkPresence#exists}.
     */
    public boolean chunkExists(long... cell) {
        return presence().exists(cell);
    }

    /** Returns the {@code nonempty_chunks} attribute, a list of the chunks that exist. */
    public ChunkManifest chunkManifest() {
        return new ChunkManifest(node, metadata);
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
     * @throws UnsupportedException if they are larger, or if the stored chunks are no shards, or shards inside another
     *     codec
     */
    public Optional<ShardMargins> readMargins(long[] cell, int maxBytes) {
        return new Margins(stored).read(cell, maxBytes);
    }

    /**
     * Replaces the header and footer of the shard at {@code cell}, also those that another program wrote. The elements
     * stay. The call rewrites the shard. A mark of 16 bytes separates each from the inner chunks, so that later writes
     * of every strategy keep them, except for these: a write that covers the whole shard, without
     * {@link WritePolicy.ForeignBytes#KEEP}; any rewrite with {@link WritePolicy.ForeignBytes#DROP}; a write that
     * leaves the shard empty, which deletes it; a change of layout. Other Zarr libraries ignore them on reading.
     *
     * @param cell the coordinates of the shard in the grid of shards, one per dimension
     * @throws IndexOutOfBoundsException if there is no such shard
     * @throws UnsupportedException if the shard is not stored, if it would become larger than its shape and codecs
     *     allow, if the stored chunks are no shards, or shards inside another codec, or if the store is read-only
     * @throws IllegalArgumentException if one is larger than 16 MiB, or contains one of shardkit's marks
     */
    public void writeMargins(long[] cell, ShardMargins margins) {
        node.refuseForeign();
        new Margins(stored).write(cell, margins);
    }

    /**
     * Changes the shape; the number of dimensions stays the same. The call changes the stored metadata and, with
     * {@link Outside#REMOVE}, removes the elements outside the new shape; a listener receives the progress. Other
     * members of the metadata keep their stored values. This handle keeps the old shape.
     *
     * <p>Elements outside are removed before the metadata change. After a crash, the array has its old shape and all
     * elements inside the new one; rerunning the call completes it. No other writer should write outside the new shape
     * meanwhile. New elements of a larger array read as the fill value, or as the elements that {@link Outside#KEEP}
     * left there.
     *
     * <p>Slice writers that extend the array wait for this call, and this call waits for a batch that is being written.
     * The next batch is appended after the new end. On a store without locks, a slice writer does not wait: if it
     * extends the array meanwhile, its slices stay and this call fails. The elements between the new shape and the old
     * one are removed then, and the error says so.
     *
     * @return the array with its new shape
     * @throws dev.shardkit.spi.error.StoreException if the array was extended since this handle was opened, and the
     *     call would leave those elements outside
     */
    public ZarrArray resize(long[] shape, Outside outside) {
        node.refuseForeign();
        ArrayMetadata changed = new Resizing(node).run(metadata, shape, outside == Outside.KEEP);
        Consolidated.changed(node);
        return new ZarrArray(node, changed);
    }

    /** Asynchronous form of {@link ZarrArray#resize(long[], Outside)}. */
    public CompletableFuture<ZarrArray> resizeAsync(long[] shape, Outside outside) {
        return node.session().async(() -> resize(shape, outside));
    }

    /**
     * Reads the stored metadata again, for example to see the new shape of an array that another process extends.
     * Elements that were written before the stored shape are seen too, regardless of what a remote store would keep in
     * its cache for some seconds. This handle keeps its metadata. Both handles share threads, cache and store; closing
     * one closes both.
     *
     * <p>Costs one request on a remote store, and after it a confirmation for each cached object that is read again.
     * Arrays opened with {@link ZarrOptions#withImmutableObjects} still trust their cache.
     *
     * @return the array with its stored metadata; this handle if nothing has changed
     * @throws dev.shardkit.spi.error.MetadataException if the array was deleted, or replaced by a group
     * @throws UnsupportedException if the metadata came from the caller and are not stored
     */
    public ZarrArray refresh() {
        checkStored();
        return refreshed(node.call(node::find));
    }

    /** Asynchronous form of {@link ZarrArray#refresh}. Cancelling the future stops the request. */
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
        FoundNode now = found.orElseThrow(node::gone);
        ZarrArray stored = ZarrNode.array(Zarr.node(now, node.session()), node);
        node.session().checkCached();
        return stored.metadata.equals(metadata) && now.dataPath().equals(node.path()) ? (ZarrArray) this : stored;
    }

    @Override
    public ZarrArray withAttributes(Json.Obj attributes) {
        return changeAttributes(now -> attributes);
    }

    @Override
    public ZarrArray changeAttributes(UnaryOperator<Json.Obj> change) {
        ArrayMetadata changed = changing(
                change, own -> node.changeMetadata(metadata, now -> now.withAttributes(own.apply(now.attributes()))));
        Consolidated.changed(node);
        return new ZarrArray(node, changed);
    }

    @Override
    public ZarrArray withAttributes(Object attributes) {
        return withAttributes(AttributeMapper.attributes(attributes));
    }

    @Override
    public ZarrArray mergeAttributes(Object members) {
        return changeAttributes(merging(members));
    }

    Box check(Box region) {
        return Regions.in(metadata.shape(), region);
    }

    @Override
    public String toString() {
        return "array " + location() + " " + dataType().name() + Arrays.toString(shape());
    }
}
