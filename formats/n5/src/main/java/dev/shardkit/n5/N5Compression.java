package dev.shardkit.n5;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts the compression of an N5 dataset to a codec of Zarr v3, and describes the compression of a new dataset in
 * the form of N5. Members that only writers use, such as levels, are optional. Stateless.
 */
final class N5Compression {
    /** The member of a dataset's document that holds the compression: an object with a type. */
    static final String MEMBER = "compression";
    /** The member that holds the compression before version 2 of N5: a string. */
    static final String FORMER_MEMBER = "compressionType";

    private static final String LEVEL = "level";
    private static final String BLOCK_SIZE = "blockSize";
    private static final int DEFAULT_GZIP_LEVEL = 6;
    private static final int DEFAULT_XZ_PRESET = 6;
    private static final int DEFAULT_ZSTD_LEVEL = 3;
    private static final int MAX_BZIP2_BLOCK = 9;
    private static final int DEFAULT_BLOSC_LEVEL = 5;
    /** The shuffles of blosc, in the order of their numbers. */
    private static final List<String> SHUFFLES = List.of("noshuffle", "shuffle", "bitshuffle");

    /**
     * The form of an encoding for {@link #create}. Its groups are the type, the compressor of blosc, a number, and the
     * shuffle of blosc.
     */
    private static final Pattern ENCODING_PATTERN = Pattern.compile(
            "([a-z0-9]+)(?::([a-z][a-z0-9]*))?(?::(-?[0-9]{1,8}))?(?::(" + String.join("|", SHUFFLES) + "))?");

    private N5Compression() {}

    /** Returns the codec; empty for raw blocks. */
    static Optional<Json> codec(Config array, int elementSize) {
        Optional<Json> member = array.json(MEMBER);
        Optional<Json> formerType = array.json(FORMER_MEMBER);
        if (member.isEmpty() && formerType.isPresent()) {
            return codecOfType(configOf(Json.object().with("type", formerType.get()), array), elementSize);
        }
        if (!(member.orElseGet(Json.Null::new) instanceof Json.Obj compression)) {
            throw Config.expected(array.at(MEMBER), "an object with a type", member.orElseGet(Json.Null::new));
        }
        return codecOfType(configOf(compression, array), elementSize);
    }

    /** Returns a reader of a compression's members, whose messages name the place in the document of the dataset. */
    private static Config configOf(Json.Obj compression, Config array) {
        return new Config(compression, array.at(MEMBER), array.extensions());
    }

    /** Returns the codec of a compression; empty for raw blocks. */
    private static Optional<Json> codecOfType(Config config, int elementSize) {
        Json type = config.json("type")
                .orElseThrow(() -> new MetadataException(config.at("type") + ": is required, but missing"));
        if (!(type instanceof Json.Str name)) {
            throw Config.expected(config.at("type"), "a string", type);
        }
        return switch (name.value()) {
            case "raw" -> Optional.empty();
            case "gzip" -> Optional.of(gzipCodec(config));
            case "bzip2" ->
                withLevel(
                        "numcodecs.bz2",
                        config.integer(BLOCK_SIZE, 1, MAX_BZIP2_BLOCK).orElse(MAX_BZIP2_BLOCK));
            case "xz" -> Optional.of(xzCodec(config));
            case "zstd" -> Optional.of(zstdCodec(config));
            case "lz4" -> Optional.of(lz4Codec(config));
            case "blosc" -> Optional.of(bloscCodec(config, elementSize));
            default ->
                throw new UnsupportedException(config.at("type") + ": compression " + type
                        + " is not supported; known are" + " blosc, bzip2, gzip, lz4, raw, xz and zstd");
        };
    }

    /**
     * Returns the compression of a new array, with the members that N5 and tensorstore write.
     *
     * @param name the type and an optional number, such as {@code gzip:6}. For blosc, a compressor and a shuffle are
     *     optional, too: {@code blosc:zstd:5}, {@code blosc:zstd:5:bitshuffle}. {@code zlib} stands for N5's type gzip
     *     with the member {@code useZlib}
     */
    static Json create(String name, int elementSize) {
        Matcher parts = ENCODING_PATTERN.matcher(name);
        String type = parts.matches() ? parts.group(1) : name;
        Optional<String> blosc = parts.matches() ? Optional.ofNullable(parts.group(2)) : Optional.empty();
        Optional<Json> number = parts.matches()
                ? Optional.ofNullable(parts.group(3)).map(digits -> Json.of(Long.parseLong(digits)))
                : Optional.empty();
        // the type and perhaps a number, without the parts that only blosc has
        boolean hasOnlyNumber = blosc.isEmpty() && parts.matches() && parts.group(4) == null;
        Json.Obj compression = Json.object().with("type", Json.of(type.equals("zlib") ? "gzip" : type));
        if (type.equals("blosc") && parts.matches()) {
            return compression
                    .with("cname", Json.of(blosc.orElse("lz4")))
                    .with("clevel", number.orElse(Json.of(DEFAULT_BLOSC_LEVEL)))
                    .with("shuffle", Json.of(shuffleNumber(parts.group(4), elementSize)))
                    .with("blocksize", Json.of(0));
        }
        return switch (hasOnlyNumber ? type : "") {
            case "gzip", "zlib" ->
                compression.with(LEVEL, number.orElse(Json.of(-1))).with("useZlib", Json.of(type.equals("zlib")));
            case "bzip2" -> compression.with(BLOCK_SIZE, number.orElse(Json.of(MAX_BZIP2_BLOCK)));
            case "xz" -> compression.with("preset", number.orElse(Json.of(DEFAULT_XZ_PRESET)));
            case "zstd" -> compression.with(LEVEL, number.orElse(Json.of(DEFAULT_ZSTD_LEVEL)));
            case "lz4" -> compression.with(BLOCK_SIZE, lz4BlockSize(name, parts.group(3)));
            case "raw", "none" -> createRaw(name, number);
            default -> throw unknownCompression(name);
        };
    }

    /** Returns the number of a shuffle. The default is a shuffle of bytes for elements of several bytes. */
    private static int shuffleNumber(@Nullable String name, int elementSize) {
        if (name != null) {
            return SHUFFLES.indexOf(name);
        }
        return elementSize > 1 ? 1 : 0;
    }

    private static Json lz4BlockSize(String name, @Nullable String number) {
        int size = number == null ? Lz4BlockCodec.DEFAULT_BLOCK_SIZE : Integer.parseInt(number);
        if (size < Lz4BlockCodec.MIN_BLOCK_SIZE || size > Lz4BlockCodec.MAX_BLOCK_SIZE) {
            throw new MetadataException("an array of N5: expected the size of lz4's blocks from "
                    + Lz4BlockCodec.MIN_BLOCK_SIZE + " to " + Lz4BlockCodec.MAX_BLOCK_SIZE + " bytes, found " + name);
        }
        return Json.of(size);
    }

    /** Returns the compression raw, which has no number. */
    private static Json createRaw(String name, Optional<Json> number) {
        if (number.isPresent()) {
            throw unknownCompression(name);
        }
        return Json.object().with("type", Json.of("raw"));
    }

    private static MetadataException unknownCompression(String name) {
        return new MetadataException(
                "an array of N5: expected one compression, raw, gzip, zlib, bzip2, xz, zstd, blosc or "
                        + "lz4, with an optional number such as gzip:6 or blosc:zstd:5, found " + name);
    }

    private static Optional<Json> withLevel(String name, long level) {
        return Optional.of(Json.extension(name, Json.object().with(LEVEL, Json.of(level))));
    }

    private static Json gzipCodec(Config config) {
        long level = config.integer(LEVEL, -1, 9).orElse(-1);
        boolean isZlib = config.bool("useZlib").orElse(false);
        return Json.extension(
                isZlib ? "numcodecs.zlib" : "gzip",
                Json.object().with(LEVEL, Json.of(level < 0 ? DEFAULT_GZIP_LEVEL : level)));
    }

    private static Json xzCodec(Config config) {
        return Json.extension(
                "numcodecs.lzma",
                Json.object()
                        .with("format", Json.of(1)) // the container format xz
                        .with("preset", Json.of(config.integer("preset", 0, 9).orElse(DEFAULT_XZ_PRESET))));
    }

    private static Json zstdCodec(Config config) {
        return Json.extension(
                "zstd",
                Json.object()
                        .with(LEVEL, Json.of(config.integer(LEVEL, -131_072, 22).orElse(DEFAULT_ZSTD_LEVEL)))
                        .with("checksum", Json.of(false)));
    }

    private static Json lz4Codec(Config config) {
        long size =
                config.integer(BLOCK_SIZE, 0, Lz4BlockCodec.MAX_BLOCK_SIZE).orElse(Lz4BlockCodec.DEFAULT_BLOCK_SIZE);
        if (size < Lz4BlockCodec.MIN_BLOCK_SIZE) {
            throw new UnsupportedException(
                    config.at(BLOCK_SIZE) + ": expected blocks of LZ4Block, as N5's library writes, "
                            + "of at least " + Lz4BlockCodec.MIN_BLOCK_SIZE + " bytes, found " + size
                            + "; z5py's lz4 is another format, and this number is its level");
        }
        return Json.extension(Lz4BlockCodec.NAME, Json.object().with("block_size", Json.of(size)));
    }

    private static Json bloscCodec(Config config, int elementSize) {
        String name = config.oneOf("cname", "lz4", "lz4hc", "blosclz", "zstd", "snappy", "zlib")
                .orElse("blosclz");
        long shuffle = config.integer("shuffle", -1, 2).orElse(1);
        // -1 leaves the choice to c-blosc: it shuffles bits if elements have one byte, otherwise bytes
        long defaultShuffle = elementSize == 1 ? 2 : 1;
        long usedShuffle = shuffle >= 0 ? shuffle : defaultShuffle;
        return Json.extension(
                "blosc",
                Json.object()
                        .with("cname", Json.of(name))
                        .with("clevel", Json.of(config.integer("clevel", 0, 9).orElse(DEFAULT_BLOSC_LEVEL)))
                        .with("shuffle", Json.of(SHUFFLES.get((int) usedShuffle)))
                        .with("typesize", Json.of(elementSize))
                        .with(
                                "blocksize",
                                Json.of(config.integer("blocksize", 0, Integer.MAX_VALUE)
                                        .orElse(0))));
    }
}
