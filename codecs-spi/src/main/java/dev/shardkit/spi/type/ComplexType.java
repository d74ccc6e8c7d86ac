package dev.shardkit.spi.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code complex64}, {@code complex128}: real before imaginary. */
record ComplexType(String name, FloatFormat part) implements DataType {
    @Override
    public Carrier carrier() {
        return part.carrier();
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(2 * part.size());
    }

    @Override
    public Optional<NumberFormat> number() {
        return Optional.of(part.layout());
    }

    @Override
    public FillValue parseFill(Json json) {
        if (!(json instanceof Json.Arr pair) || pair.items().size() != 2) {
            throw FillValueBytes.refuse(name, "a list of a real and an imaginary part", json);
        }
        byte[] bytes = new byte[2 * part.size()];
        FillValueBytes.put(part.parse(name, pair.items().get(0)), bytes, 0, part.size());
        FillValueBytes.put(part.parse(name, pair.items().get(1)), bytes, part.size(), part.size());
        return FillValue.of(bytes);
    }

    @Override
    public Json formatFill(FillValue value) {
        FillValueBytes.checkSize(name, value, 2 * part.size());
        return new Json.Arr(List.of(
                part.format(FillValueBytes.get(value, 0, part.size())),
                part.format(FillValueBytes.get(value, part.size(), part.size()))));
    }

    @Override
    public String toString() {
        return name;
    }
}
