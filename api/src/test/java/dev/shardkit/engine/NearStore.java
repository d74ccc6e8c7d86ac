package dev.shardkit.engine;

import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A near store over a map that counts, and that tests interfere with before it does anything. */
public final class NearStore implements BlockingStore {
  /** What a test does when the store is about to do something. */
  public interface Hook {
    void at(String key) throws IOException;
  }

  private record Stored(byte[] bytes, long version) {}

  private final Map<String, Stored> objects = new ConcurrentHashMap<>();
  private final Map<String, Semaphore> locks = new ConcurrentHashMap<>();
  private final AtomicLong versions = new AtomicLong();
  public final AtomicInteger opened = new AtomicInteger();
  public final AtomicInteger closed = new AtomicInteger();
  public final AtomicInteger mostOpen = new AtomicInteger();
  public final AtomicInteger reads = new AtomicInteger();
  public final AtomicInteger locked = new AtomicInteger();
  public final AtomicInteger unlocked = new AtomicInteger();
  public volatile Hook onOpen = key -> {};
  public volatile Hook onRead = key -> {};
  public volatile Hook onLock = key -> {};
  public volatile Hook onUnlock = key -> {};
  public volatile Hook onPut = key -> {};

  /** Puts an object, of a new version. */
  public NearStore with(String key, byte[] bytes) {
    objects.put(key, new Stored(bytes, versions.incrementAndGet()));
    return this;
  }

  /** What is stored. */
  public Optional<byte[]> get(String key) {
    return Optional.ofNullable(objects.get(key)).map(Stored::bytes);
  }

  @Override
  public String describe() {
    return "near:";
  }

  @Override
  public Optional<Snapshot> open(String key) throws IOException {
    onOpen.at(key);
    Stored stored = objects.get(key);
    if (stored == null) {
      return Optional.empty();
    }
    int now = opened.incrementAndGet() - closed.get();
    mostOpen.accumulateAndGet(now, Math::max);
    return Optional.of(new Opened(key, stored));
  }

  private final class Opened implements Snapshot {
    private final String key;
    private final Stored stored;

    Opened(String key, Stored stored) {
      this.key = key;
      this.stored = stored;
    }

    @Override
    public String version() {
      return "v" + stored.version();
    }

    @Override
    public long size() {
      return stored.bytes().length;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      reads.incrementAndGet();
      onRead.at(key);
      into.put(stored.bytes(), (int) offset, into.remaining());
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  @Override
  public void put(String key, Content content, Durability durability) throws IOException {
    onPut.at(key);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    content.writeTo(Channels.newChannel(out));
    with(key, out.toByteArray());
  }

  @Override
  public boolean delete(String key) {
    return objects.remove(key) != null;
  }

  @Override
  public Lock lock(String array, String key, Duration patience) throws IOException {
    onLock.at(key);
    Semaphore own = locks.computeIfAbsent(key, k -> new Semaphore(1));
    own.acquireUninterruptibly();
    locked.incrementAndGet();
    return () -> {
      unlocked.incrementAndGet();
      own.release();
      onUnlock.at(key);
    };
  }
}
