package dev.shardkit.codec.blosc;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.json.Json.Obj;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the codec {@code blosc}. It applies only to encoding, since a frame describes itself.
 *
 * @param compressor the member {@code cname}
 * @param level the member {@code clevel}, 0 to 9; 0 means stored
 * @param shuffle the member {@code shuffle}; if null, the data type decides
 * @param typesize the member {@code typesize}, the size of an element in bytes; if null, the data type decides
 * @param blocksize the member {@code blocksize}; 0 means automatic
 */
record BloscSettings(
        BloscCompressor compressor,
        int level,
        @Nullable Shuffle shuffle,
        @Nullable Integer typesize,
        int blocksize) {
    /** The default of numcodecs. */
    private static final int USUAL_LEVEL = 5;

    /** Reads the configuration: {@code cname} and {@code clevel} are required, the others are optional. */
    static BloscSettings of(Config config) {
        if (config.json("cname").isEmpty()) {
            throw new MetadataException(
                    config.at("cname") + ": is required, but missing; known are " + Arrays.toString(cnames()));
        }
        return of(config, cname(config), (int) config.requiredInteger("clevel", 0, 9), shuffle(config));
    }

    /** Reads the configuration of numcodecs: {@code shuffle} is from -1 (the data type decides) to 2. */
    static BloscSettings ofNumcodecs(Config config) {
        int shuffle =
                (int) config.integer("shuffle", -1, Shuffle.values().length - 1).orElse(1);
        return of(
                config,
                cname(config),
                (int) config.integer("clevel", 0, 9).orElse(USUAL_LEVEL),
                shuffle < 0 ? null : Shuffle.values()[shuffle]);
    }

    private static BloscSettings of(Config config, BloscCompressor cname, int level, @Nullable Shuffle shuffle) {
        OptionalLong typesize = config.integer("typesize", 1, Integer.MAX_VALUE);
        int blocksize = (int) config.integer("blocksize", 0, Integer.MAX_VALUE).orElse(0);
        return new BloscSettings(
                cname, level, shuffle, typesize.isPresent() ? (int) typesize.getAsLong() : null, blocksize);
    }

    private static String[] cnames() {
        return Arrays.stream(BloscCompressor.values())
                .map(BloscCompressor::label)
                .toArray(String[]::new);
    }

    /** Returns the compressor; the default of numcodecs if none is given. */
    private static BloscCompressor cname(Config config) {
        return config.oneOf("cname", cnames())
                .map(label -> BloscCompressor.valueOf(label.toUpperCase(Locale.ROOT)))
                .orElse(BloscCompressor.LZ4);
    }

    private static @Nullable Shuffle shuffle(Config config) {
        String[] shuffles = Arrays.stream(Shuffle.values()).map(Shuffle::label).toArray(String[]::new);
        return config.oneOf("shuffle", shuffles)
                .map(name -> Shuffle.valueOf(name.toUpperCase(Locale.ROOT)))
                .orElse(null);
    }

    /**
     * Completes the settings for elements of the given size as zarr-python does: bitshuffle for one byte, shuffle for
     * larger elements.
     */
    BloscSettings complete(int elementSize) {
        Shuffle defaultShuffle = elementSize == 1 ? Shuffle.BITSHUFFLE : Shuffle.SHUFFLE;
        return new BloscSettings(
                compressor, level, shuffle == null ? defaultShuffle : shuffle, typesize(elementSize), blocksize);
    }

    /** Returns the size of elements; {@code otherwise} if the configuration does not give it. */
    int typesize(int otherwise) {
        return typesize == null ? otherwise : typesize;
    }

    /** Returns the members that are known; after {@link #complete}, all are. */
    Obj toJson() {
        Map<String, Json> members = new LinkedHashMap<>();
        if (typesize != null) {
            members.put("typesize", Json.of(typesize));
        }
        members.put("cname", Json.of(compressor.label()));
        members.put("clevel", Json.of(level));
        if (shuffle != null) {
            members.put("shuffle", Json.of(shuffle.label()));
        }
        members.put("blocksize", Json.of(blocksize));
        return new Obj(members);
    }
}
