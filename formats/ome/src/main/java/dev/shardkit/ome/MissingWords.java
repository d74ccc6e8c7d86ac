package dev.shardkit.ome;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The words that mark elements without a value. Immutable.
 *
 * @param format how words represent numbers; empty if no element is skipped
 * @param words the words beside NaN
 */
record MissingWords(Optional<NumberFormat> format, List<Long> words) {
    static final MissingWords NONE = new MissingWords(Optional.empty(), List.of());

    /** Returns the words of an array. */
    static MissingWords of(ZarrArray array, SkippedElements skipped) {
        DataType type = array.dataType();
        boolean isReal = type.elementSize().orElse(0) == type.carrier().wordSize();
        Optional<NumberFormat> format = type.number().filter(f -> isReal);
        boolean hasNan = format.orElse(null) instanceof FloatingFormat;
        if (format.isEmpty() || skipped == SkippedElements.NONE) {
            return NONE;
        }
        List<Long> words = new ArrayList<>();
        if (skipped == SkippedElements.FILL) {
            words.add(word(array.fillValue(), format.get()));
        }
        for (String name : List.of("_FillValue", "missing_value")) {
            array.attributes()
                    .get(name)
                    .map(value -> value instanceof Json.Arr list ? list.items() : List.of(value))
                    .orElse(List.of())
                    .forEach(value -> word(type, value, format.get()).ifPresent(words::add));
        }
        return words.isEmpty() && !hasNan ? NONE : new MissingWords(format, List.copyOf(words));
    }

    /** Returns the word of an attribute; empty if it is no element of the type. */
    private static Optional<Long> word(DataType type, Json value, NumberFormat format) {
        Json number = value;
        if (value instanceof Json.Str text && text.value().matches("[A-Za-z0-9+/]{11}=")) { // as xarray encodes it
            number = new Json.Num(
                    Double.toString(ByteBuffer.wrap(Base64.getDecoder().decode(text.value()))
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getDouble()));
        }
        try {
            return Optional.of(word(type.parseFill(number), format));
        } catch (ZarrException | IllegalArgumentException e) {
            return Optional.empty(); // no element has this value
        }
    }

    private static long word(FillValue value, NumberFormat format) {
        byte[] bytes = Arrays.copyOf(value.bytes(), Long.BYTES);
        return format.cut(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong());
    }

    /** Returns the kernel without these words. */
    Kernel skippedBy(Kernel kernel) {
        return format.map(f -> kernel.skipping(
                        f, words.stream().mapToLong(Long::longValue).toArray()))
                .orElse(kernel);
    }
}
