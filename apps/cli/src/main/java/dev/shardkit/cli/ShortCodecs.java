package dev.shardkit.cli;

import dev.shardkit.Codecs;
import dev.shardkit.spi.json.Json;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The short form of a list of codecs: names separated by commas, each with an optional level, such as
 * {@code zstd:3,crc32c}. Codecs with other parameters need JSON.
 */
final class ShortCodecs {
    private static final Pattern ITEM = Pattern.compile("([A-Za-z][A-Za-z0-9_.-]*)(?::(-?[0-9]{1,4}))?");
    /** The codecs with a level, and the level without a number. */
    private static final Map<String, Integer> LEVELS =
            Map.of("zstd", 3, "gzip", 5, "numcodecs.zlib", 1, "numcodecs.bz2", 1);

    private ShortCodecs() {}

    static Json[] parse(String option, String text) {
        String[] items = text.split(",", -1);
        Json[] codecs = new Json[items.length];
        for (int i = 0; i < items.length; i++) {
            codecs[i] = codec(option, items[i].strip());
        }
        return codecs;
    }

    private static Json codec(String option, String item) {
        Matcher parts = ITEM.matcher(item);
        if (!parts.matches()) {
            throw new WrongUse(
                    option + ": expected a JSON list or names such as zstd:3,crc32c, found \"" + item + "\"");
        }
        String name = parts.group(1);
        if (LEVELS.containsKey(name)) {
            int level = parts.group(2) == null ? LEVELS.get(name) : Integer.parseInt(parts.group(2));
            return name.equals("zstd")
                    ? Codecs.zstd(level)
                    : Codecs.named(name, Json.object().with("level", Json.of(level)));
        }
        if (parts.group(2) != null) {
            throw new WrongUse(option + ": codec " + name + " has no level; give its parameters as JSON");
        }
        return Codecs.named(name, Json.object());
    }
}
