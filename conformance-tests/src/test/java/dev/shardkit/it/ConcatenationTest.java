package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Concatenation;
import dev.shardkit.Concatenation.Source;
import dev.shardkit.Concatenation.Summary;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.grid.rectilinear.Edges;
import dev.shardkit.grid.rectilinear.RectilinearGrid;
import dev.shardkit.maintenance.Verification;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays behind one another, their elements not looked at: what comes out, what is refused, what a crash leaves. */
class ConcatenationTest {
  private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);
  private static final int WIDTH = 7;

  /** How it is done. */
  enum Way {
    COPY, MOVE;

    Concatenation of(List<Source> sources, int axis) {
      return this == COPY ? Concatenation.copying(sources, axis, OPTIONS)
          : Concatenation.moving(sources, axis, OPTIONS);
    }
  }

  private static ArraySpec rows(long length) {
    return ArraySpec.of("int32", length, WIDTH).fillValue(-1).codecs(Codecs.zstd(1));
  }

  private static ArraySpec sharded(long length, long shard) {
    return rows(length).shardShape(shard, 8).chunkShape(2, 4);
  }

  private static ZarrArray create(Store store, String path, ArraySpec spec, int seed) {
    ZarrArray array = Zarr.createArray(store, path, spec, Zarr.Existing.REFUSE, OPTIONS);
    Random random = new Random(seed);
    array.write(array.domain(), random.ints(array.domain().count(), 0, 1000).toArray(), 0);
    if (array.shape()[0] > 4) {
      array.erase(Box.of(new long[] {1, 0}, new long[] {3, WIDTH}));
    }
    return array;
  }

  private static List<Source> sources(Store store, ArraySpec... specs) {
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < specs.length; i++) {
      create(store, "s" + i, specs[i], i);
      sources.add(new Source(store, "s" + i));
    }
    return sources;
  }

  private static int[] model(List<Source> sources) {
    return sources.stream().map(s -> Zarr.openArray(s.store(), s.path(), OPTIONS).read().ints())
        .flatMapToInt(Arrays::stream).toArray();
  }

  private static Map<String, byte[]> objects(BlockingStore store) throws IOException {
    Map<String, byte[]> all = new HashMap<>();
    walk(store, "", all);
    return all;
  }

  private static void walk(BlockingStore store, String prefix, Map<String, byte[]> all) throws IOException {
    List<Entry> entries = new ArrayList<>();
    store.list(prefix, entries::add);
    for (Entry entry : entries) {
      String key = prefix.isEmpty() ? entry.name() : prefix + "/" + entry.name();
      if (entry.kind() == Entry.Kind.PREFIX) {
        walk(store, key, all);
      } else {
        try (Snapshot object = store.open(key).orElseThrow()) {
          java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate((int) object.size());
          object.read(0, bytes);
          all.put(key, bytes.array());
        }
      }
    }
  }

  private static ZarrArray out(Store store) {
    ZarrArray array = Zarr.openArray(store, "out", OPTIONS);
    assertEquals(0, Verification.of(array).run(f -> {}).errors());
    return array;
  }

  @ParameterizedTest
  @EnumSource
  void chunksOfAllLengths_areOneArray_byteForByte(Way way) throws Exception {
    MemoryStore store = MemoryStore.create();
    List<Source> sources = sources(store, rows(12).chunkShape(4, 3), rows(10).chunkShape(5, 3),
        rows(9).chunkGrid(RectilinearGrid.metadata(Edges.of(2, 3, 4), Edges.of(3, 3, 3))), rows(0).chunkShape(9, 3),
        rows(11).chunkShape(4, 3));
    int[] model = model(sources);
    Map<String, byte[]> before = objects(store);
    Summary done = way.of(sources, 0).to(store, "out");
    ZarrArray out = out(store);
    assertArrayEquals(new long[] {42, WIDTH}, out.shape());
    assertArrayEquals(model, out.read().ints());
    assertEquals("rectilinear", out.metadata().chunkGrid().name());
    assertEquals("[[[4,3],[5,2],2,3,[4,4]],3]", out.metadata().chunkGrid().configuration().get("chunk_shapes")
        .orElseThrow().toString());
    assertEquals(0, done.reencoded());
    byte[] one = before.get("s1/c/1/2");
    assertArrayEquals(one, objects(store).get("out/c/4/2"));
    assertEquals(way == Way.COPY, Zarr.find(store, "s1", OPTIONS).isPresent());
    assertEquals(way == Way.COPY ? before.keySet() : Set.of(), objects(store).keySet().stream()
        .filter(k -> !k.startsWith("out/")).collect(java.util.stream.Collectors.toSet()));
    assertFalse(store.open("out/__unfinished_concatenation").isPresent());
    ZarrArray other = create(store, "other", rows(4).chunkShape(4, 3), 9);
    StoreException e = assertThrows(StoreException.class,
        () -> way.of(List.of(new Source(store, other.path())), 0).to(store, "out"));
    assertTrue(e.getMessage().contains("already"), e.getMessage());
  }

  @ParameterizedTest
  @EnumSource
  void shardsOfUnequalShapes_areOneArray(Way way, @TempDir Path folder) throws Exception {
    try (FileStore a = FileStore.at(folder.resolve("a")); FileStore b = FileStore.at(folder.resolve("b"));
        FileStore c = FileStore.at(folder.resolve("c"))) {
      create(a, "", sharded(16, 8), 1);
      create(b, "", sharded(12, 4).attributes(Json.object().with("b", Json.of(1))), 2);
      create(c, "", sharded(7, 6), 3);
      List<Source> sources = List.of(new Source(a, ""), new Source(b, ""), new Source(c, ""));
      int[] model = model(sources);
      try (FileStore out = FileStore.at(folder.resolve("out"))) {
        way.of(sources, 0).to(out, "out");
        assertArrayEquals(model, out(out).read().ints());
        ZarrArray array = out(out);
        array.write(Box.of(new long[] {15, 3}, new long[] {2, 1}), new int[] {77, 78}, 0);
        model[15 * WIDTH + 3] = 77;
        model[16 * WIDTH + 3] = 78;
        assertArrayEquals(model, out(out).read().ints());
      }
      assertEquals(way == Way.COPY, Files.exists(folder.resolve("b/zarr.json")));
      assertEquals(way == Way.COPY, Files.exists(folder.resolve("b/c/0/0")));
    }
  }

  @Test
  void alongAnyAxis_ofRandomArrays() {
    Random random = new Random(4);
    for (int round = 0; round < 30; round++) {
      MemoryStore store = MemoryStore.create();
      int axis = random.nextInt(2);
      List<Source> sources = new ArrayList<>();
      long wide = 1 + random.nextInt(6);
      long other = 1 + random.nextInt(3);
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        long edge = 1 + random.nextInt(4);
        long length = random.nextInt(10);
        ArraySpec spec = axis == 0 ? ArraySpec.of("int32", length, wide).chunkShape(edge, other)
            : ArraySpec.of("int32", wide, length).chunkShape(other, edge);
        ZarrArray array = Zarr.createArray(store, "s" + i, spec, Zarr.Existing.REFUSE, OPTIONS);
        array.write(array.domain(), random.ints(array.domain().count()).toArray(), 0);
        sources.add(new Source(store, "s" + i));
      }
      List<int[]> parts = sources.stream().map(s -> Zarr.openArray(store, s.path(), OPTIONS).read().ints()).toList();
      List<long[]> shapes = sources.stream().map(s -> Zarr.openArray(store, s.path(), OPTIONS).shape()).toList();
      Way way = Way.values()[random.nextInt(2)];
      way.of(sources, axis).reencodingEdges().to(store, "out");
      ZarrArray out = out(store);
      long at = 0;
      for (int i = 0; i < parts.size(); i++) {
        long[] origin = new long[2];
        origin[axis] = at;
        assertArrayEquals(parts.get(i), out.read(Box.of(origin, shapes.get(i))).ints(), "round " + round);
        at += shapes.get(i)[axis];
      }
      assertEquals(at, out.shape()[axis]);
    }
  }

  @Test
  void equalChunks_stayARegularGrid() {
    MemoryStore store = MemoryStore.create();
    List<Source> sources = sources(store, rows(8).chunkShape(4, 3), rows(9).chunkShape(4, 3));
    assertEquals("regular", Concatenation.copying(sources, 0, OPTIONS).describe().chunkGrid().name());
    assertTrue(Zarr.find(store, "out", OPTIONS).isEmpty());
  }

  @Test
  void chunksStoredTooLong_areRefused_orEncodedAnew_thoseOnly() throws Exception {
    MemoryStore store = MemoryStore.create();
    List<Source> sources = sources(store, rows(10).chunkShape(4, 3), rows(8).chunkShape(4, 3));
    int[] model = model(sources);
    Map<String, byte[]> before = objects(store);
    for (Way way : Way.values()) {
      UnsupportedException e =
          assertThrows(UnsupportedException.class, () -> way.of(sources, 0).to(store, "out"));
      assertTrue(e.getMessage().contains("s0/c/2/"), e.getMessage());
      assertEquals(before.keySet(), objects(store).keySet(), "nothing was done");
    }
    Summary done = Concatenation.copying(sources, 0, OPTIONS).reencodingEdges().to(store, "out");
    assertEquals(new Summary(15, 3, 0, done.bytes()), done);
    assertArrayEquals(model, out(store).read().ints());
    assertEquals("[[4,4,2,[4,2]],3]", out(store).metadata().chunkGrid().configuration().get("chunk_shapes")
        .orElseThrow().toString().replace("[4,2],2", "4,4,2"));
  }

  @Test
  void chunkThatIsNotStored_needsNoEncoding() {
    MemoryStore store = MemoryStore.create();
    List<Source> sources = sources(store, rows(10).chunkShape(4, 3), rows(8).chunkShape(4, 3));
    Zarr.openArray(store, "s0", OPTIONS).erase(Box.of(new long[] {8, 0}, new long[] {2, WIDTH}));
    int[] model = model(sources);
    Concatenation.moving(sources, 0, OPTIONS).to(store, "out");
    assertArrayEquals(model, out(store).read().ints());
  }

  @Test
  void innerChunksThatDoNotDivideTheRest_areRefused() {
    MemoryStore store = MemoryStore.create();
    List<Source> sources = sources(store, sharded(9, 8), sharded(8, 8));
    MetadataException e = assertThrows(MetadataException.class,
        () -> Concatenation.copying(sources, 0, OPTIONS).reencodingEdges().to(store, "out"));
    assertTrue(e.getMessage().contains("where an array ends within a chunk"), e.getMessage());
    List<Source> even = List.of(new Source(store, "s1"), new Source(store, "s0"));
    int[] model = model(even);
    Concatenation.copying(even, 0, OPTIONS).to(store, "out");
    assertArrayEquals(model, out(store).read().ints());
  }

  @Test
  void whatDoesNotFit_isRefused_beforeAnythingIsDone() throws Exception {
    MemoryStore store = MemoryStore.create();
    create(store, "a", rows(8).chunkShape(4, 3), 1);
    Map<String, ArraySpec> others = Map.of(
        "data_type", ArraySpec.of("int64", 8, WIDTH).chunkShape(4, 3).fillValue(-1).codecs(Codecs.zstd(1)),
        "fill_value", rows(8).chunkShape(4, 3).fillValue(0),
        "codecs", rows(8).chunkShape(4, 3).codecs(Codecs.gzip(1)),
        "length in dimension 1", ArraySpec.of("int32", 8, 8).chunkShape(4, 3).fillValue(-1).codecs(Codecs.zstd(1)),
        "chunk lengths in dimension 1", rows(8).chunkShape(4, 2),
        "rank", ArraySpec.of("int32", 8).chunkShape(4).fillValue(-1).codecs(Codecs.zstd(1)));
    others.forEach((what, spec) -> {
      Zarr.createArray(store, "b", spec, Zarr.Existing.OVERWRITE, OPTIONS);
      for (Way way : Way.values()) {
        MetadataException e = assertThrows(MetadataException.class,
            () -> way.of(List.of(new Source(store, "a"), new Source(store, "b")), 0).to(store, "out"), what);
        assertTrue(e.getMessage().contains("the same " + what), e.getMessage());
      }
    });
    List<Source> one = List.of(new Source(store, "a"));
    assertThrows(IllegalArgumentException.class, () -> Way.COPY.of(one, 2).to(store, "out"));
    assertThrows(IllegalArgumentException.class, () -> Way.COPY.of(List.of(), 0).to(store, "out"));
    assertThrows(IllegalArgumentException.class, () -> Way.COPY.of(one, 0).to(store, "a/out"));
    assertThrows(IllegalArgumentException.class,
        () -> Way.MOVE.of(List.of(one.get(0), one.get(0)), 0).to(store, "out"));
    assertThrows(MetadataException.class, () -> Way.COPY.of(List.of(new Source(store, "none")), 0).to(store, "out"));
    assertThrows(UnsupportedException.class, () -> Way.MOVE.of(one, 0).to(FileStore.at(Path.of("nowhere")), "out"));
    store.put("a/notes.txt", new Text("mine"), Durability.ATOMIC);
    UnsupportedException e =
        assertThrows(UnsupportedException.class, () -> Way.MOVE.of(one, 0).to(store, "out"));
    assertTrue(e.getMessage().contains("a/notes.txt"), e.getMessage());
    assertTrue(objects(store).keySet().stream().noneMatch(k -> k.startsWith("out")));
    assertEquals(8, Zarr.openArray(store, "a", OPTIONS).shape()[0]);
    Way.COPY.of(List.of(one.get(0), one.get(0)), 0).to(store, "twice");
    assertEquals(16, Zarr.openArray(store, "twice", OPTIONS).shape()[0]);
  }

  /** A small object. */
  private record Text(String text) implements Content {
    @Override
    public long size() {
      return text.length();
    }

    @Override
    public void writeTo(java.nio.channels.WritableByteChannel out) throws IOException {
      out.write(java.nio.ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    }
  }

  /** A store that dies at its n-th change: that one is made or not, no other after it. */
  private static final class Dying implements BlockingStore {
    private final BlockingStore store;
    private final AtomicInteger left;
    private final boolean before;

    Dying(BlockingStore store, AtomicInteger left, boolean before) {
      this.store = store;
      this.left = left;
      this.before = before;
    }

    private interface Change<T> {
      T run() throws IOException;
    }

    private <T> T change(Change<T> change) throws IOException {
      int n = left.getAndDecrement();
      if (n < 1 || (n == 1 && before)) {
        throw new IOException("killed");
      }
      T done = change.run();
      if (n == 1) {
        throw new IOException("killed");
      }
      return done;
    }

    @Override
    public String describe() {
      return store.describe();
    }

    @Override
    public Optional<Snapshot> open(String key) throws IOException {
      return store.open(key);
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) throws IOException {
      store.list(prefix, entries);
    }

    @Override
    public Set<Capability> capabilities() {
      return store.capabilities();
    }

    @Override
    public Lock lock(String array, String key, Duration patience) throws IOException {
      return store.lock(array, key, patience);
    }

    @Override
    public void put(String key, Content content, Durability durability) throws IOException {
      change(() -> {
        store.put(key, content, durability);
        return true;
      });
    }

    @Override
    public boolean delete(String key) throws IOException {
      return change(() -> store.delete(key));
    }

    /** Dies with half of it removed. */
    @Override
    public void deleteAll(String prefix) throws IOException {
      Map<String, byte[]> all = new HashMap<>();
      walk(store, prefix, all);
      List<String> keys = all.keySet().stream().sorted().toList();
      for (String key : keys) {
        change(() -> store.delete(key));
      }
      change(() -> {
        store.deleteAll(prefix);
        return true;
      });
    }

    @Override
    public boolean takeOver(BlockingStore source, String from, String key, Durability durability) throws IOException {
      return change(() -> store.takeOver(((Dying) source).store, from, key, durability));
    }
  }

  @ParameterizedTest
  @EnumSource
  void killedAtAnyMoment_itIsOld_orEndedByTheSameCall(Way way) throws Exception {
    int deaths = 0;
    for (int n = 1; n == deaths + 1; n++) {
      for (boolean before : new boolean[] {true, false}) {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = sources(store, rows(10).chunkShape(4, 4), rows(9).chunkShape(3, 4));
        int[] all = model(sources);
        Dying dying = new Dying(store, new AtomicInteger(n), before);
        List<Source> under = sources.stream().map(s -> new Source(dying, s.path())).toList();
        try {
          way.of(under, 0).reencodingEdges().to(dying, "out");
          continue;
        } catch (ZarrException e) {
          deaths = n;
          old(way, store, sources, all);
        }
        boolean done = Zarr.find(store, "out", OPTIONS).isPresent()
            && store.open("out/__unfinished_concatenation").isEmpty();
        if (!done) {
          way.of(sources, 0).reencodingEdges().to(store, "out");
        }
        assertArrayEquals(all, out(store).read().ints());
        assertTrue(objects(store).keySet().stream().allMatch(k -> k.startsWith(way == Way.MOVE ? "out/" : "")));
        assertFalse(store.open("out/__unfinished_concatenation").isPresent());
      }
    }
    assertTrue(deaths > 12, "died " + deaths + " times");
  }

  /** After a crash: each source is whole or no array any more, and the new array is whole or not there. */
  private static void old(Way way, MemoryStore store, List<Source> sources, int[] all) {
    boolean published = Zarr.find(store, "out", OPTIONS).isPresent();
    if (published) {
      assertArrayEquals(all, Zarr.openArray(store, "out", OPTIONS).read().ints());
    }
    int at = 0;
    for (int i = 0; i < sources.size(); i++) {
      int length = (i == 0 ? 10 : 9) * WIDTH;
      Optional<?> node = Zarr.find(store, sources.get(i).path(), OPTIONS);
      assertTrue(way == Way.MOVE || node.isPresent());
      if (node.isPresent()) {
        assertArrayEquals(Arrays.copyOfRange(all, at, at + length),
            Zarr.openArray(store, sources.get(i).path(), OPTIONS).read().ints(), "a source with holes");
      }
      at += length;
    }
  }

  @Test
  void sourceThatHasChangedSince_isNotMixed() {
    MemoryStore store = MemoryStore.create();
    List<Source> sources = sources(store, rows(8).chunkShape(4, 4), rows(9).chunkShape(3, 4));
    Dying dying = new Dying(store, new AtomicInteger(4), true);
    assertThrows(StoreException.class, () -> Way.COPY.of(
        sources.stream().map(s -> new Source(dying, s.path())).toList(), 0).to(dying, "out"));
    ZarrArray second = Zarr.openArray(store, "s1", OPTIONS);
    second.write(second.domain(), new int[9 * WIDTH], 0);
    StoreException e = assertThrows(StoreException.class, () -> Way.COPY.of(sources, 0).to(store, "out"));
    assertTrue(e.getMessage().contains("s1 has changed since"), e.getMessage());
  }

  @Test
  void arrayUnderTwoNames_isNotMoved(@org.junit.jupiter.api.io.TempDir Path folder) throws Exception {
    FileStore store = FileStore.at(folder);
    create(store, "a", rows(8).chunkShape(4, 3), 1);
    Files.createSymbolicLink(folder.resolve("b"), folder.resolve("a"));
    List<Source> twice = List.of(new Source(store, "a"), new Source(store, "b"));
    Map<String, byte[]> before = objects(FileStore.at(folder.resolve("a")));
    StoreException e = assertThrows(StoreException.class, () -> Way.MOVE.of(twice, 0).to(store, "out"));
    assertTrue(e.getMessage().contains("by another name"), e.getMessage());
    assertEquals(before.keySet(), objects(FileStore.at(folder.resolve("a"))).keySet());
    Files.move(folder.resolve("a/zarr.json"), folder.resolve("a/__concatenated-zarr.json"));
    StoreException aside = assertThrows(StoreException.class,
        () -> Way.MOVE.of(twice.subList(0, 1), 0).to(store, "out"));
    assertTrue(aside.getMessage().contains("is being moved by another"), aside.getMessage());
  }

  @Test
  void anotherCall_doesNotEndIt() {
    MemoryStore store = MemoryStore.create();
    List<Source> sources = sources(store, rows(8).chunkShape(4, 4), rows(9).chunkShape(3, 4));
    Dying dying = new Dying(store, new AtomicInteger(13), true);
    assertThrows(StoreException.class, () -> Way.MOVE.of(
        sources.stream().map(s -> new Source(dying, s.path())).toList(), 0).to(dying, "out"));
    StoreException e = assertThrows(StoreException.class,
        () -> Way.COPY.of(List.of(sources.get(1), sources.get(0)), 0).to(store, "out"));
    assertTrue(e.getMessage().contains("unfinished"), e.getMessage());
    Way.MOVE.of(sources, 0).to(store, "out");
    assertEquals(17, out(store).shape()[0]);
  }

  @Test
  void manyChunks_costNoMemoryInTheGrid() {
    MemoryStore store = MemoryStore.create();
    long huge = 1L << 60;
    List<Source> sources = IntStream.range(0, 3).mapToObj(i -> {
      Zarr.createArray(store, "s" + i, ArraySpec.of("int8", huge).chunkShape(1 << i), Zarr.Existing.REFUSE, OPTIONS)
          .write(Box.of(new long[] {huge - 3}, new long[] {3}), new byte[] {1, 2, 3}, 0);
      return new Source(store, "s" + i);
    }).toList();
    Concatenation.copying(sources, 0, OPTIONS).to(store, "out");
    ZarrArray out = Zarr.openArray(store, "out", OPTIONS);
    assertArrayEquals(new byte[] {0, 1, 2, 3, 0}, out.read(Box.of(new long[] {2 * huge - 4}, new long[] {5})).bytes());
    MetadataException e = assertThrows(MetadataException.class, () -> Concatenation.copying(
        IntStream.range(0, 9).mapToObj(i -> sources.get(0)).toList(), 0, OPTIONS).describe());
    assertTrue(e.getMessage().contains("2^63-1"), e.getMessage());
  }
}
