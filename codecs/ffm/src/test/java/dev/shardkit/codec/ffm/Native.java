package dev.shardkit.codec.ffm;

import dev.shardkit.codec.blosc.BloscCodecFactory;
import dev.shardkit.codec.gzip.GzipCodecFactory;
import dev.shardkit.codec.zstd.ZstdCodecFactory;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.json.Json;

/** Makes codecs, native and plain, of the same configurations. */
final class Native {
    private Native() {}

    static Json.Obj bloscConfiguration(String cname, String shuffle, long typesize) {
        return Json.object()
                .with("cname", Json.of(cname))
                .with("clevel", Json.of(5))
                .with("shuffle", Json.of(shuffle))
                .with("typesize", Json.of(typesize))
                .with("blocksize", Json.of(0));
    }

    static Json.Obj zstdConfiguration(long level, String checksum) {
        return Json.object()
                .with("level", Json.of(level))
                .with("checksum", new Json.Bool(Boolean.parseBoolean(checksum)));
    }

    static BytesToBytesCodec zstd(long level, String checksum) {
        return make(new FfmZstdCodecFactory(), zstdConfiguration(level, checksum));
    }

    static BytesToBytesCodec gzip(long level) {
        return make(new FfmGzipCodecFactory(), Json.object().with("level", Json.of(level)));
    }

    static BytesToBytesCodec blosc(String cname, String shuffle, long typesize) {
        return make(new FfmBloscCodecFactory(), bloscConfiguration(cname, shuffle, typesize));
    }

    /** The pure-Java codec of the same name and configuration. */
    static BytesToBytesCodec plain(BytesToBytesCodec codec) {
        CodecFactory factory =
                switch (codec.name()) {
                    case "zstd" -> new ZstdCodecFactory();
                    case "gzip" -> new GzipCodecFactory();
                    default -> new BloscCodecFactory();
                };
        return make(factory, codec.configuration());
    }

    private static BytesToBytesCodec make(CodecFactory factory, Json.Obj configuration) {
        return (BytesToBytesCodec)
                factory.create(new Config(configuration, "/codecs/0/configuration", Registry.load()));
    }
}
