package dev.shardkit.codec.zstd.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.support.Content;
import dev.shardkit.codec.support.HeapBytes;
import dev.shardkit.codec.support.Output;
import dev.shardkit.codec.support.UnsafeAccess;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredFrameTest {
  private static byte[] frame(byte[] bytes) {
    try (Scratch scratch = new Scratch()) {
      Output out = Output.encoding(StoredFrame.most(bytes.length), scratch);
      byte[] in = new byte[bytes.length + 6];
      System.arraycopy(bytes, 0, in, 3, bytes.length);
      StoredFrame.write(new HeapBytes(in, 3, 3 + bytes.length), out);
      return out.copy().toArray();
    }
  }

  private static byte[] decode(byte[] frame, int size) {
    try (Scratch scratch = new Scratch()) {
      return ZstdDecoder.read(new HeapBytes(frame, 0, frame.length), DecodedSize.exactly(size), scratch).toArray();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 1000, 131_071, 131_072, 131_073, 262_144, 500_000})
  void frames_areReadByUsAndByThePeer(int size) {
    byte[] bytes = Content.of(size);
    if (size > 131_072) {
      Arrays.fill(bytes, 131_072, Math.min(size, 262_144), (byte) 7);
    }
    byte[] frame = frame(bytes);
    assertTrue(frame.length <= StoredFrame.most(size));
    assertArrayEquals(bytes, decode(frame, size));
    if (UnsafeAccess.ofThisJvm() != UnsafeAccess.DENIED) {
      byte[] out = new byte[size];
      assertEquals(size, new ZstdDecompressor().decompress(frame, 0, frame.length, out, 0, size));
      assertArrayEquals(bytes, out);
    }
  }

  @Test
  void oneByteAllOver_getsShort() {
    assertTrue(frame(new byte[1 << 20]).length < 64);
  }

  @Test
  void damage_isSeen() {
    byte[] frame = frame(Content.of(1000));
    frame[500] ^= 1;
    assertThrows(ChecksumException.class, () -> decode(frame, 1000));
  }
}
