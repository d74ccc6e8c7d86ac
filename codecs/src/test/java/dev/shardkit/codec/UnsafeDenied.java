package dev.shardkit.codec;

import dev.shardkit.codec.support.Content;
import dev.shardkit.codec.zstd.ZstdCodec;
import dev.shardkit.codec.zstd.ZstdFramesTest;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;

/** What runs in a JVM that denies {@code sun.misc.Unsafe}; prints {@code ok}, or fails. */
final class UnsafeDenied {
  private static final int N = 20_000;

  private UnsafeDenied() {}

  public static void main(String[] args) {
    try (Scratch scratch = new Scratch()) {
      ZstdCodec zstd = ZstdCodec.ofLevel(3);
      Bytes decoded = zstd.decode(Bytes.of(Content.stream(ZstdFramesTest.class, "checksum.zst")),
          DecodedSize.exactly(N), scratch);
      check(Arrays.equals(Content.of(N), decoded.toArray()), "zstd decodes");
      BytesToBytesCodec blosc = blosc();
      Bytes frame = Bytes.of(Content.stream(UnsafeDenied.class, "/blosc/zstd_shuffle.blosc"));
      check(blosc.decode(frame, DecodedSize.atMost(1 << 24), scratch).size() > 0, "blosc with zstd decodes");
      refuses(() -> zstd.encode(Bytes.of(new byte[N]), scratch), "zstd encoding");
      // Once it has failed, another error lies beneath.
      refuses(() -> zstd.encode(Bytes.of(new byte[N]), scratch), "zstd encoding");
      refuses(() -> blosc.encode(Bytes.of(Content.of(N)), scratch), "blosc: encoding");
      Bytes lz4 = Bytes.of(Content.stream(UnsafeDenied.class, "/blosc/lz4_shuffle.blosc"));
      refuses(() -> blosc.decode(lz4, DecodedSize.atMost(1 << 24), scratch), "blosc: decoding lz4");
    }
    System.out.println("ok");
  }

  private static BytesToBytesCodec blosc() {
    return (BytesToBytesCodec) Codecs.make("blosc", Json.object().with("cname", Json.of("zstd"))
        .with("clevel", Json.of(5)).with("shuffle", Json.of("noshuffle")).with("blocksize", Json.of(0)));
  }

  private static void refuses(Runnable call, String saying) {
    try {
      call.run();
    } catch (UnsupportedException e) {
      check(e.getMessage().startsWith(saying) && e.getMessage().contains("sun.misc.Unsafe"), e.getMessage());
      return;
    }
    throw new AssertionError("expected an UnsupportedException of " + saying);
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
