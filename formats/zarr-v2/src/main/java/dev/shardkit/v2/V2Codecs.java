package dev.shardkit.v2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.FillAttribute;
import dev.shardkit.spi.type.Float16;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts order, filters and the compressor to a codec chain. Converts only codecs that decode to the same bits;
 * others keep their name and configuration as {@code numcodecs.<id>}. Used once.
 */
final class V2Codecs {
    /** Filters that turn bytes into bytes; all other filters are treated as elementwise. */
    private static final Set<String> BYTEWISE = Set.of(
            "zlib",
            "gzip",
            "zstd",
            "blosc",
            "lz4",
            "bz2",
            "lzma",
            "shuffle",
            "crc32",
            "crc32c",
            "adler32",
            "fletcher32",
            "jenkins_lookup3",
            "imagecodecs_lzw");

    private static final String COMPRESSOR = "compressor";
    private static final String FILTERS = "filters";
    private static final int LARGEST_TYPE_SIZE = 255;
    private static final int USUAL_LEVEL = 6;

    /** A float64 has integers up to two to this power exactly. */
    private static final int EXACT_BITS = 53;

    private final V2Members array;
    private final List<Json> elementwise = new ArrayList<>();
    private final List<Json> bytewise = new ArrayList<>();
    private V2Type type;

    /** The fill value behind the filters so far; empty if it is not known. */
    private OptionalDouble fill;

    private V2Codecs(V2Members array, V2Type type, OptionalDouble fill) {
        this.array = array;
        this.type = type;
        this.fill = fill;
    }

    /**
     * Returns the codec chain.
     *
     * @param fill the fill value, as Zarr v3 has it
     * @param first comes before all filters
     */
    static List<Json> of(V2Members array, V2Type type, Json fill, @Nullable Json first) {
        V2Codecs codecs = new V2Codecs(array, type, FillAttribute.number(type.dataType(), fill));
        List<V2Members> filters = filters(array);
        // NumPy lists the objects of an array in C order, whatever the order of its memory
        if (first != null && !firstFilter(array).equals(V2Type.JSON)) {
            codecs.elementwise.add(first);
        }
        for (V2Members filter : type.kind() == 'O' ? filters.subList(1, filters.size()) : filters) {
            codecs.filter(filter);
        }
        array.get(COMPRESSOR).ifPresent(json -> codecs.bytewise(V2Members.of(json, array.at(COMPRESSOR))));
        List<Json> chain = new ArrayList<>(codecs.elementwise);
        chain.add(type.kind() == 'O' ? objects(filters.get(0)) : codecs.type.arrayToBytes());
        chain.addAll(codecs.bytewise);
        return chain;
    }

    static List<V2Members> filters(V2Members array) {
        List<Json> items =
                array.get(FILTERS).map(json -> array.list(FILTERS, json)).orElseGet(List::of);
        List<V2Members> filters = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            filters.add(V2Members.of(items.get(i), array.at(FILTERS) + "/" + i));
        }
        return filters;
    }

    /** Returns the id of the first filter; empty if there is none. */
    static String firstFilter(V2Members array) {
        return filters(array).stream()
                .findFirst()
                .map(f -> f.requiredText("id"))
                .orElse("");
    }

    /** Returns the array-to-bytes codec that the first filter of objects is. */
    private static Json objects(V2Members filter) {
        String id = filter.requiredText("id");
        return id.equals(V2Type.TEXT) || id.equals(V2Type.BINARY)
                ? Json.extension(id, Json.object())
                : foreign(id, filter);
    }

    private void filter(V2Members filter) {
        String id = filter.requiredText("id");
        if (BYTEWISE.contains(id)) {
            bytewise(filter);
        } else if (!bytewise.isEmpty() || type.kind() == 'O') {
            throw new UnsupportedException(filter.where() + ": the elementwise filter " + id
                    + " after a bytes-to-bytes filter has no counterpart in Zarr v3");
        } else {
            elementwise(id, filter);
        }
    }

    private void elementwise(String id, V2Members filter) {
        Optional<V2Type> stored =
                switch (id) {
                    case "fixedscaleoffset" -> scaled(filter);
                    case "astype" -> cast(filter);
                    default -> Optional.empty();
                };
        boolean scaled = id.equals("fixedscaleoffset");
        OptionalDouble shifted = scaled && stored.isPresent() ? shifted(filter) : fill;
        if (stored.isPresent() && survives(shifted, stored.get())) {
            fill = shifted;
            if (scaled) {
                elementwise.add(Json.extension(
                        "scale_offset",
                        Json.object()
                                .with("offset", filter.required("offset"))
                                .with("scale", filter.required("scale"))));
            }
            boolean truncates = !scaled && type.kind() == 'f' && stored.get().kind() != 'f';
            Json.Obj cast = Json.object()
                    .with("data_type", stored.get().dataType())
                    .with("rounding", Json.of(truncates ? "towards-zero" : "nearest-even"));
            elementwise.add(Json.extension("cast_value", cast));
            type = stored.get();
        } else if (id.equals("bitround") && type.kind() == 'f') {
            fill = OptionalDouble.empty();
            elementwise.add(Json.extension("bitround", Json.object().with("keepbits", filter.required("keepbits"))));
        } else {
            fill = OptionalDouble.empty();
            elementwise.add(foreign(id, filter));
            type = storedBy(id, filter);
        }
    }

    /** Returns the fill value behind {@code scale_offset}. */
    private OptionalDouble shifted(V2Members filter) {
        return fill.isPresent()
                ? OptionalDouble.of((fill.getAsDouble() - number(filter, "offset")) * number(filter, "scale"))
                : fill;
    }

    private static double number(V2Members filter, String name) {
        return Double.parseDouble(((Json.Num) filter.required(name)).lexeme());
    }

    /**
     * Returns whether {@code cast_value} accepts a fill value, which it casts: it must be the same afterwards. In
     * version 2, the fill value is not encoded; it only stands for missing chunks. So other fill values are right
     * there, and the filter keeps its own name.
     */
    private static boolean survives(OptionalDouble fill, V2Type stored) {
        if (fill.isEmpty()) {
            return false;
        }
        double value = fill.getAsDouble();
        if (stored.kind() == 'f') {
            double rounded = stored.size() == 2
                    ? Float16.toFloat(Float16.ofDouble(value))
                    : stored.size() == 4 ? (float) value : value;
            return rounded == value || Double.isNaN(value);
        }
        boolean isSigned = stored.kind() == 'i';
        double beyond = Math.scalb(1.0, (int) Math.min(EXACT_BITS, 8 * stored.size() - (isSigned ? 1 : 0)));
        return value == Math.rint(value) && value < beyond && value >= (isSigned ? -beyond : 0);
    }

    /** Returns the type of the elements behind a filter that keeps its own name. */
    private V2Type storedBy(String id, V2Members filter) {
        if (id.equals("packbits")) {
            return typeOf(new V2Members(Json.object().with("dtype", Json.of("|u1")), filter.where()), "dtype");
        }
        String member = id.equals("astype") ? "encode_dtype" : "astype";
        return filter.get(member).filter(Json.Str.class::isInstance).isPresent() ? typeOf(filter, member) : type;
    }

    /** Returns the stored type of {@code fixedscaleoffset} if NumPy computes in float64; otherwise empty. */
    private Optional<V2Type> scaled(V2Members filter) {
        boolean numbers = filter.get("offset")
                        .filter(Json.Num.class::isInstance)
                        .isPresent()
                && filter.get("scale").filter(Json.Num.class::isInstance).isPresent();
        boolean exact = numbers && type.kind() == 'f' && type.size() == 8 && isOfType(filter, "dtype", type);
        return exact && filter.get("astype").isPresent()
                ? Optional.of(typeOf(filter, "astype")).filter(t -> isInteger(t))
                : Optional.empty();
    }

    /** Returns the stored type of {@code astype} if the array's type can represent all its values; otherwise empty. */
    private Optional<V2Type> cast(V2Members filter) {
        if (!isOfType(filter, "decode_dtype", type)
                || filter.get("encode_dtype").isEmpty()) {
            return Optional.empty();
        }
        V2Type stored = typeOf(filter, "encode_dtype");
        boolean widens = stored.kind() == type.kind() && stored.size() < type.size() && "iuf".indexOf(type.kind()) >= 0
                || stored.kind() == 'u' && type.kind() == 'i' && stored.size() < type.size()
                || isInteger(stored) && type.kind() == 'f' && stored.size() * 2 <= type.size();
        return widens ? Optional.of(stored) : Optional.empty();
    }

    private static boolean isInteger(V2Type type) {
        return type.kind() == 'i' || type.kind() == 'u';
    }

    private static boolean isOfType(V2Members filter, String member, V2Type type) {
        return filter.get(member).isPresent() && typeOf(filter, member).equals(type);
    }

    private static V2Type typeOf(V2Members filter, String member) {
        Json.Obj alone = Json.object().with("dtype", filter.required(member));
        return V2Type.of(new V2Members(alone, filter.at(member)));
    }

    private void bytewise(V2Members codec) {
        String id = codec.requiredText("id");
        bytewise.add(
                switch (id) {
                    case "zlib" -> Json.extension("numcodecs.zlib", level(codec, 1));
                    case "gzip" -> Json.extension("gzip", level(codec, 1));
                    case "zstd" -> Json.extension("zstd", zstd(codec));
                    case "blosc" -> Json.extension("blosc", blosc(codec));
                    case "shuffle" ->
                        Json.extension(
                                "numcodecs.shuffle",
                                Json.object()
                                        .with("elementsize", codec.number("elementsize", 4, 1, Integer.MAX_VALUE)));
                    case "crc32c" ->
                        codec.get("location").equals(Optional.of(Json.of("end")))
                                ? Json.extension("crc32c", Json.object())
                                : foreign(id, codec);
                    default -> foreign(id, codec);
                });
    }

    private static Json.Obj level(V2Members codec, long otherwise) {
        Json level = codec.number("level", otherwise, -1, 9);
        return Json.object().with("level", level.equals(Json.of(-1)) ? Json.of(USUAL_LEVEL) : level);
    }

    private static Json.Obj zstd(V2Members codec) {
        Json.Obj zstd = Json.object().with("level", codec.number("level", 0, Integer.MIN_VALUE, 22));
        return codec.get("checksum").map(flag -> zstd.with("checksum", flag)).orElse(zstd);
    }

    /** Converts blosc; shuffle -1 selects by the size of elements. GDAL writes texts for some shuffles. */
    private Json.Obj blosc(V2Members codec) {
        long size = type.kind() == 'O' || !bytewise.isEmpty() || type.size() > LARGEST_TYPE_SIZE ? 1 : type.size();
        Json shuffle = codec.get("shuffle").orElseGet(() -> Json.of(1));
        String name =
                switch (shuffle.toString()) {
                    case "\"NONE\"", "\"BYTE\"", "\"BIT\"" -> ((Json.Str) shuffle).value();
                    case "0" -> "noshuffle";
                    case "1" -> "shuffle";
                    case "2" -> "bitshuffle";
                    case "-1" -> size == 1 ? "bitshuffle" : "shuffle";
                    default -> throw Config.expected(codec.at("shuffle"), "-1, 0, 1 or 2", shuffle);
                };
        return Json.object()
                .with("cname", Json.of(codec.text("cname").orElse("lz4")))
                .with("clevel", codec.number("clevel", 5, 0, 9))
                .with("shuffle", Json.of(name))
                .with("typesize", Json.of(size))
                .with("blocksize", codec.number("blocksize", 0, 0, Integer.MAX_VALUE));
    }

    /** Returns a codec under the name {@code numcodecs.<id>}; a plug-in with this name can decode it. */
    private static Json foreign(String id, V2Members codec) {
        Map<String, Json> configuration = new LinkedHashMap<>(codec.object().members());
        configuration.remove("id");
        if (id.equals("lzma")) {
            configuration.remove("delta"); // an option of GDAL for writers; the stream of xz states its filters
        }
        return Json.extension("numcodecs." + id, new Json.Obj(configuration));
    }
}
