package dev.shardkit.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.BytesToBytesCodecContract;
import dev.shardkit.testkit.SampleBytes;
import org.junit.jupiter.api.Test;

class ZstdTest extends BytesToBytesCodecContract {
  @Override
  protected BytesToBytesCodec codec() {
    return ZstdCodec.ofLevel(3);
  }

  @Test
  void encode_always_writesSizeAndChecksum() {
    for (ZstdCodec codec : new ZstdCodec[] {ZstdCodec.ofLevel(-5), ZstdCodec.ofLevel(22).withChecksum()}) {
      byte[] encoded =
          codec.encode(Bytes.of(SampleBytes.make(SampleBytes.Kind.SMOOTH, 100_000)), new Scratch()).toArray();
      assertEquals(4, encoded[4] & 4, "the checksum flag");
      assertNotEquals(0, encoded[4] & 0xe0, "a content size");
    }
  }

  @Test
  void level_outOfRange_isTheCallersMistake() {
    assertThrows(IllegalArgumentException.class, () -> ZstdCodec.ofLevel(23));
    assertThrows(IllegalArgumentException.class, () -> ZstdCodec.ofLevel(-131073));
  }

  @Test
  void equality_isOfLevelAndChecksum() {
    assertEquals(ZstdCodec.ofLevel(3), ZstdCodec.ofLevel(3));
    assertNotEquals(ZstdCodec.ofLevel(3), ZstdCodec.ofLevel(3).withChecksum());
    assertNotEquals(ZstdCodec.ofLevel(3), ZstdCodec.ofLevel(4));
  }
}
