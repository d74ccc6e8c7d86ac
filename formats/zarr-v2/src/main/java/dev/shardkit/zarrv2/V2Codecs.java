package dev.shardkit.zarrv2;

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
 * Converts the order, the filters and the compressor of an array of Zarr v2 to a codec chain of Zarr v3. Replaces a
 * filter by a codec of Zarr v3 only if both decode to the same bits. Other filters become the codec
 * {@code numcodecs.<id>} with an unchanged configuration. Each instance converts one array.
 */
final class V2Codecs {
    /**
     * The filters that convert bytes to bytes. Other filters convert elements to elements. An exception is the first
     * filter of an array of objects, such as text, which converts elements to bytes.
     */
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
    /** The maximum element size of blosc's shuffle. For larger elements, blosc itself uses 1. */
    private static final int MAX_TYPE_SIZE = 255;
    /** The level of zlib that level -1 selects. */
    private static final int DEFAULT_LEVEL = 6;

    /** A float64 represents integers of this many bits exactly. */
    private static final int EXACT_BITS = 53;

    private final V2Members array;
    private final List<Json> elementwiseCodecs = new ArrayList<>();
    private final List<Json> bytewiseCodecs = new ArrayList<>();

    /** The type of the elements after the filters converted so far. */
    private V2Type type;

    /** The fill value after the filters converted so far; empty if it is unknown. */
    private OptionalDouble fill;

    private V2Codecs(V2Members array, V2Type type, OptionalDouble fill) {
        this.array = array;
        this.type = type;
        this.fill = fill;
    }

    /**
     * Returns the codec chain.
     *
     * @param fill the fill value in the form of Zarr v3
     * @param first the codec before all filters: {@code transpose} for an array in Fortran order, else null
     */
    static List<Json> convert(V2Members array, V2Type type, Json fill, @Nullable Json first) {
        V2Codecs codecs = new V2Codecs(array, type, FillAttribute.number(type.dataType(), fill));
        List<V2Members> filters = filters(array);
        // the filter json2 needs no transpose: NumPy lists the objects of any array in C order
        if (first != null && !firstFilter(array).equals(V2Type.JSON)) {
            codecs.elementwiseCodecs.add(first);
        }
        for (V2Members filter : type.kind() == 'O' ? filters.subList(1, filters.size()) : filters) {
            codecs.addFilter(filter);
        }
        array.get(COMPRESSOR).ifPresent(json -> codecs.addBytewise(V2Members.parse(json, array.at(COMPRESSOR))));
        List<Json> chain = new ArrayList<>(codecs.elementwiseCodecs);
        chain.add(type.kind() == 'O' ? objectCodec(filters.get(0)) : codecs.type.bytesCodec());
        chain.addAll(codecs.bytewiseCodecs);
        return chain;
    }

    static List<V2Members> filters(V2Members array) {
        List<Json> items =
                array.get(FILTERS).map(json -> array.list(FILTERS, json)).orElseGet(List::of);
        List<V2Members> filters = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            filters.add(V2Members.parse(items.get(i), array.at(FILTERS) + "/" + i));
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

    /** Converts the first filter of objects to an array-to-bytes codec. */
    private static Json objectCodec(V2Members filter) {
        String id = filter.requiredText("id");
        return id.equals(V2Type.TEXT) || id.equals(V2Type.BINARY)
                ? Json.extension(id, Json.object())
                : numcodecsCodec(id, filter);
    }

    private void addFilter(V2Members filter) {
        String id = filter.requiredText("id");
        if (BYTEWISE.contains(id)) {
            addBytewise(filter);
        } else if (!bytewiseCodecs.isEmpty() || type.kind() == 'O') {
            throw new UnsupportedException(filter.location() + ": the elementwise filter " + id
                    + " after a bytes-to-bytes filter has no counterpart in Zarr v3");
        } else {
            addElementwise(id, filter);
        }
    }

    private void addElementwise(String id, V2Members filter) {
        Optional<V2Type> storedType =
                switch (id) {
                    case "fixedscaleoffset" -> scaledType(filter);
                    case "astype" -> castType(filter);
                    default -> Optional.empty();
                };
        boolean isScaled = id.equals("fixedscaleoffset");
        // the fill value as scale_offset would encode it
        OptionalDouble shiftedFill = isScaled && storedType.isPresent() ? shiftedFill(filter) : fill;
        if (storedType.isPresent() && survivesCast(shiftedFill, storedType.get())) {
            fill = shiftedFill;
            if (isScaled) {
                elementwiseCodecs.add(Json.extension(
                        "scale_offset",
                        Json.object()
                                .with("offset", filter.required("offset"))
                                .with("scale", filter.required("scale"))));
            }
            // fixedscaleoffset rounds; astype, a cast of NumPy, truncates
            boolean truncates =
                    !isScaled && type.kind() == 'f' && storedType.get().kind() != 'f';
            Json.Obj cast = Json.object()
                    .with("data_type", storedType.get().dataType())
                    .with("rounding", Json.of(truncates ? "towards-zero" : "nearest-even"));
            elementwiseCodecs.add(Json.extension("cast_value", cast));
            type = storedType.get();
        } else if (id.equals("bitround") && type.kind() == 'f') {
            fill = OptionalDouble.empty();
            elementwiseCodecs.add(
                    Json.extension("bitround", Json.object().with("keepbits", filter.required("keepbits"))));
        } else {
            fill = OptionalDouble.empty();
            elementwiseCodecs.add(numcodecsCodec(id, filter));
            type = typeAfter(id, filter);
        }
    }

    /** Returns the fill value that the codec {@code scale_offset} makes of the current one. */
    private OptionalDouble shiftedFill(V2Members filter) {
        return fill.isPresent()
                ? OptionalDouble.of((fill.getAsDouble() - numberOf(filter, "offset")) * numberOf(filter, "scale"))
                : fill;
    }

    private static double numberOf(V2Members filter, String name) {
        return Double.parseDouble(((Json.Num) filter.required(name)).lexeme());
    }

    /**
     * Returns whether the codec {@code cast_value} supports a fill value. This codec casts the fill value too, and the
     * cast must not change it. A filter of Zarr v2 does not encode the fill value, so it supports any value. If this
     * method returns false, the filter becomes {@code numcodecs.<id>}.
     */
    private static boolean survivesCast(OptionalDouble fill, V2Type storedType) {
        if (fill.isEmpty()) {
            return false;
        }
        double value = fill.getAsDouble();
        if (storedType.kind() == 'f') {
            double rounded = storedType.size() == 2
                    ? Float16.toFloat(Float16.ofDouble(value))
                    : storedType.size() == 4 ? (float) value : value;
            return rounded == value || Double.isNaN(value);
        }
        boolean isSigned = storedType.kind() == 'i';
        double limit = Math.scalb(1.0, (int) Math.min(EXACT_BITS, 8 * storedType.size() - (isSigned ? 1 : 0)));
        return value == Math.rint(value) && value < limit && value >= (isSigned ? -limit : 0);
    }

    /** Returns the type of the elements after a filter without an equivalent in Zarr v3. */
    private V2Type typeAfter(String id, V2Members filter) {
        if (id.equals("packbits")) {
            return typeOf(new V2Members(Json.object().with("dtype", Json.of("|u1")), filter.location()), "dtype");
        }
        // the member of the filter that names the stored type
        String member = id.equals("astype") ? "encode_dtype" : "astype";
        return filter.get(member).filter(Json.Str.class::isInstance).isPresent() ? typeOf(filter, member) : type;
    }

    /**
     * Returns the stored type of {@code fixedscaleoffset} if {@code scale_offset} and {@code cast_value} decode to the
     * same bits: NumPy computes in float64 and stores integers. Otherwise returns empty.
     */
    private Optional<V2Type> scaledType(V2Members filter) {
        boolean hasNumbers = filter.get("offset")
                        .filter(Json.Num.class::isInstance)
                        .isPresent()
                && filter.get("scale").filter(Json.Num.class::isInstance).isPresent();
        boolean isExact = hasNumbers && type.kind() == 'f' && type.size() == 8 && isOfType(filter, "dtype", type);
        return isExact && filter.get("astype").isPresent()
                ? Optional.of(typeOf(filter, "astype")).filter(t -> isInteger(t))
                : Optional.empty();
    }

    /**
     * Returns the stored type of {@code astype} if the array's type can represent all values of it; otherwise empty.
     */
    private Optional<V2Type> castType(V2Members filter) {
        if (!isOfType(filter, "decode_dtype", type)
                || filter.get("encode_dtype").isEmpty()) {
            return Optional.empty();
        }
        V2Type storedType = typeOf(filter, "encode_dtype");
        boolean isWidening =
                storedType.kind() == type.kind() && storedType.size() < type.size() && "iuf".indexOf(type.kind()) >= 0
                        || storedType.kind() == 'u' && type.kind() == 'i' && storedType.size() < type.size()
                        || isInteger(storedType) && type.kind() == 'f' && storedType.size() * 2 <= type.size();
        return isWidening ? Optional.of(storedType) : Optional.empty();
    }

    private static boolean isInteger(V2Type type) {
        return type.kind() == 'i' || type.kind() == 'u';
    }

    private static boolean isOfType(V2Members filter, String member, V2Type type) {
        return filter.get(member).isPresent() && typeOf(filter, member).equals(type);
    }

    private static V2Type typeOf(V2Members filter, String member) {
        Json.Obj typeMembers = Json.object().with("dtype", filter.required(member));
        return V2Type.parse(new V2Members(typeMembers, filter.at(member)));
    }

    private void addBytewise(V2Members codec) {
        String id = codec.requiredText("id");
        bytewiseCodecs.add(
                switch (id) {
                    case "zlib" -> Json.extension("numcodecs.zlib", levelConfiguration(codec, 1));
                    case "gzip" -> Json.extension("gzip", levelConfiguration(codec, 1));
                    case "zstd" -> Json.extension("zstd", zstdConfiguration(codec));
                    case "blosc" -> Json.extension("blosc", bloscConfiguration(codec));
                    case "shuffle" ->
                        Json.extension(
                                "numcodecs.shuffle",
                                Json.object()
                                        .with("elementsize", codec.number("elementsize", 4, 1, Integer.MAX_VALUE)));
                    case "crc32c" ->
                        codec.get("location").equals(Optional.of(Json.of("end")))
                                ? Json.extension("crc32c", Json.object())
                                : numcodecsCodec(id, codec);
                    default -> numcodecsCodec(id, codec);
                });
    }

    private static Json.Obj levelConfiguration(V2Members codec, long defaultLevel) {
        Json level = codec.number("level", defaultLevel, -1, 9);
        return Json.object().with("level", level.equals(Json.of(-1)) ? Json.of(DEFAULT_LEVEL) : level);
    }

    private static Json.Obj zstdConfiguration(V2Members codec) {
        Json.Obj zstd = Json.object().with("level", codec.number("level", 0, Integer.MIN_VALUE, 22));
        return codec.get("checksum").map(flag -> zstd.with("checksum", flag)).orElse(zstd);
    }

    /**
     * Converts the configuration of blosc. Shuffle -1 selects the kind of shuffle by the size of elements. GDAL writes
     * strings such as {@code "BYTE"} in place of numbers.
     */
    private Json.Obj bloscConfiguration(V2Members codec) {
        long size = type.kind() == 'O' || !bytewiseCodecs.isEmpty() || type.size() > MAX_TYPE_SIZE ? 1 : type.size();
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

    /** Returns the codec {@code numcodecs.<id>}. A plug-in can implement it. */
    private static Json numcodecsCodec(String id, V2Members codec) {
        Map<String, Json> configuration = new LinkedHashMap<>(codec.object().members());
        configuration.remove("id");
        if (id.equals("lzma")) {
            configuration.remove("delta"); // GDAL's option for writers; readers find the filters in the xz stream
        }
        return Json.extension("numcodecs." + id, new Json.Obj(configuration));
    }
}
