package dev.shardkit.cli.option;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses the values of options: JSON, attributes, data types, lists of codecs, URLs and sizes in bytes. It declares no
 * options.
 */
public final class Options {
    /** An example for {@code --codecs}. */
    public static final String CODECS_EXAMPLE =
            "zstd:3,crc32c or '[{\"name\":\"gzip\",\"configuration\":{\"level\":5}}]'";

    private Options() {}

    /** Parses any JSON value. */
    static Json json(String option, String text) {
        try {
            return JsonReader.read(text, Limits.defaults());
        } catch (MetadataException e) {
            throw new UsageException(option + ": " + e.fact());
        }
    }

    /**
     * Parses the value of an attribute: JSON, in which {@code NaN}, {@code Infinity} and {@code -Infinity} are numbers,
     * or plain text, which is a string. Text that begins like an object, a list or a string of JSON must be JSON.
     */
    public static Json attribute(String option, String text) {
        return parseOrString(option, text, Options::readPythonJson);
    }

    /** Parses a fill value: JSON, or plain text, which is a string, such as NaN. */
    static Json fillValue(String option, String text) {
        return parseOrString(option, text, value -> JsonReader.read(value, Limits.defaults()));
    }

    private static Json parseOrString(String option, String text, Function<String, Json> reader) {
        try {
            return reader.apply(text);
        } catch (MetadataException e) {
            if (!text.isEmpty() && "[{\"".indexOf(text.charAt(0)) >= 0) {
                throw new UsageException(option + ": " + e.fact());
            }
            return Json.of(text);
        }
    }

    /** Reads JSON with {@code NaN} and infinities, as Python writes it. */
    private static Json readPythonJson(String text) {
        return JsonReader.readWithNonNumbers(text.getBytes(StandardCharsets.UTF_8), Limits.defaults());
    }

    /** Parses attributes: an object, in which {@code NaN} and the infinities are numbers. */
    public static Json.Obj attributes(String option, String text) {
        try {
            return object(option, readPythonJson(text));
        } catch (MetadataException e) {
            throw new UsageException(option + ": " + e.fact());
        }
    }

    /** Parses a data type: a name, or a JSON object for a type with a configuration. */
    public static Json dataType(String option, String text) {
        return text.startsWith("{") ? json(option, text) : Json.of(text);
    }

    /** Returns the size of an element, for codecs that need it; 0 for a group, whose arrays may differ. */
    public static IntSupplier typeSize(ZarrNode node) {
        return () ->
                node instanceof ZarrArray array ? array.dataType().elementSize().orElse(1) : 0;
    }

    /**
     * Parses a list of codecs: either a JSON list, in which a string is the short form of one codec, or the short form
     * of the whole list ({@link ShortCodecs}).
     *
     * @param typeSize the size of an element in bytes, for blosc in the short form
     */
    public static Json[] codecs(String option, String text, IntSupplier typeSize) {
        if (text.isBlank()) {
            throw new UsageException(option + ": expected a JSON list, none for no compression, or names such as "
                    + "zstd:3,crc32c, found nothing");
        } else if ("[{\"".indexOf(text.strip().charAt(0)) < 0) {
            return ShortCodecs.parse(option, text, typeSize);
        }
        if (json(option, text) instanceof Json.Arr list) {
            return list.items().stream()
                    .flatMap(item -> item instanceof Json.Str name
                            ? Stream.of(ShortCodecs.parse(option, name.value(), typeSize))
                            : Stream.of(item))
                    .toArray(Json[]::new);
        }
        throw new UsageException(option + ": expected a JSON list of codecs, found "
                + json(option, text).kind());
    }

    /** Parses a JSON object. */
    public static Json.Obj object(String option, String text) {
        return object(option, json(option, text));
    }

    private static Json.Obj object(String option, Json value) {
        if (value instanceof Json.Obj object) {
            return object;
        }
        throw new UsageException(option + ": expected a JSON object, found " + value.kind());
    }

    /** Parses a URL. Messages do not repeat it, since it may hold a password. */
    public static URI url(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new TypeConversionException("expected a URL such as https://host:port, found a text that is no URL: "
                    + e.getReason() + " at index " + e.getIndex());
        }
    }

    /** Parses a size in bytes, such as {@code 2g}. */
    public static long bytes(String option, String text) {
        if (text.matches("[0-9]{1,18}[kmgtKMGT]?")) {
            String digits = text.replaceAll("[a-zA-Z]", "");
            int powerOf1024 = "kmgt".indexOf(text.substring(digits.length()).toLowerCase(Locale.ROOT)) + 1;
            long multiplier = digits.equals(text) ? 1 : 1L << 10 * powerOf1024;
            if (Long.parseLong(digits) <= Long.MAX_VALUE / multiplier) {
                return Long.parseLong(digits) * multiplier;
            }
        }
        throw new UsageException(option
                + ": expected a size such as 2g (k, m, g, t: powers of 1024; without a letter: bytes), found '" + text
                + "'");
    }
}
