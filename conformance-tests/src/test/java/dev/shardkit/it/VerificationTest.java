package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.ArraySpec.IndexLocation;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Finding;
import dev.shardkit.maintenance.Finding.Kind;
import dev.shardkit.maintenance.Finding.Severity;
import dev.shardkit.maintenance.Verification;
import dev.shardkit.maintenance.Verification.Summary;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shards and arrays with one thing wrong each: that thing is found, and nothing else. */
@Timeout(120)
class VerificationTest {
  /** An inner chunk is two elements and their checksum. */
  private static final int INNER = 6;
  private static final int INDEX = 4 * 16 + 4;

  @TempDir
  Path dir;

  /** What a verification says. */
  private record Found(List<Finding> findings, Summary summary) {
    static Found of(ZarrNode node) {
      return of(Verification.of(node));
    }

    static Found of(Verification verification) {
      List<Finding> findings = new ArrayList<>();
      Summary summary = verification.run(findings::add);
      assertEquals(findings.stream().filter(f -> f.severity() == Severity.ERROR).count(), summary.errors());
      assertEquals(findings.stream().filter(f -> f.severity() == Severity.NOTE).count(), summary.notes());
      return new Found(findings, summary);
    }

    Finding only() {
      assertEquals(1, findings.size(), findings::toString);
      return findings.get(0);
    }
  }

  private static ArraySpec spec() {
    return ArraySpec.of("uint8", 12).chunkShape(2).shardShape(8)
        .codecs(Codecs.named("bytes", Json.object()), Codecs.crc32c());
  }

  private Path written(ArraySpec spec) {
    try (ZarrArray array = Zarr.createArray(dir.resolve("a").toString(), spec)) {
      byte[] values = new byte[(int) array.domain().count()];
      Arrays.setAll(new Object[values.length], i -> values[i] = (byte) (i + 1));
      array.write(array.domain(), values, 0);
    }
    return dir.resolve("a");
  }

  private RawShard shard() throws IOException {
    return RawShard.of(written(spec()).resolve("c/0"), 4);
  }

  private Found verify() {
    try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
      return Found.of(array);
    }
  }

  private static void assertFound(Finding f, Severity severity, Kind kind, String inner, long offset, long size) {
    assertEquals(severity, f.severity(), f::toString);
    assertEquals(kind, f.kind(), f::toString);
    assertEquals(Optional.of("c/0"), f.key());
    assertEquals(inner, f.innerChunks().stream().map(Arrays::toString).toList().toString());
    assertEquals(Optional.of(new Extent(offset, size)), f.bytes());
  }

  @Test
  void soundArray_hasNoFindings_andIsCounted() {
    written(spec());
    Found found = verify();
    assertEquals(List.of(), found.findings());
    // the second shard has elements in two of its inner chunks only
    assertEquals(new Summary(1, 2, 0, 6, 0, 6 * INNER + 2 * INDEX, 0, 0, 0), found.summary());
  }

  @Test
  void flippedByte_ofAnInnerChunk_isAChecksumError() throws IOException {
    shard().flip(INNER + 1).write();
    Finding f = verify().only();
    assertFound(f, Severity.ERROR, Kind.CHECKSUM, "[[1]]", INNER, INNER);
    assertTrue(f.found().contains("crc32c"), f::toString);
  }

  @Test
  void everyFlippedByte_isFoundWhereItIs() throws IOException {
    RawShard sound = shard();
    Path file = dir.resolve("a/c/0");
    byte[] bytes = sound.bytes();
    for (int i = 0; i < bytes.length; i++) {
      byte[] broken = bytes.clone();
      broken[i] ^= 0x10;
      Files.write(file, broken);
      Finding f = verify().only();
      assertEquals(i < 4 * INNER ? Kind.CHECKSUM : Kind.INDEX, f.kind(), "byte " + i);
      assertEquals(i < 4 * INNER ? 1 : 0, f.innerChunks().size());
      Extent extent = f.bytes().orElseThrow();
      assertTrue(extent.offset() <= i && i < extent.offset() + extent.size(), "byte " + i + ": " + f);
    }
  }

  @Test
  void everyLengthTooShort_isAnError() throws IOException {
    byte[] bytes = shard().bytes();
    for (int length = 0; length < bytes.length; length++) {
      Files.write(dir.resolve("a/c/0"), Arrays.copyOf(bytes, length));
      Found found = verify();
      assertTrue(found.summary().errors() > 0, "cut to " + length);
      assertEquals(Kind.INDEX, found.findings().get(0).kind());
    }
  }

  @Test
  void entriesThatCannotBe_areErrorsOfTheirOwn() throws IOException {
    shard().entry(0, -1, 6).entry(1, 0, 1000).entry(2, 4 * INNER - 1, 6).entry(3, Long.MIN_VALUE, 6).write();
    Found found = verify();
    assertEquals(4, found.summary().errors());
    List<Finding> errors = found.findings().stream().filter(f -> f.severity() == Severity.ERROR).toList();
    for (int i = 0; i < 4; i++) {
      assertFound(errors.get(i), Severity.ERROR, Kind.ENTRY, "[[" + i + "]]", 4 * INNER, INDEX);
    }
    assertTrue(errors.get(0).expected().contains("both"), errors::toString);
    assertTrue(errors.get(1).found().contains("nbytes 1000"), errors::toString);
    assertTrue(errors.get(2).expected().contains("outside the index"), errors::toString);
    assertTrue(errors.get(3).found().contains("9223372036854775808"), errors::toString);
    // nothing names the bytes of the shard's body
    assertEquals(4 * INNER, found.summary().unusedBytes());
  }

  @Test
  void entryOfNoBytes_doesNotDecode() throws IOException {
    shard().entry(3, 3 * INNER, 0).write();
    Found found = verify();
    assertEquals(List.of(Kind.TRAILING_BYTES, Kind.CHUNK), found.findings().stream().map(Finding::kind).toList());
  }

  @Test
  void overlap_isANote() throws IOException {
    RawShard shard = shard();
    shard.entry(3, shard.offset(2), shard.size(2)).write();
    Found found = verify();
    assertEquals(0, found.summary().errors());
    assertFound(found.findings().get(1), Severity.NOTE, Kind.OVERLAP, "[[3]]", 2 * INNER, INNER);
    assertTrue(found.findings().get(1).found().contains("inner chunk [2]"), found.findings()::toString);
    assertFound(found.findings().get(0), Severity.NOTE, Kind.TRAILING_BYTES, "[]", 3 * INNER, INNER);
  }

  @Test
  void unusedBytes_areNotes_beforeBetweenAndBehind() throws IOException {
    shard().insert(4 * INNER, 3).insert(INNER, 2).insert(0, 5).write();
    Found found = verify();
    assertEquals(3, found.findings().size(), found.findings()::toString);
    assertFound(found.findings().get(0), Severity.NOTE, Kind.LEADING_BYTES, "[]", 0, 5);
    assertFound(found.findings().get(1), Severity.NOTE, Kind.GAP, "[]", 5 + INNER, 2);
    assertFound(found.findings().get(2), Severity.NOTE, Kind.TRAILING_BYTES, "[]", 7 + 4 * INNER, 3);
    assertEquals(10, found.summary().unusedBytes());
  }

  @Test
  void bytesBehindAShardWithAnIndexAtTheStart_areANote() throws IOException {
    Path file = written(spec().indexLocation(IndexLocation.START)).resolve("c/0");
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), INDEX + 4 * INNER + 9));
    assertFound(verify().only(), Severity.NOTE, Kind.TRAILING_BYTES, "[]", INDEX + 4 * INNER, 9);
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), INDEX - 1));
    Finding f = verify().only();
    assertEquals(Kind.INDEX, f.kind(), f::toString);
    assertEquals(Optional.of("c/0"), f.key());
  }

  @Test
  void nestedShards_areLookedAtInAllLevels() throws IOException {
    Json inner = Codecs.sharding(new long[] {2}, Codecs.named("bytes", Json.object()), Codecs.crc32c());
    Path file = written(ArraySpec.of("uint8", 8).chunkShape(4).shardShape(8).codecs(inner)).resolve("c/0");
    int size = 2 * INNER + 2 * 16 + 4;
    assertEquals(new Summary(1, 1, 2, 4, 0, Files.size(file), 0, 0, 0), verify().summary());
    byte[] sound = Files.readAllBytes(file);
    byte[] broken = sound.clone();
    broken[size + INNER] ^= 1;
    Files.write(file, broken);
    assertFound(verify().only(), Severity.ERROR, Kind.CHECKSUM, "[[1], [1]]", size + INNER, INNER);
    broken = sound.clone();
    broken[size - 1] ^= 1;
    Files.write(file, broken);
    assertFound(verify().only(), Severity.ERROR, Kind.INDEX, "[[0]]", 0, size);
  }

  @Test
  void shardBehindACompressor_isLookedInto() throws IOException {
    Path file = written(ArraySpec.of("uint8", 8).chunkShape(8)
        .codecs(Codecs.sharding(new long[] {2}, Codecs.named("bytes", Json.object())), Codecs.gzip(1))).resolve("c/0");
    assertEquals(4, verify().summary().innerChunks());
    Files.write(file, new byte[] {1, 2, 3});
    Finding f = verify().only();
    assertEquals(Kind.INDEX, f.kind(), f::toString);
  }

  @Test
  void plainChunks_areDecoded_orOnlyMeasured() throws IOException {
    Path folder = written(ArraySpec.of("uint8", 8).chunkShape(4).codecs(Codecs.gzip(1)));
    assertEquals(2, verify().summary().chunks());
    Files.write(folder.resolve("c/1"), new byte[] {1, 2, 3});
    Finding f = verify().only();
    assertEquals(Kind.CHUNK, f.kind(), f::toString);
    assertEquals(Optional.of("c/1"), f.key());
    try (ZarrArray array = Zarr.openArray(folder.toString())) {
      assertEquals(List.of(), Found.of(Verification.of(array).withoutDecoding()).findings());
    }
  }

  @Test
  void withoutDecoding_sizesAndIndexesAreStillSeen() throws IOException {
    RawShard shard = shard();
    shard.flip(0).entry(1, INNER, INNER - 1).write();
    try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
      Found found = Found.of(Verification.of(array).withoutDecoding());
      assertFound(found.findings().stream().filter(f -> f.kind() == Kind.CHUNK).findFirst().orElseThrow(),
          Severity.ERROR, Kind.CHUNK, "[[1]]", INNER, INNER - 1);
      assertEquals(1, found.summary().errors(), "the flipped byte is not looked at");
    }
  }

  @Test
  void objectsThatAreNoChunks_areNotes() throws IOException {
    Path folder = written(spec());
    Files.writeString(folder.resolve("notes.txt"), "x");
    Files.createDirectories(folder.resolve("__shardkit"));
    Files.writeString(folder.resolve("__shardkit/lock"), "");
    Files.copy(folder.resolve("c/0"), folder.resolve("c/2"));
    Files.copy(folder.resolve("c/0"), folder.resolve("c/00"));
    Found found = verify();
    assertEquals(List.of("c/00", "c/2", "notes.txt"),
        found.findings().stream().map(f -> f.key().orElseThrow()).sorted().toList());
    assertTrue(found.findings().stream().allMatch(f -> f.kind() == Kind.FOREIGN_OBJECT));
    assertEquals(0, found.summary().errors());
  }

  @Test
  void tree_isWalked_andBrokenNodesAreNamed() throws IOException {
    Path root = dir.resolve("tree");
    try (ZarrGroup group = Zarr.createGroup(root.toString(), Json.object(), Zarr.Existing.REFUSE,
        ZarrOptions.defaults())) {
      for (String name : List.of("x/a", "x/b", "c", "d")) {
        ZarrArray array = group.createArray(name, spec(), Zarr.Existing.REFUSE);
        array.write(array.domain(), new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 0);
      }
    }
    Files.writeString(root.resolve("c/zarr.json"), "{");
    Path unknown = root.resolve("d/zarr.json");
    Files.writeString(unknown, Files.readString(unknown).replace("crc32c", "unheard-of"));
    Files.write(root.resolve("x/b/c/1"), new byte[3]);
    try (ZarrGroup group = Zarr.openGroup(root.toString())) {
      Found found = Found.of(group);
      assertEquals(List.of("c METADATA", "d UNSUPPORTED", "x/b INDEX"),
          found.findings().stream().map(f -> f.node() + " " + f.kind()).toList());
      assertEquals(Optional.of("x/b/c/1"), found.findings().get(2).key());
      assertEquals(2, found.summary().arrays());
    }
  }

  @Test
  void overHttp_theSameIsFound() throws IOException {
    shard().flip(INNER + 1).insert(0, 5).write();
    List<String> near = verify().findings().stream().map(Finding::toString).toList();
    assertEquals(2, near.size());
    try (RangeServer server = RangeServer.over(dir);
        ZarrArray array = Zarr.openArray(server.uri().resolve("a").toString())) {
      server.clearLog();
      Found far = Found.of(array);
      assertEquals(near, far.findings().stream().map(Finding::toString).toList());
      assertEquals(4, server.log().size(), server.log()::toString); // an index and its inner chunks, twice
    }
  }

  @Test
  void unreadableObject_isFound() {
    written(ArraySpec.of("uint8", 8).chunkShape(2).shardShape(8));
    try (RangeServer server = RangeServer.over(dir);
        ZarrArray array = Zarr.openArray(server.uri().resolve("a").toString())) {
      server.failNext(1, 403, Map.of());
      Finding f = Found.of(array).only();
      assertEquals(Kind.UNREADABLE, f.kind(), f::toString);
      assertEquals(Optional.of("c/0"), f.key());
    }
  }

  @Test
  void storeThatFailsAgainAndAgain_endsIt() {
    written(ArraySpec.of("uint8", 40).chunkShape(1).shardShape(2));
    try (RangeServer server = RangeServer.over(dir);
        ZarrArray array = Zarr.openArray(server.uri().resolve("a").toString())) {
      server.failNext(1000, 403, Map.of());
      List<Finding> before = new ArrayList<>();
      assertThrows(StoreException.class, () -> Verification.of(array).run(before::add));
      assertEquals(9, before.size());
    }
  }

  @Test
  void interrupted_itEnds() {
    written(spec());
    try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
      Thread.currentThread().interrupt();
      assertThrows(CancellationException.class, () -> Found.of(array));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void progress_countsStoredObjects() {
    written(spec());
    List<String> told = new ArrayList<>();
    try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
      Verification.of(array).withProgress((path, done, total) -> told.add(done + "/" + total)).run(f -> {});
    }
    assertEquals(List.of("0/2", "2/2"), told);
  }

  @Test
  void consumersOwnException_endsIt() throws IOException {
    shard().flip(0).write();
    try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
      assertThrows(IllegalStateException.class, () -> Verification.of(array).run(f -> {
        throw new IllegalStateException();
      }));
      assertFalse(Thread.interrupted());
    }
  }

  @Test
  void hugeSparseGrid_costsWhatIsStored() {
    try (ZarrArray array = Zarr.createArray(dir.resolve("huge").toString(),
        ArraySpec.of("uint8", 1L << 40, 1L << 20).chunkShape(1, 1).codecs(Codecs.named("bytes", Json.object())))) {
      array.write(Values.box(new long[] {(1L << 40) - 1, 7}, 1, 1), new byte[] {9}, 0);
      assertEquals(new Summary(1, 0, 0, 0, 1, 1, 0, 0, 0), Found.of(array).summary());
    }
  }
}
