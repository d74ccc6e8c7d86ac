package dev.shardkit;

import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.engine.Change;
import dev.shardkit.engine.Guards;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.AsyncStore;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A Zarr v3 array, sharded or not. Regions are boxes in the array's coordinates; indices and sizes are 64-bit.
 *
 * <p>Thread-safe: any number of threads may read and write at once. Writers of one shard wait for one another, in this
 * process and (file stores) in others, and lose nothing; a reader sees each stored object as it was before or after a
 * write,
 * never a mixture. Interrupting a blocking call ends it with {@link java.util.concurrent.CancellationException}.
 */
public final class ZarrArray implements ZarrNode {
  private final Session session;
  private final String path;
  private final ArrayMetadata metadata;
  private final Chunks chunks;

  ZarrArray(Session session, String path, ArrayMetadata metadata) {
    this.session = session;
    this.path = path;
    this.metadata = metadata;
    this.chunks = new Chunks(metadata, path, session.options().limits());
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public String location() {
    return session.location(path);
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
    return new StoredChunks(session, path, chunks, domain());
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
    check(region);
    Object array = JavaArrays.allocate(dataType(), region.shape());
    session.call(plan(region, JavaArrays.target(dataType(), region.shape(), array, 0)), path);
    return NdArray.of(dataType(), region.shape(), array);
  }

  /** Reads a region into a Java array of the data type's carrier, in C order from place {@code offset}. */
  public void readInto(Object array, int offset, Box region) {
    check(region);
    session.call(plan(region, JavaArrays.target(dataType(), region.shape(), array, offset)), path);
  }

  /**
   * Reads a region of any size into a target, whose index zero is the region's origin. What it throws ends the read as
   * it is.
   */
  public void read(Box region, Target target) {
    check(region);
    session.call(plan(region, Guards.target(target)), path);
  }

  /** Reads a region without waiting; cancelling the future ends it. */
  public CompletableFuture<NdArray> readAsync(Box region) {
    check(region);
    Object array = JavaArrays.allocate(dataType(), region.shape());
    Target target = JavaArrays.target(dataType(), region.shape(), array, 0);
    Supplier<Plan<Unit>> plan = plan(region, target);
    return session.start(() -> plan.get().map(u -> NdArray.of(dataType(), region.shape(), array)), path);
  }

  /** Reads a region of any size into a target without waiting; after cancelling, the target may still be written to. */
  public CompletableFuture<Unit> readAsync(Box region, Target target) {
    check(region);
    return session.start(plan(region, Guards.target(target)), path);
  }

  private Supplier<Plan<Unit>> plan(Box region, Target target) {
    boolean far = session.store() instanceof AsyncStore;
    Chunks.WholeShards whole = switch (session.options().readPolicy()) {
      case AUTO -> far ? Chunks.WholeShards.WHERE_ALL_IS_WANTED : Chunks.WholeShards.NEVER;
      case RANGES -> Chunks.WholeShards.NEVER;
      case WHOLE_SHARD -> Chunks.WholeShards.ALWAYS;
    };
    return () -> chunks.read(region, target, whole);
  }

  /**
   * The inner chunks (without sharding: the chunks) that lie in {@code region}, cut to it, in C order. They are read
   * a few at
   * a time, as the stream is consumed.
   */
  public Stream<InnerChunk> innerChunks(Box region) {
    Iterator<List<Box>> batches = batches(region);
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(batches, Spliterator.ORDERED), false)
        .flatMap(boxes -> session.call(() -> plan(boxes), path).stream());
  }

  /** The boxes of {@link #innerChunks}, in the batches in which they are read. */
  Iterator<List<Box>> batches(Box region) {
    check(region);
    return new Tiles(chunks, region);
  }

  CompletableFuture<List<InnerChunk>> readAsync(List<Box> boxes) {
    return session.start(() -> plan(boxes), path);
  }

  private Plan<List<InnerChunk>> plan(List<Box> boxes) {
    return Plan.all(boxes.size(), i -> {
      Box box = boxes.get((int) i);
      Object array = JavaArrays.allocate(dataType(), box.shape());
      return plan(box, JavaArrays.target(dataType(), box.shape(), array, 0)).get()
          .map(u -> new InnerChunk(box, NdArray.of(dataType(), box.shape(), array)));
    });
  }

  /**
   * Overwrites a region. Only what it touches is written: inner chunks that it covers in part are read, changed and
   * encoded
   * again, the others of their shards move as encoded bytes. When it returns, readers anywhere see it.
   *
   * @throws IndexOutOfBoundsException if it reaches outside the array
   * @throws UnsupportedException if the store cannot write
   */
  public void write(Box region, NdArray values) {
    if (!Arrays.equals(region.shape(), values.shape())) {
      throw new IllegalArgumentException("region " + region + " is overwritten by values of its own shape, found "
          + Arrays.toString(values.shape()));
    }
    write(region, values.array(), 0);
  }

  /** Overwrites a region with a Java array of the data type's carrier, in C order from place {@code offset}. */
  public void write(Box region, Object array, int offset) {
    check(region);
    write(region, JavaArrays.feed(dataType(), region.shape(), array, offset));
  }

  /**
   * Overwrites a region of any size with what a feed gives, whose index zero is the region's origin. What it throws
   * ends the write.
   */
  public void write(Box region, Feed feed) {
    check(region);
    if (!metadata.ignoredCodecs().isEmpty()) {
      throw new UnsupportedException("the array has codecs that were skipped on reading ("
          + metadata.ignoredCodecs() + "); without them it cannot be written");
    }
    Box cells = chunks.grid().touched(region);
    Feed guarded = Guards.feed(feed);
    session.edits().changeAll(cells.count(), i -> chunks.storedKey(cells.at(i)),
        i -> change(cells.at(i), region, guarded), session.writing(path));
  }

  private Change change(long[] cell, Box region, Feed with) {
    return new Change() {
      @Override
      public Plan<Edit> plan(WritePolicy policy) {
        return chunks.write(cell, region, with, policy);
      }

      @Override
      public Plan<OptionalLong> lastValidEnd() {
        return chunks.lastValidEnd(cell);
      }
    };
  }

  /**
   * Overwrites a region without waiting; cancelling the future ends it between shards. The values must stay as they
   * are.
   */
  public CompletableFuture<Unit> writeAsync(Box region, NdArray values) {
    check(region);
    return session.async(() -> {
      write(region, values);
      return Unit.UNIT;
    });
  }

  @Override
  public Json.Obj attributes() {
    return metadata.attributes();
  }

  @Override
  public <T> T attributes(Class<T> type) {
    return AttributeMapper.map(metadata.attributes(), type, location());
  }

  @Override
  public ZarrArray withAttributes(Json.Obj attributes) {
    ArrayMetadata changed = metadata.withAttributes(attributes);
    session.putMetadata(path, changed);
    return new ZarrArray(session, path, changed);
  }

  @Override
  public void delete() {
    session.delete(path);
  }

  /** The names of the dimensions, if they have any. */
  public Optional<List<Optional<String>>> dimensionNames() {
    return metadata.dimensionNames();
  }

  private void check(Box region) {
    if (region.rank() != shape().length || !domain().contains(region)) {
      throw new IndexOutOfBoundsException("region " + region + " reaches outside the array " + domain());
    }
  }

  @Override
  public void close() {
    session.close();
  }

  @Override
  public String toString() {
    return "array " + location() + " " + dataType().name() + Arrays.toString(shape());
  }
}
