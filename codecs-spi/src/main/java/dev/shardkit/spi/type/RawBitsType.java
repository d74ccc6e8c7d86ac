package dev.shardkit.spi.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.OptionalInt;

/**
 * {@code r*}, such as {@code r24}: elements of a given number of bits without a meaning. zarr-python (3.1.6) supports
 * only the spelling {@code raw_bytes}, with base64 for the fill value; other readers support only {@code r*}. So the
 * metadata keeps the spelling with which the array was stored. Types of the same size are equal, whatever the spelling.
 */
final class RawBitsType implements DataType {
    static final String ALIAS = "raw_bytes";
    static final String LENGTH = "length_bytes";

    private final String name;
    private final int size;

    private RawBitsType(String name, long size) {
        if (size < 1 || size > Limits.LARGEST_CHUNK) {
            throw new MetadataException("data type " + name + ": expected an element of 1 to " + Limits.LARGEST_CHUNK
                    + " bytes, found " + size);
        }
        this.name = name;
        this.size = (int) size;
    }

    static RawBitsType ofBits(long bits) {
        if (bits % 8 != 0) {
            throw new MetadataException("data type r" + bits + ": expected a multiple of 8 bits");
        }
        return new RawBitsType("r" + bits, bits / 8);
    }

    static RawBitsType ofBytes(long bytes) {
        return new RawBitsType(ALIAS, bytes);
    }

    private boolean isAlias() {
        return name.equals(ALIAS);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Json.Obj configuration() {
        return isAlias() ? Json.object().with(LENGTH, Json.of(size)) : Json.object();
    }

    @Override
    public Carrier carrier() {
        return Carrier.BYTE;
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(size);
    }

    @Override
    public FillValue parseFill(Json json) {
        if (json instanceof Json.Arr list && list.items().size() == size) {
            return FillValue.of(FillValueBytes.list(name, list));
        }
        if (isAlias() && json instanceof Json.Str text) {
            byte[] bytes = FillValueBytes.base64(name, text);
            if (bytes.length == size) {
                return FillValue.of(bytes);
            }
        }
        throw FillValueBytes.refuse(
                name, (isAlias() ? "base64 of " + size + " bytes, or " : "") + "a list of " + size + " integers", json);
    }

    @Override
    public Json formatFill(FillValue value) {
        FillValueBytes.checkSize(name, value, size);
        return isAlias() ? FillValueBytes.base64(value.bytes()) : FillValueBytes.list(value.bytes());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RawBitsType r && r.size == size;
    }

    @Override
    public int hashCode() {
        return 31 + size;
    }

    @Override
    public String toString() {
        return "r" + 8L * size;
    }
}
