package dev.shardkit.zarrv2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Converts the fill value in {@code .zarray}, the document of an array of Zarr v2, to a fill value of Zarr v3. In
 * version 2, {@code null} means that the fill value is undefined. As in zarr-python, it becomes zero, false, empty or
 * "not a time".
 */
final class V2Fill {
    private static final String NAT = "NaT";

    private V2Fill() {}

    /** Returns the fill value of an array for its type. */
    static Json convert(V2Members array, V2Type type) {
        Json value = array.required("fill_value");
        Json fill = isNumber(type) ? unquoteNumber(quoteSpecialNumbers(value)) : quoteSpecialNumbers(value);
        String location = array.at("fill_value");
        // the kinds are the letters of NumPy's type strings
        return switch (type.kind()) {
            case 'b' -> convertBool(fill, location);
            case 'i', 'u' -> convertInteger(fill, location);
            case 'f' -> convertReal(fill, location);
            case 'c' -> convertComplex(fill, location);
            case 'M', 'm' -> convertTime(fill, location);
            case 'S' -> Json.of(Base64.getEncoder().encodeToString(decodeRaw(fill, type.size(), location)));
            case 'V' -> new Json.Arr(toNumbers(decodeRaw(fill, type.size(), location)));
            case 'U' -> convertText(fill, location);
            case V2Struct.KIND -> convertRecord(fill, type, location);
            default ->
                V2Codecs.firstFilter(array).equals(V2Type.JSON)
                        ? Json.of(fill.toString()) // elements are the JSON text of objects
                        : type.isText() ? convertText(fill, location) : new Json.Arr(convertBinary(fill, location));
        };
    }

    private static boolean isNumber(V2Type type) {
        return type.kind() == 'i' || type.kind() == 'u' || type.kind() == 'f' || type.kind() == 'c';
    }

    /** Quotes {@code NaN} and infinities, as Zarr v3 does. Old versions of zarr-python wrote them without quotes. */
    private static Json quoteSpecialNumbers(Json fill) {
        return fill instanceof Json.Num n && !n.isFinite()
                ? Json.of(n.lexeme())
                : fill instanceof Json.Arr pair
                        ? new Json.Arr(pair.items().stream()
                                .map(V2Fill::quoteSpecialNumbers)
                                .toList())
                        : fill;
    }

    /**
     * Converts a string that contains a number to that number. Writers of N5 and old versions of zarr-python wrote
     * numbers in quotes.
     */
    private static Json unquoteNumber(Json fill) {
        if (!(fill instanceof Json.Str text)) {
            return fill;
        }
        try {
            Json.Num number = new Json.Num(text.value());
            return number.isFinite() ? number : fill;
        } catch (IllegalArgumentException e) {
            return fill; // for example "NaN", or not a number at all
        }
    }

    private static Json convertBool(Json fill, String location) {
        if (fill instanceof Json.Bool) {
            return fill;
        } else if (fill instanceof Json.Null || fill.equals(Json.of(0))) {
            return Json.of(false);
        } else if (fill.equals(Json.of(1))) {
            return Json.of(true);
        }
        throw Config.expected(location, "true or false", fill);
    }

    private static Json convertInteger(Json fill, String location) {
        if (fill instanceof Json.Null) {
            return Json.of(0);
        } else if (fill instanceof Json.Bool b) {
            return Json.of(b.value() ? 1 : 0);
        }
        return V2Members.parseInteger(fill)
                .map(BigInteger::toString)
                .<Json>map(Json.Num::new)
                .orElseThrow(() -> Config.expected(location, "an integer or null", fill));
    }

    private static Json convertReal(Json fill, String location) {
        if (fill instanceof Json.Null) {
            return Json.of(0);
        } else if (fill instanceof Json.Bool b) {
            return Json.of(b.value() ? 1 : 0);
        } else if (fill instanceof Json.Num
                || fill instanceof Json.Str s
                        && List.of("NaN", "Infinity", "-Infinity").contains(s.value())) {
            return fill;
        }
        throw Config.expected(location, "a number, \"NaN\", \"Infinity\", \"-Infinity\" or null", fill);
    }

    private static Json convertComplex(Json fill, String location) {
        if (fill instanceof Json.Arr pair && pair.items().size() == 2) {
            return new Json.Arr(List.of(
                    convertReal(pair.items().get(0), location + "/0"),
                    convertReal(pair.items().get(1), location + "/1")));
        } else if (fill instanceof Json.Arr) {
            throw Config.expected(location, "a pair of numbers", fill);
        }
        return new Json.Arr(List.of(convertReal(fill, location), Json.of(0)));
    }

    private static Json convertTime(Json fill, String location) {
        if (fill instanceof Json.Null || fill.equals(Json.of(NAT))) {
            return Json.of(NAT);
        }
        return convertInteger(fill, location);
    }

    private static Json convertText(Json fill, String location) {
        if (isZero(fill)) {
            return Json.of(""); // some writers use 0
        } else if (fill instanceof Json.Str) {
            return fill;
        }
        throw Config.expected(location, "a string or null", fill);
    }

    private static List<Json> convertBinary(Json fill, String location) {
        if (isZero(fill)) {
            return List.of();
        } else if (fill instanceof Json.Str s) {
            return toNumbers(decodeBase64(s, location));
        }
        throw Config.expected(location, "a base64 string or null", fill);
    }

    /** Decodes the base64 of an element of {@code size} bytes. Pads a shorter value with zeros, as NumPy does. */
    private static byte[] decodeRaw(Json fill, long size, String location) {
        byte[] value = fill instanceof Json.Str s ? decodeBase64(s, location) : new byte[0];
        if (!isZero(fill) && !(fill instanceof Json.Str) || value.length > size || size > 1 << 20) {
            throw Config.expected(
                    location, "base64 of at most " + size + " bytes (and no more than 2^20), or null", fill);
        }
        return Arrays.copyOf(value, (int) size);
    }

    /** Converts the fill value of a structured type to base64. Null and 0 become zeros. */
    private static Json convertRecord(Json fill, V2Type type, String location) {
        byte[] value = new byte[Math.toIntExact(Math.min(type.size(), 1 << 20))];
        if (fill instanceof Json.Str text) {
            byte[] decoded = decodeBase64(text, location);
            if (decoded.length != type.size()) {
                throw Config.expected(location, "base64 of " + type.size() + " bytes or null", fill);
            }
            value = decoded;
            boolean isZero = Arrays.equals(decoded, new byte[decoded.length]);
            if (!isZero && "big".equals(type.endian())) {
                throw new UnsupportedException(location + ": a fill value of big-endian records is not supported");
            }
        } else if (!isZero(fill) || value.length < type.size()) {
            throw Config.expected(location, "base64 of " + type.size() + " bytes or null", fill);
        }
        return Json.of(Base64.getEncoder().encodeToString(value));
    }

    /** Returns whether a fill value is null or 0. Some writers use 0 for types that are not numbers. */
    private static boolean isZero(Json fill) {
        return fill instanceof Json.Null
                || V2Members.parseInteger(fill).filter(v -> v.signum() == 0).isPresent();
    }

    private static byte[] decodeBase64(Json.Str text, String location) {
        try {
            return Base64.getDecoder().decode(text.value());
        } catch (IllegalArgumentException e) {
            throw new MetadataException(location + ": expected base64, found: " + e.getMessage(), e);
        }
    }

    /** Returns bytes as a list of numbers, which is their form as a fill value in Zarr v3. */
    private static List<Json> toNumbers(byte[] bytes) {
        List<Json> numbers = new ArrayList<>();
        for (byte b : bytes) {
            numbers.add(Json.of(b & 0xff));
        }
        return numbers;
    }
}
