package dev.shardkit.spi.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code float16}, {@code float32}, {@code float64}. */
record FloatType(String name, FloatFormat format) implements DataType {
    @Override
    public Carrier carrier() {
        return format.carrier();
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(format.size());
    }

    @Override
    public Optional<NumberFormat> number() {
        return Optional.of(format.layout());
    }

    @Override
    public FillValue parseFill(Json json) {
        byte[] bytes = new byte[format.size()];
        FillValueBytes.put(format.parse(name, json), bytes, 0, bytes.length);
        return FillValue.of(bytes);
    }

    @Override
    public Json formatFill(FillValue value) {
        FillValueBytes.checkSize(name, value, format.size());
        return format.format(FillValueBytes.get(value, 0, format.size()));
    }

    @Override
    public String toString() {
        return name;
    }
}
