package dev.shardkit.spi.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.json.Json;
import java.util.OptionalInt;

/**
 * {@code bytes}: byte strings. {@code variable_length_bytes} is zarr-python's name for it. Metadata keeps the name that
 * the array was stored with; both types are equal. Fill values are written as base64, the only form that zarr-python
 * (3.1.6) reads.
 */
final class BytesType implements DataType {
    static final String NAME = "bytes";
    static final String ALIAS = "variable_length_bytes";

    private final String name;

    BytesType(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Carrier carrier() {
        return Carrier.BYTES;
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.empty();
    }

    @Override
    public FillValue parseFill(Json json) {
        if (json instanceof Json.Arr list) {
            return FillValue.of(FillValueBytes.list(name, list));
        }
        if (json instanceof Json.Str text) {
            return FillValue.of(FillValueBytes.base64(name, text));
        }
        throw FillValueBytes.refuse(name, "a list of integers from 0 to 255, or base64", json);
    }

    @Override
    public Json formatFill(FillValue value) {
        return FillValueBytes.base64(value.bytes());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BytesType;
    }

    @Override
    public int hashCode() {
        return NAME.hashCode();
    }

    /** Returns the same text for both names, because the types are equal. */
    @Override
    public String toString() {
        return NAME;
    }
}
