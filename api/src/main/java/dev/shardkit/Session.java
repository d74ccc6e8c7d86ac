package dev.shardkit;

import dev.shardkit.engine.Edits;
import dev.shardkit.engine.Engine;
import dev.shardkit.engine.ReadContext;
import dev.shardkit.engine.ValueCache;
import dev.shardkit.engine.Workers;
import dev.shardkit.engine.WriteContext;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What the nodes of one opened store share: the store, the options, the engine and what it keeps. Thread-safe. */
final class Session {
  private final Store store;
  private final ZarrOptions options;
  private final Registry registry;
  private final Engine engine;
  private final Edits edits;
  private final ValueCache cache;

  private final Runnable onClose;

  Session(Store store, ZarrOptions options, Registry registry) {
    this(store, options, registry, () -> {});
  }

  private Session(Store store, ZarrOptions options, Registry registry, Runnable onClose) {
    this.onClose = onClose;
    this.store = store;
    this.options = options;
    this.registry = registry;
    this.engine = new Engine(Workers.of(options.executor(), options.parallelism()));
    this.edits = new Edits(engine);
    this.cache = new ValueCache(options.cacheBytes());
  }

  /** This session, closing the store when it is closed. */
  Session owning() {
    return new Session(store, options, registry, store::close);
  }

  void close() {
    onClose.run();
  }

  Store store() {
    return store;
  }

  ZarrOptions options() {
    return options;
  }

  Registry registry() {
    return registry;
  }

  Edits edits() {
    return edits;
  }

  /** Where {@code path} is, for errors. */
  String location(String path) {
    String root = store.describe();
    return path.isEmpty() ? root : root + (root.endsWith("/") ? "" : "/") + path;
  }

  static String key(String path, String name) {
    return path.isEmpty() ? name : path + "/" + name;
  }

  ReadContext reading(String path) {
    ReadContext.Freshness freshness =
        options.isImmutable() ? ReadContext.Freshness.IMMUTABLE : ReadContext.Freshness.REVALIDATE;
    return new ReadContext(store, location(path), options.mergePolicy().orElseGet(store::mergePolicy), cache, freshness,
        options.listener());
  }

  WriteContext writing(String path) {
    WriteContext.Locking locking = options.ownership() == Ownership.OWNED
        ? WriteContext.Locking.NONE : WriteContext.Locking.AS_THE_STORE_CAN;
    return new WriteContext(writable(), path, reading(path), options.writePolicy(), options.durability(), locking,
        options.lockPatience());
  }

  BlockingStore writable() {
    if (store instanceof BlockingStore b) {
      return b;
    }
    throw new UnsupportedException("store " + store.describe() + " cannot write");
  }

  <T> T call(Supplier<Plan<T>> plan, String path) {
    return engine.call(plan, reading(path));
  }

  <T> CompletableFuture<T> start(Supplier<Plan<T>> plan, String path) {
    return engine.start(plan, reading(path));
  }

  /** Runs a call that may wait on a thread of its own; cancelling the future interrupts it. */
  <T> CompletableFuture<T> async(Supplier<T> call) {
    return engine.workers().async(call);
  }

  /** Reads the node at {@code path}, if there is one. */
  Plan<Optional<NodeMetadata>> metadata(String path) {
    MetadataReader reader = new MetadataReader(registry, options.limits());
    return Source.stored(key(path, "zarr.json")).read(ByteRange.whole(options.limits().metadataBytes()),
        (answer, scratch) -> answer instanceof Answer.Found f
            ? Optional.of(reader.read(f.bytes().toArray())) : Optional.empty());
  }

  /** Writes the node's document, under its lock. */
  void putMetadata(String path, NodeMetadata metadata) {
    byte[] document = MetadataWriter.write(metadata);
    edits.change(key(path, "zarr.json"), policy -> Plan.done(Edit.replace(Bytes.of(document))), writing(path));
  }

  /** Whether there is a node at {@code path}. */
  boolean exists(String path) {
    return store(path, s -> {
      Optional<Snapshot> document = s.open(key(path, "zarr.json"));
      if (document.isPresent()) {
        document.get().close();
      }
      return document.isPresent();
    });
  }

  /** Removes everything at and below {@code path}. */
  void delete(String path) {
    store(path, s -> {
      s.deleteAll(path);
      return Unit.UNIT;
    });
  }

  /** Runs something that a store does. */
  <T> T store(String path, StoreCall<T> call) {
    try {
      return call.run(writable());
    } catch (IOException e) {
      throw new StoreException("the store failed: " + e, e)
          .locate(Optional.of(location(path)), Optional.empty(), Optional.empty());
    }
  }

  /** A call of a store. */
  interface StoreCall<T> {
    T run(BlockingStore store) throws IOException;
  }
}
