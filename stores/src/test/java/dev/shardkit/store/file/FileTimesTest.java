package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.Durability;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Versions of one key are never taken for one another, however quickly they follow. */
@Timeout(180)
class FileTimesTest {
  @TempDir
  Path dir;

  private String version(FileStore store) throws IOException {
    try (Snapshot snapshot = store.open("k").orElseThrow()) {
      return snapshot.version();
    }
  }

  @Test
  void version_ofQuickPutsOfOneSize_differs() throws IOException {
    FileStore store = FileStore.at(dir);
    Set<String> versions = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      store.put("k", Texts.content("value " + (100 + i)), Durability.ATOMIC);
      versions.add(version(store));
      if (i % 3 == 0) {
        store.delete("k"); // the next file may get this one's inode
      }
    }
    assertEquals(500, versions.size());
  }

  @Test
  void version_ofQuickWritesInPlaceByOthers_differs() throws IOException {
    FileStore store = FileStore.at(dir);
    Set<String> versions = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      Files.writeString(dir.resolve("k"), "value " + (100 + i));
      versions.add(version(store));
    }
    assertEquals(40, versions.size());
  }

  @Test
  void put_overAFileFromTheFuture_isLaterStill() throws IOException {
    FileStore store = FileStore.at(dir);
    store.put("k", Texts.content("a"), Durability.ATOMIC);
    Instant future = Instant.now().plus(Duration.ofHours(1));
    Files.setLastModifiedTime(dir.resolve("k"), FileTime.from(future));
    store.put("k", Texts.content("b"), Durability.ATOMIC);
    assertTrue(Files.getLastModifiedTime(dir.resolve("k")).toInstant().isAfter(future.minusNanos(1000)));
    Files.setLastModifiedTime(dir.resolve("k"), FileTime.from(Instant.now().plusMillis(5).plusNanos(1)));
    version(store);
  }
}
