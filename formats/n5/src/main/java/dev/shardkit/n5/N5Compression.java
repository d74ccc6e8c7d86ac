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
 * Converts the compression of an N5 dataset to a codec. Members that only matter to writers are optional. Stateless.
 */
final class N5Compression {
    /** The member, an object with a type. */
    static final String NOW = "compression";
    /** The member before version 2 of N5, a string. */
    static final String BEFORE = "compressionType";

    private static final String LEVEL = "level";
    private static final String BLOCK_SIZE = "blockSize";
    private static final int USUAL_GZIP_LEVEL = 6;
    private static final int USUAL_XZ_PRESET = 6;
    private static final int USUAL_ZSTD_LEVEL = 3;
    private static final int LARGEST_BZIP2_BLOCK = 9;
    private static final int USUAL_BLOSC_LEVEL = 5;
    private static final List<String> SHUFFLES = List.of("noshuffle", "shuffle", "bitshuffle");

    private static final Pattern NAME = Pattern.compile(
            "([a-z0-9]+)(?::([a-z][a-z0-9]*))?(?::(-?[0-9]{1,8}))?(?::(" + String.join("|", SHUFFLES) + "))?");

    private N5Compression() {}

    /** Returns the codec; empty for raw blocks. */
    static Optional<Json> codec(Config array, int elementSize) {
        Optional<Json> now = array.json(NOW);
        Optional<Json> before = array.json(BEFORE);
        if (now.isEmpty() && before.isPresent()) {
            return byType(members(Json.object().with("type", before.get()), array), elementSize);
        }
        if (!(now.orElseGet(Json.Null::new) instanceof Json.Obj compression)) {
            throw Config.expected(array.at(NOW), "an object with a type", now.orElseGet(Json.Null::new));
        }
        return byType(members(compression, array), elementSize);
    }

    private static Config members(Json.Obj compression, Config array) {
        return new Config(compression, array.at(NOW), array.extensions());
    }

    private static Optional<Json> byType(Config c, int elementSize) {
        Json type =
                c.json("type").orElseThrow(() -> new MetadataException(c.at("type") + ": is required, but missing"));
        if (!(type instanceof Json.Str name)) {
            throw Config.expected(c.at("type"), "a string", type);
        }
        return switch (name.value()) {
            case "raw" -> Optional.empty();
            case "gzip" -> Optional.of(gzip(c));
            case "bzip2" ->
                leveled(
                        "numcodecs.bz2",
                        c.integer(BLOCK_SIZE, 1, LARGEST_BZIP2_BLOCK).orElse(LARGEST_BZIP2_BLOCK));
            case "xz" -> Optional.of(xz(c));
            case "zstd" -> Optional.of(zstd(c));
            case "lz4" -> Optional.of(lz4(c));
            case "blosc" -> Optional.of(blosc(c, elementSize));
            default ->
                throw new UnsupportedException(c.at("type") + ": compression " + type + " is not supported; known are"
                        + " blosc, bzip2, gzip, lz4, raw, xz and zstd");
        };
    }

    /**
     * Returns the compression of a new array, with the members that N5 and tensorstore write.
     *
     * @param name its type, with an optional number: {@code gzip:6}; of blosc also with a compressor,
     *     {@code blosc:zstd:5}, and a shuffle, {@code blosc:zstd:5:bitshuffle}; {@code zlib} is gzip with
     *     {@code useZlib}
     */
    static Json of(String name, int elementSize) {
        Matcher parts = NAME.matcher(name);
        String type = parts.matches() ? parts.group(1) : name;
        Optional<String> blosc = parts.matches() ? Optional.ofNullable(parts.group(2)) : Optional.empty();
        Optional<Json> number = parts.matches()
                ? Optional.ofNullable(parts.group(3)).map(n -> Json.of(Long.parseLong(n)))
                : Optional.empty();
        boolean isPlain = blosc.isEmpty() && parts.matches() && parts.group(4) == null;
        Json.Obj typed = Json.object().with("type", Json.of(type.equals("zlib") ? "gzip" : type));
        if (type.equals("blosc") && parts.matches()) {
            return typed.with("cname", Json.of(blosc.orElse("lz4")))
                    .with("clevel", number.orElse(Json.of(USUAL_BLOSC_LEVEL)))
                    .with("shuffle", Json.of(shuffle(parts.group(4), elementSize)))
                    .with("blocksize", Json.of(0));
        }
        return switch (isPlain ? type : "") {
            case "gzip", "zlib" ->
                typed.with(LEVEL, number.orElse(Json.of(-1))).with("useZlib", Json.of(type.equals("zlib")));
            case "bzip2" -> typed.with(BLOCK_SIZE, number.orElse(Json.of(LARGEST_BZIP2_BLOCK)));
            case "xz" -> typed.with("preset", number.orElse(Json.of(USUAL_XZ_PRESET)));
            case "zstd" -> typed.with(LEVEL, number.orElse(Json.of(USUAL_ZSTD_LEVEL)));
            case "lz4" -> typed.with(BLOCK_SIZE, lz4Size(name, parts.group(3)));
            case "raw", "none" -> raw(name, number);
            default -> throw unknown(name);
        };
    }

    private static int shuffle(@Nullable String name, int elementSize) {
        return name != null ? SHUFFLES.indexOf(name) : elementSize > 1 ? 1 : 0;
    }

    private static Json lz4Size(String name, @Nullable String number) {
        int size = number == null ? Lz4BlockCodec.USUAL : Integer.parseInt(number);
        if (size < Lz4BlockCodec.SMALLEST || size > Lz4BlockCodec.LARGEST) {
            throw new MetadataException("an array of N5: expected the size of lz4's blocks from "
                    + Lz4BlockCodec.SMALLEST + " to " + Lz4BlockCodec.LARGEST + " bytes, found " + name);
        }
        return Json.of(size);
    }

    private static Json raw(String name, Optional<Json> number) {
        if (number.isPresent()) {
            throw unknown(name);
        }
        return Json.object().with("type", Json.of("raw"));
    }

    private static MetadataException unknown(String name) {
        return new MetadataException(
                "an array of N5: expected one compression, raw, gzip, zlib, bzip2, xz, zstd, blosc or "
                        + "lz4, with an optional number such as gzip:6 or blosc:zstd:5, found " + name);
    }

    private static Optional<Json> leveled(String name, long level) {
        return Optional.of(Json.extension(name, Json.object().with(LEVEL, Json.of(level))));
    }

    private static Json gzip(Config c) {
        long level = c.integer(LEVEL, -1, 9).orElse(-1);
        boolean zlib = c.bool("useZlib").orElse(false);
        return Json.extension(
                zlib ? "numcodecs.zlib" : "gzip",
                Json.object().with(LEVEL, Json.of(level < 0 ? USUAL_GZIP_LEVEL : level)));
    }

    private static Json xz(Config c) {
        return Json.extension(
                "numcodecs.lzma",
                Json.object()
                        .with("format", Json.of(1))
                        .with("preset", Json.of(c.integer("preset", 0, 9).orElse(USUAL_XZ_PRESET))));
    }

    private static Json zstd(Config c) {
        return Json.extension(
                "zstd",
                Json.object()
                        .with(LEVEL, Json.of(c.integer(LEVEL, -131_072, 22).orElse(USUAL_ZSTD_LEVEL)))
                        .with("checksum", Json.of(false)));
    }

    private static Json lz4(Config c) {
        long size = c.integer(BLOCK_SIZE, 0, Lz4BlockCodec.LARGEST).orElse(Lz4BlockCodec.USUAL);
        if (size < Lz4BlockCodec.SMALLEST) {
            throw new UnsupportedException(c.at(BLOCK_SIZE) + ": expected blocks of LZ4Block, as N5's library writes, "
                    + "of at least " + Lz4BlockCodec.SMALLEST + " bytes, found " + size
                    + "; z5py's lz4 is another format, and this number is its level");
        }
        return Json.extension(Lz4BlockCodec.NAME, Json.object().with("block_size", Json.of(size)));
    }

    private static Json blosc(Config c, int elementSize) {
        String name = c.oneOf("cname", "lz4", "lz4hc", "blosclz", "zstd", "snappy", "zlib")
                .orElse("blosclz");
        long shuffle = c.integer("shuffle", -1, 2).orElse(1);
        long used = shuffle >= 0 ? shuffle : elementSize == 1 ? 2 : 1;
        return Json.extension(
                "blosc",
                Json.object()
                        .with("cname", Json.of(name))
                        .with("clevel", Json.of(c.integer("clevel", 0, 9).orElse(USUAL_BLOSC_LEVEL)))
                        .with("shuffle", Json.of(SHUFFLES.get((int) used)))
                        .with("typesize", Json.of(elementSize))
                        .with(
                                "blocksize",
                                Json.of(c.integer("blocksize", 0, Integer.MAX_VALUE)
                                        .orElse(0))));
    }
}
