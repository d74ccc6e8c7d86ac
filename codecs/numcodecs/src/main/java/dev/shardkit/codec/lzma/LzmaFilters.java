package dev.shardkit.codec.lzma;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import org.tukaani.xz.DeltaOptions;
import org.tukaani.xz.FilterOptions;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.UnsupportedOptionsException;

/**
 * The preset or the filters in the configuration of {@code numcodecs.lzma}. Writing uses them for each format, reading
 * only for raw streams: the other formats state their filters in the stream. An immutable value.
 *
 * @param preset a JSON integer, or JSON null
 * @param json the list of filters as the metadata states it, or JSON null
 * @param distance the distance of a delta filter, or 0 if there is none
 * @param level the preset of the compressor, from 0 to 9
 * @param dictionary the size of the dictionary in bytes
 */
public record LzmaFilters(Json preset, Json json, int distance, int level, int dictionary) {
    private static final int USUAL_PRESET = 6;
    /** Python adds this number to a preset for its slower variant. */
    private static final long EXTREME = 1L << 31;

    private static final int SMALLEST_DICTIONARY = 4 << 10;
    private static final int LARGEST_DICTIONARY = 64 << 20;
    /** The number of the delta filter in the .xz format, which Python uses as well. */
    private static final int DELTA = 3;
    /** The number of the LZMA2 filter. */
    private static final int LZMA2 = 0x21;
    /** Settings that tune other encoders; accepted and ignored. */
    private static final List<String> TUNING = List.of("lc", "lp", "pb", "mode", "nice_len", "mf", "depth");

    /** Reads the members {@code preset} and {@code filters}, of which at most one may be set. */
    public static LzmaFilters of(Config config) {
        Json preset = config.json("preset").orElse(new Json.Null());
        Json filters = config.json("filters").orElse(new Json.Null());
        if (filters instanceof Json.Null) {
            int level = preset(preset, config.at("preset"));
            return new LzmaFilters(preset, filters, 0, level, dictionary(level));
        } else if (!(preset instanceof Json.Null)) {
            throw Config.expected(config.at("preset"), "null beside filters", preset);
        } else if (!(filters instanceof Json.Arr list) || list.items().isEmpty()) {
            throw Config.expected(config.at("filters"), "a list of filters or null", filters);
        } else {
            return filters(list, config);
        }
    }

    /** Parses a preset; ignores whether it is the extreme variant. */
    private static int preset(Json json, String location) {
        if (json instanceof Json.Null) {
            return USUAL_PRESET;
        }
        long value = json instanceof Json.Num n && n.isInteger() && n.lexeme().length() <= 10
                ? Long.parseLong(n.lexeme())
                : -1;
        long level = value >= EXTREME ? value - EXTREME : value;
        if (level < 0 || level > 9) {
            throw Config.expected(
                    location, "an integer from 0 to 9, with 2^31 added for the extreme variant, or null", json);
        }
        return (int) level;
    }

    /** Parses an optional delta filter and the LZMA2 filter after it. */
    private static LzmaFilters filters(Json.Arr list, Config config) {
        int distance = 0;
        int last = list.items().size() - 1;
        for (int i = 0; i < last; i++) {
            Config filter = filter(list, i, config);
            if (i > 0 || filter.requiredInteger("id", 0, Long.MAX_VALUE) != DELTA) {
                throw unsupported(filter);
            }
            distance = (int) filter.integer("dist", 1, 256).orElse(1);
            filter.refuseUnread();
        }
        Config filter = filter(list, last, config);
        if (filter.requiredInteger("id", 0, Long.MAX_VALUE) != LZMA2) {
            throw unsupported(filter);
        }
        int level = preset(filter.json("preset").orElse(new Json.Null()), filter.at("preset"));
        int dictionary = (int) filter.integer("dict_size", SMALLEST_DICTIONARY, LARGEST_DICTIONARY)
                .orElse(dictionary(level));
        TUNING.forEach(filter::json); // reads and ignores these members, so that refuseUnread accepts them
        filter.refuseUnread();
        return new LzmaFilters(new Json.Null(), list, distance, level, dictionary);
    }

    private static Config filter(Json.Arr list, int i, Config config) {
        String location = config.at("filters") + "/" + i;
        if (list.items().get(i) instanceof Json.Obj filter) {
            return new Config(filter, location, config.extensions());
        }
        throw Config.expected(location, "an object", list.items().get(i));
    }

    private static UnsupportedException unsupported(Config filter) {
        return new UnsupportedException(filter.at("id") + ": expected an optional delta filter (3) before LZMA2 (33), "
                + "found " + filter.json("id").orElseThrow());
    }

    /** Returns the size of the dictionary of a preset. */
    private static int dictionary(int level) {
        try {
            return new LZMA2Options(level).getDictSize();
        } catch (UnsupportedOptionsException e) {
            throw new IllegalStateException("preset " + level, e);
        }
    }

    /** Returns the filters for decoding at most {@code maximum} bytes, in the order of encoding. */
    FilterOptions[] decoding(long maximum) {
        return options((int) Math.min(dictionary, maximum));
    }

    /** Returns the filters for encoding {@code size} bytes. The dictionary is no larger than the content. */
    FilterOptions[] encoding(long size) {
        return options((int) Math.min(dictionary, Math.max(SMALLEST_DICTIONARY, size)));
    }

    private FilterOptions[] options(int dictionarySize) {
        try {
            LZMA2Options lzma = new LZMA2Options(level);
            lzma.setDictSize(dictionarySize);
            return distance == 0 ? new FilterOptions[] {lzma} : new FilterOptions[] {new DeltaOptions(distance), lzma};
        } catch (UnsupportedOptionsException e) {
            throw new MetadataException("codec " + LzmaCodec.NAME + ": " + e.getMessage(), e);
        }
    }

    /** Returns the compressor, which is the last filter. */
    static LZMA2Options last(FilterOptions[] options) {
        return (LZMA2Options) options[options.length - 1];
    }
}
