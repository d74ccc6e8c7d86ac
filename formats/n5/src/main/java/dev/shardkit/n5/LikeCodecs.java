package dev.shardkit.n5;

import dev.shardkit.spi.StatedCodec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Names the compression of N5 that is like a chain of codecs of Zarr v3, the reverse of {@link N5Compression}. */
final class LikeCodecs {
    private LikeCodecs() {}

    /** Returns the name, as {@link N5Compression#of} takes it; empty if N5 has no such compression. */
    static Optional<String> encoding(List<StatedCodec> codecs) {
        if (codecs.isEmpty()) {
            return Optional.of("raw");
        } else if (codecs.size() > 1) {
            return Optional.empty();
        }
        StatedCodec codec = codecs.get(0);
        return switch (codec.name()) {
            case BlockCodec.NAME -> encoding(StatedCodec.withoutOrder(codec.codecs("codecs")));
            case "gzip", "zstd" -> numbered(codec.name(), codec.integer("level"));
            case "numcodecs.zlib" -> numbered("zlib", codec.integer("level"));
            case "numcodecs.bz2" -> numbered("bzip2", codec.integer("level"));
            case "numcodecs.lzma" ->
                codec.integer("format").orElse(1) == 1
                                && codec.codecs("filters").isEmpty()
                        ? numbered("xz", codec.integer("preset"))
                        : Optional.empty();
            case "numcodecs.lz4" -> Optional.of("lz4");
            case Lz4BlockCodec.NAME -> numbered("lz4", codec.integer("block_size"));
            case "blosc" -> blosc(codec);
            default -> Optional.empty();
        };
    }

    private static Optional<String> numbered(String name, OptionalLong number) {
        return Optional.of(number.isPresent() ? name + ":" + number.getAsLong() : name);
    }

    private static Optional<String> blosc(StatedCodec codec) {
        return codec.text("cname")
                .filter(name -> !name.equals("blosclz")) // which shardkit does not write
                .flatMap(name -> numbered("blosc:" + name, codec.integer("clevel")))
                .map(name -> codec.text("shuffle")
                        .map(shuffle -> name + ":" + shuffle)
                        .orElse(name));
    }
}
