package dev.shardkit.spi.type;

import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The attribute {@code _FillValue} of the CF conventions: the value of missing elements. xarray masks missing elements:
 * in an array of Zarr v3 by this attribute only, in an array of Zarr v2 by the fill value of its metadata. Stateless.
 */
public final class FillAttribute {
    /** The name of the attribute. */
    public static final String NAME = "_FillValue";

    /** The older attribute of CF with the same meaning. xarray reads it as plain JSON. */
    static final String MISSING = "missing_value";

    /** The maximum number of digits before or after the point; finite numbers of Zarr types do not need more. */
    private static final int MAX_DIGITS = 400;

    private FillAttribute() {}

    /**
     * Returns the attribute as xarray stores it in Zarr v3: integers and booleans as they are, floating-point numbers
     * as base64 of the eight little-endian bytes of a float64, complex numbers as a pair of these.
     *
     * @param dataType the data type of the array, as the metadata states it
     * @param fill the value, as a number or as a fill value of the metadata
     * @return the attribute; empty if the data type has no such form, or if no element of the type can have the value.
     *     xarray does not open an array that has the attribute although its data type has no form for it
     */
    public static Optional<Json> of(Json dataType, Json fill) {
        String type = dataType instanceof Json.Str name ? name.value() : "";
        return switch (type) {
            case "bool" -> Optional.of(fill).filter(Json.Bool.class::isInstance);
            case "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64" -> integer(fill);
            case "float16", "float32", "float64" -> real(dataType, fill);
            case "complex64", "complex128" -> complex(Json.of(type.equals("complex64") ? "float32" : "float64"), fill);
            default -> Optional.empty();
        };
    }

    /**
     * Returns attributes with the value of missing elements, so that xarray masks the array: {@link #NAME} in the form
     * of {@link #of}. If there is no such form, sets {@code missing_value} instead, unless it is set already. For
     * example, xarray cannot open an array of text that has {@code _FillValue}.
     *
     * @param attributes the attributes; their own {@code _FillValue} is replaced
     * @param dataType the data type of the array, as the metadata states it
     * @param fill the value, as a number, a text or a fill value of the metadata
     */
    public static Json.Obj put(Json.Obj attributes, Json dataType, Json fill) {
        Optional<Json> stored = of(dataType, fill);
        if (stored.isPresent()) {
            return attributes.with(NAME, stored.get());
        }
        Map<String, Json> changed = new LinkedHashMap<>(attributes.members());
        changed.remove(NAME);
        changed.putIfAbsent(MISSING, fill);
        return new Json.Obj(changed);
    }

    /** Returns an integer without a fraction; empty if the number has one. */
    private static Optional<Json> integer(Json fill) {
        if (!(fill instanceof Json.Num number) || !number.isFinite()) {
            return Optional.empty();
        } else if (number.isInteger()) {
            return Optional.of(number.lexeme().equals("-0") ? Json.of(0) : number);
        }
        BigDecimal exact;
        try {
            exact = new BigDecimal(number.lexeme());
        } catch (NumberFormatException e) { // an exponent beyond 32 bits
            return Optional.empty();
        }
        if (Math.abs((long) exact.scale()) > MAX_DIGITS
                || exact.stripTrailingZeros().scale() > 0) {
            return Optional.empty();
        }
        return Optional.of(new Json.Num(exact.toBigIntegerExact().toString()));
    }

    /** Returns a complex number as a pair of texts; empty if a part is not a number. */
    private static Optional<Json> complex(Json part, Json fill) {
        if (!(fill instanceof Json.Arr pair) || pair.items().size() != 2) {
            return Optional.empty();
        }
        Optional<Json> real = real(part, pair.items().get(0));
        Optional<Json> imaginary = real(part, pair.items().get(1));
        return real.isEmpty() || imaginary.isEmpty()
                ? Optional.empty()
                : Optional.of(new Json.Arr(List.of(real.get(), imaginary.get())));
    }

    /** Returns a floating-point number as base64 of a float64; empty if {@code fill} is not a number. */
    private static Optional<Json> real(Json type, Json fill) {
        OptionalDouble value = number(type, fill);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        byte[] bytes = new byte[Double.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putDouble(value.getAsDouble());
        return Optional.of(Json.of(Base64.getEncoder().encodeToString(bytes)));
    }

    /**
     * Returns a fill value as a number.
     *
     * @param dataType {@code float16}, {@code float32} or {@code float64}
     * @param fill a number, or a fill value of the metadata
     * @return the number, rounded to a value of the type; empty if {@code fill} is not a number
     */
    public static OptionalDouble number(Json dataType, Json fill) {
        String type = dataType instanceof Json.Str name ? name.value() : "";
        FloatFormat format =
                switch (type) {
                    case "float16" -> FloatFormat.BINARY16;
                    case "float32" -> FloatFormat.BINARY32;
                    default -> FloatFormat.BINARY64;
                };
        boolean isNumber = fill instanceof Json.Num
                || fill instanceof Json.Str text
                        && text.value().matches("NaN|-?Infinity|0x[0-9a-fA-F]{" + 2 * format.size() + "}");
        return isNumber ? OptionalDouble.of(format.value(format.parse(type, fill))) : OptionalDouble.empty();
    }
}
