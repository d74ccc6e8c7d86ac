package dev.shardkit.n5;

import dev.shardkit.spi.StatedCodec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds the compression of N5 that corresponds to codecs of Zarr v3, for copies into N5. The reverse of
 * {@link N5Compression}.
 */
final class EquivalentCompression {
    private EquivalentCompression() {}

    /** Returns the compression in the form of {@link N5Compression#create}; empty if N5 has no such compression. */
    static Optional<String> find(List<StatedCodec> codecs) {
        if (codecs.isEmpty()) {
            return Optional.of("raw");
        } else if (codecs.size() > 1) {
            return Optional.empty();
        }
        StatedCodec codec = codecs.get(0);
        return switch (codec.name()) {
            case BlockCodec.NAME -> find(StatedCodec.withoutOrder(codec.codecs("codecs")));
            case "gzip", "zstd" -> withNumber(codec.name(), codec.integer("level"));
            case "numcodecs.zlib" -> withNumber("zlib", codec.integer("level"));
            case "numcodecs.bz2" -> withNumber("bzip2", codec.integer("level"));
            case "numcodecs.lzma" ->
                codec.integer("format").orElse(1) == 1 // the container format xz
                                && codec.codecs("filters").isEmpty()
                        ? withNumber("xz", codec.integer("preset"))
                        : Optional.empty();
            case "numcodecs.lz4" -> Optional.of("lz4");
            case Lz4BlockCodec.NAME -> withNumber("lz4", codec.integer("block_size"));
            case "blosc" -> bloscEncoding(codec);
            default -> Optional.empty();
        };
    }

    /** Appends a number to the name of a compression, as in {@code gzip:6}. */
    private static Optional<String> withNumber(String name, OptionalLong number) {
        return Optional.of(number.isPresent() ? name + ":" + number.getAsLong() : name);
    }

    /** Returns the compression for blosc, such as {@code blosc:zstd:5:bitshuffle}. */
    private static Optional<String> bloscEncoding(StatedCodec codec) {
        return codec.text("cname")
                .filter(name -> !name.equals("blosclz")) // shardkit cannot write blosclz
                .flatMap(name -> withNumber("blosc:" + name, codec.integer("clevel")))
                .map(name -> codec.text("shuffle")
                        .map(shuffle -> name + ":" + shuffle)
                        .orElse(name));
    }
}
