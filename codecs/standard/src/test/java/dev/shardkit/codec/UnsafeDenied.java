package dev.shardkit.codec;

import dev.shardkit.codec.zstd.ZstdCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.FixtureContent;
import dev.shardkit.testkit.internal.UnsafeAccess;
import java.util.Arrays;

/** What runs in a JVM that denies {@code sun.misc.Unsafe}; prints {@code ok}, or fails. */
final class UnsafeDenied {
    private static final int N = 20_000;

    private UnsafeDenied() {}

    public static void main(String[] args) {
        try (Scratch scratch = new Scratch()) {
            ZstdCodec zstd = ZstdCodec.ofLevel(3);
            BytesToBytesCodec blosc = blosc("zstd");
            Bytes frame = Bytes.of(FixtureContent.stream(UnsafeDenied.class, "/blosc/zstd_shuffle.blosc"));
            check(blosc.decode(frame, DecodedSize.atMost(1 << 24), scratch).size() > 0, "blosc with zstd decodes");
            check(UnsafeAccess.ofThisJvm() == UnsafeAccess.DENIED, "it is denied");
            roundTrip(zstd, scratch);
            for (String cname : new String[] {"lz4", "lz4hc", "zstd", "zlib", "snappy"}) {
                roundTrip(blosc(cname), scratch);
            }
            for (String name : new String[] {"lz4_shuffle", "lz4hc_bitshuffle", "snappy_shuffle", "blosclz_shuffle"}) {
                Bytes given = Bytes.of(FixtureContent.stream(UnsafeDenied.class, "/blosc/" + name + ".blosc"));
                check(blosc.decode(given, DecodedSize.atMost(1 << 24), scratch).size() > 0, name + " decodes");
            }
        }
        System.out.println("ok");
    }

    private static BytesToBytesCodec blosc(String cname) {
        return (BytesToBytesCodec) Codecs.make(
                "blosc",
                Json.object()
                        .with("cname", Json.of(cname))
                        .with("clevel", Json.of(5))
                        .with("shuffle", Json.of("noshuffle"))
                        .with("typesize", Json.of(1))
                        .with("blocksize", Json.of(0)));
    }

    private static void roundTrip(BytesToBytesCodec codec, Scratch scratch) {
        Bytes encoded = codec.encode(Bytes.of(FixtureContent.of(N)), scratch);
        byte[] decoded = codec.decode(encoded, DecodedSize.exactly(N), scratch).toArray();
        check(Arrays.equals(FixtureContent.of(N), decoded), codec.name() + " encodes and decodes");
        check(encoded.size() < N, codec.name() + codec.configuration() + " compresses");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
