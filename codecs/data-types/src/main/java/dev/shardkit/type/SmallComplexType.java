package dev.shardkit.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Complex numbers of two small floats, real before imaginary, such as {@code complex_bfloat16}; carried as bit
 * patterns.
 *
 * @param part the type of both parts
 */
record SmallComplexType(DataType part) implements DataType {
    static final String PREFIX = "complex_";

    @Override
    public String name() {
        return PREFIX + part.name();
    }

    @Override
    public Carrier carrier() {
        return part.carrier();
    }

    private int half() {
        return part.elementSize().orElseThrow();
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(2 * half());
    }

    @Override
    public Optional<NumberFormat> number() {
        return part.number();
    }

    @Override
    public Elements canonical(Elements stored) {
        return part.canonical(stored);
    }

    @Override
    public void check(Elements elements) {
        part.check(elements);
    }

    @Override
    public FillValue parseFill(Json json) {
        if (!(json instanceof Json.Arr pair) || pair.items().size() != 2) {
            throw FillValueBits.refuse(name(), "a list of a real and an imaginary part", json);
        }
        byte[] bytes = new byte[2 * half()];
        for (int i = 0; i < 2; i++) {
            byte[] halfBytes = part.parseFill(pair.items().get(i)).bytes();
            System.arraycopy(halfBytes, 0, bytes, i * half(), half());
        }
        return FillValue.of(bytes);
    }

    @Override
    public Json formatFill(FillValue value) {
        if (value.size() != 2 * half()) {
            throw new IllegalArgumentException("a fill value of " + value.size() + " bytes for " + name());
        }
        return new Json.Arr(List.of(half(value, 0), half(value, half())));
    }

    private Json half(FillValue value, int from) {
        byte[] halfBytes = new byte[half()];
        System.arraycopy(value.bytes(), from, halfBytes, 0, halfBytes.length);
        return part.formatFill(FillValue.of(halfBytes));
    }

    @Override
    public String toString() {
        return name();
    }
}
