package dev.shardkit.cli.option;

import dev.shardkit.Codecs;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.json.Json;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the short form of a list of codecs: names separated by commas, each with an optional level, such as
 * {@code zstd:3,crc32c}; {@code blosc} with a compressor and a level, such as {@code blosc:lz4:5}; or {@code none}.
 * Codecs with other parameters need JSON.
 */
final class ShortCodecs {
    private static final Pattern ITEM = Pattern.compile("([A-Za-z][A-Za-z0-9_.-]*)(?::(-?[0-9]{1,4}))?");
    private static final Pattern BLOSC = Pattern.compile("blosc(?::([a-z0-9]+))?(?::([0-9]))?");
    private static final Set<String> COMPRESSORS = Set.of("lz4", "lz4hc", "blosclz", "zstd", "snappy", "zlib");
    private static final int DEFAULT_BLOSC_LEVEL = 5;
    /** Codecs with a level, and its default. */
    private static final Map<String, Integer> DEFAULT_LEVELS =
            Map.of("zstd", 3, "gzip", 5, "numcodecs.zlib", 1, "numcodecs.bz2", 1);
    /** Codecs that need no parameters, so that a level is a mistake. */
    private static final Set<String> WITHOUT_LEVEL = Set.of("crc32c", "bytes", "vlen-utf8", "vlen-bytes", "packbits");

    /** Codecs that need parameters, with an example of each. The short form has no parameters. */
    private static final Map<String, String> NEED_PARAMETERS = Map.of(
            "transpose", "{\"order\":[1,0]}",
            "reshape", "{\"shape\":[[0,1]]}",
            "bitround", "{\"keepbits\":10}",
            "cast_value", "{\"data_type\":\"uint8\"}",
            "numcodecs.delta", "{\"dtype\":\"<u2\"}",
            "numcodecs.astype", "{\"encode_dtype\":\"<f4\",\"decode_dtype\":\"<f8\"}",
            "numcodecs.fixedscaleoffset", "{\"offset\":0,\"scale\":10,\"dtype\":\"<f8\",\"astype\":\"<i2\"}",
            "numcodecs.quantize", "{\"digits\":2,\"dtype\":\"<f8\"}");

    private ShortCodecs() {}

    /**
     * Parses the short form.
     *
     * @param typeSize the size of an element in bytes, for blosc; 0 if each array has its own
     */
    static Json[] parse(String option, String text, IntSupplier typeSize) {
        if (text.strip().equals("none")) {
            return new Json[0];
        }
        String[] items = text.split(",", -1);
        Json[] codecs = new Json[items.length];
        for (int i = 0; i < items.length; i++) {
            String item = items[i].strip();
            boolean isBlosc = item.equals("blosc") || item.startsWith("blosc:");
            codecs[i] = isBlosc ? parseBlosc(option, item, typeSize.getAsInt()) : parseCodec(option, item);
        }
        return codecs;
    }

    /** Parses {@code blosc} with an optional compressor and level. */
    private static Json parseBlosc(String option, String item, int typeSize) {
        Matcher parts = BLOSC.matcher(item);
        String compressor = parts.matches() && parts.group(1) != null ? parts.group(1) : "lz4";
        if (!parts.matches() || !COMPRESSORS.contains(compressor)) {
            throw new UsageException(option + ": expected blosc:COMPRESSOR:LEVEL such as blosc:lz4:5, with one of "
                    + String.join(", ", new TreeSet<>(COMPRESSORS)) + " and a level from 0 to 9, found \"" + item
                    + "\"");
        }
        int level = parts.group(2) == null ? DEFAULT_BLOSC_LEVEL : Integer.parseInt(parts.group(2));
        return typeSize > 0
                ? Codecs.blosc(compressor, level, typeSize)
                : Codecs.named(
                        "blosc",
                        Json.object().with("cname", Json.of(compressor)).with("clevel", Json.of(level)));
    }

    /** Parses the name of a codec other than blosc, with an optional level. */
    private static Json parseCodec(String option, String item) {
        Matcher parts = ITEM.matcher(item);
        if (item.equals("none")) {
            throw new UsageException(option + ": none cannot be combined with other codecs");
        } else if (!parts.matches()) {
            throw new UsageException(
                    option + ": expected a JSON list, none, or names such as zstd:3,crc32c or blosc:lz4:5, "
                            + "found \"" + item + "\"");
        }
        String name = parts.group(1);
        Integer level = parts.group(2) == null ? DEFAULT_LEVELS.get(name) : Integer.valueOf(parts.group(2));
        String example = NEED_PARAMETERS.get(name);
        if (example != null) {
            throw new UsageException(
                    option + ": codec " + name + " needs parameters, which the short form does not have; give "
                            + "all codecs as a JSON list with an item such as {\"name\":\"" + name
                            + "\",\"configuration\":" + example
                            + "}");
        } else if (level == null) {
            return Codecs.named(name, Json.object());
        } else if (name.equals("zstd")) {
            return Codecs.zstd(level);
        } else if (WITHOUT_LEVEL.contains(name)) {
            throw new UsageException(option + ": codec " + name + " has no level; give its parameters as JSON");
        }
        // The registry refuses an unknown name when the array is created.
        return Codecs.named(name, Json.object().with("level", Json.of(level)));
    }
}
