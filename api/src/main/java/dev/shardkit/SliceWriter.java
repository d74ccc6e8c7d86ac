package dev.shardkit;

import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.SliceOptions.Technique;
import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.plan.Unit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes slices along one dimension as they arrive and writes them in bounded memory (ZEP 2, "Storing a stream of data
 * slices"). How is chosen by {@link SliceOptions.Technique}.
 *
 * <p>Slices wait in memory until those of an inner chunk (or of a shard, if they are buffered) are together, and are
 * then written before {@link #write} returns. What {@link #flush} or {@link #close} returned for is committed, and so
 * is everything below {@link #committed}; a crash loses at most the slices from there on. After a failure the waiting
 * slices still wait, and {@link #flush} can be repeated.
 *
 * <p>Thread-safe, but slices lie in the order of the calls. Nobody else should write the same region meanwhile.
 */
public final class SliceWriter implements AutoCloseable {
  private final Session own;
  private final Session session;
  private final String path;
  private final int dimension;
  private final Box region;
  private final Growth growth;
  private final SlicePlan plan;
  private final Deque<Object> spare = new ArrayDeque<>();
  private final List<Object> waiting = new ArrayList<>();
  private ArrayMetadata stored;
  private ArrayMetadata writing;
  private Chunks chunks;
  private long committed;
  private boolean closed;

  SliceWriter(Session session, String path, ArrayMetadata metadata, int dimension, SliceOptions options) {
    this.own = session.with(session.options());
    this.path = path;
    this.dimension = dimension;
    this.growth = options.growth();
    this.stored = metadata;
    this.region = region(metadata, dimension, options);
    this.committed = region.origin(dimension);
    this.writing = metadata;
    this.chunks = new Chunks(metadata, path, session);
    reach(region.origin(dimension) + 1);
    this.plan = SlicePlan.of(session, chunks, slice(region.origin(dimension)), dimension, options);
    this.session = session.with(plan.options(session.options()));
    new Writes(session, path, metadata, chunks).check();
  }

  private static Box region(ArrayMetadata metadata, int dimension, SliceOptions options) {
    Box domain = Box.of(metadata.shape());
    if (dimension < 0 || dimension >= domain.rank()) {
      throw new IllegalArgumentException("dimension " + dimension + " of an array of " + domain.rank());
    }
    boolean grows = options.growth() == Growth.GROW;
    long length = domain.shape(dimension);
    Box region = options.region().orElse(grows ? Boxes.cut(domain, dimension, length, length) : domain);
    Box across = region.rank() != domain.rank() ? region : Boxes.cut(region, dimension, 0, 1);
    if (region.rank() != domain.rank() || !Boxes.cut(domain, dimension, 0, 1).contains(across)
        || (!grows && !domain.contains(region))) {
      throw new IndexOutOfBoundsException("region " + region + " reaches outside the array " + domain);
    }
    return region;
  }

  /** Makes sure that the metadata that writes go by reach as far as the shard in which slice {@code end - 1} lies. */
  private void reach(long end) {
    long[] shape = writing.shape();
    if (growth == Growth.FIXED || shape[dimension] >= end) {
      return;
    }
    shape[dimension] = end;
    ArrayMetadata longer = stored.withShape(shape);
    long[] last = region.origin();
    last[dimension] = end - 1;
    long[] one = new long[shape.length];
    Arrays.fill(one, 1);
    if (!Boxes.cut(region, dimension, 0, 1).isEmpty()) {
      long[] cell = longer.chunkGrid().touched(Box.of(last, one)).origin();
      shape[dimension] = longer.chunkGrid().chunk(cell).end(dimension);
    }
    writing = stored.withShape(shape);
    chunks = new Chunks(writing, path, own);
  }

  private Box slice(long position) {
    return Boxes.cut(region, dimension, position, position + 1);
  }

  /** The array, as long as it is now. */
  public synchronized ZarrArray array() {
    return new ZarrArray(own, path, stored);
  }

  /** How slices get into shards; never {@link Technique#AUTO}. */
  public Technique technique() {
    return plan.technique();
  }

  /** Where the next slice goes, as an index of the dimension. */
  public synchronized long position() {
    return committed + waiting.size();
  }

  /** Slices before this index are committed. */
  public synchronized long committed() {
    return committed;
  }

  /**
   * Takes the next slice, which is copied. Its shape is that of the region with length 1 in the dimension, or without
   * the dimension.
   *
   * @throws IndexOutOfBoundsException if the array ends here and does not grow
   */
  public void write(NdArray slice) {
    long[] full = slice(0).shape();
    long[] flat = new long[full.length - 1];
    for (int d = 0; d < flat.length; d++) {
      flat[d] = full[d < dimension ? d : d + 1];
    }
    if (!Arrays.equals(slice.shape(), full) && !Arrays.equals(slice.shape(), flat)) {
      throw new IllegalArgumentException("a slice has the shape " + Arrays.toString(full) + ", found "
          + Arrays.toString(slice.shape()));
    }
    write(slice.array(), 0);
  }

  /** Takes the next slice from a Java array of the data type's carrier, in C order from place {@code offset}. */
  public synchronized void write(Object array, int offset) {
    if (closed) {
      throw new IllegalStateException("the slice writer is closed");
    }
    long position = position();
    if (growth == Growth.FIXED && position >= region.end(dimension)) {
      throw new IndexOutOfBoundsException("slice " + position + " lies behind " + region);
    }
    reach(position + 1);
    if (waiting.size() >= plan.most(chunks, slice(committed))) {
      flush(); // an earlier one failed
    }
    waiting.add(copy(array, offset));
    if (waiting.size() >= plan.most(chunks, slice(committed))) {
      flush();
    }
  }

  private Object copy(Object array, int offset) {
    DataType type = stored.dataType();
    long[] shape = slice(0).shape();
    if (spare.isEmpty() || type.carrier().isVariable()) {
      return Copies.of(type, shape, array, offset);
    }
    JavaArrays.check(type, shape, array, offset);
    Object copy = spare.pop();
    System.arraycopy(array, offset, copy, 0, JavaArrays.length(type, shape));
    return copy;
  }

  /** As {@link #write(NdArray)}, without waiting; the slice must stay as it is until then. */
  public CompletableFuture<Unit> writeAsync(NdArray slice) {
    return session.async(() -> {
      write(slice);
      return Unit.UNIT;
    });
  }

  /** Writes the slices that wait, also those of an inner chunk that is not complete. */
  public synchronized void flush() {
    if (waiting.isEmpty()) {
      return;
    }
    Box slab = Boxes.cut(region, dimension, committed, position());
    List<Feed> slices = waiting.stream()
        .map(s -> JavaArrays.feed(stored.dataType(), slice(0).shape(), s, 0)).toList();
    SliceStack stack = new SliceStack(dimension, slices);
    Writes writes = new Writes(session, path, writing, chunks);
    for (Box tile : plan.tiles(chunks, slab)) {
      writes.write(tile, stack.window(tile.relativeTo(slab.origin())));
    }
    grow(position());
    committed = position();
    spare.addAll(waiting);
    waiting.clear();
  }

  private void grow(long length) {
    if (length > stored.shape()[dimension]) {
      stored = session.changeMetadata(path, stored, now -> {
        long[] shape = now.shape();
        shape[dimension] = Math.max(shape[dimension], length);
        return now.withShape(shape);
      });
    }
  }

  /** As {@link #flush}, without waiting. */
  public CompletableFuture<Unit> flushAsync() {
    return session.async(() -> {
      flush();
      return Unit.UNIT;
    });
  }

  /** Writes the slices that wait, and takes no more. */
  @Override
  public synchronized void close() {
    flush();
    closed = true;
    spare.clear();
  }
}
