package dev.shardkit;

import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.AsyncStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The reading side of an array. Immutable, thread-safe. */
final class RegionReads {
  private final Session session;
  private final String path;
  private final DataType type;
  private final Chunks chunks;

  RegionReads(Session session, String path, ArrayMetadata metadata, Chunks chunks) {
    this.session = session;
    this.path = path;
    this.type = metadata.dataType();
    this.chunks = chunks;
  }

  NdArray read(Box region) {
    Object array = JavaArrays.allocate(type, region.shape());
    read(region, target(region, array, 0));
    return NdArray.of(type, region.shape(), array);
  }

  void read(Box region, Target target) {
    session.call(plan(region, target), path);
  }

  CompletableFuture<NdArray> start(Box region) {
    Object array = JavaArrays.allocate(type, region.shape());
    Supplier<Plan<Unit>> plan = plan(region, target(region, array, 0));
    return session.start(() -> plan.get().map(u -> NdArray.of(type, region.shape(), array)), path);
  }

  CompletableFuture<Unit> start(Box region, Target target) {
    return session.start(plan(region, target), path);
  }

  Target target(Box region, Object array, int offset) {
    return JavaArrays.target(type, region.shape(), array, offset);
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

  List<InnerChunk> read(List<Box> boxes) {
    return session.call(() -> plan(boxes), path);
  }

  CompletableFuture<List<InnerChunk>> start(List<Box> boxes) {
    return session.start(() -> plan(boxes), path);
  }

  private Plan<List<InnerChunk>> plan(List<Box> boxes) {
    return Plan.all(boxes.size(), i -> {
      Box box = boxes.get((int) i);
      Object array = JavaArrays.allocate(type, box.shape());
      return plan(box, target(box, array, 0)).get().map(u -> new InnerChunk(box, NdArray.of(type, box.shape(), array)));
    });
  }
}
