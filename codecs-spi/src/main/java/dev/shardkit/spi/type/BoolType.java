package dev.shardkit.spi.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/** {@code bool}. */
record BoolType() implements DataType {
    /** The bits of eight bytes that must be zero if each byte is 0 or 1. */
    private static final long ALL_BUT_LOWEST_BITS = 0xfefefefefefefefeL;

    @Override
    public String name() {
        return "bool";
    }

    @Override
    public Carrier carrier() {
        return Carrier.BOOLEAN;
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(1);
    }

    @Override
    public FillValue parseFill(Json json) {
        if (json instanceof Json.Bool b) {
            return FillValue.of(new byte[] {(byte) (b.value() ? 1 : 0)});
        } else if (json.equals(Json.of(0)) || json.equals(Json.of(1))) {
            return FillValue.of(
                    new byte[] {(byte) (json.equals(Json.of(1)) ? 1 : 0)}); // some writers store NumPy's 0 and 1
        }
        throw FillValueBytes.refuse(name(), "true or false", json);
    }

    @Override
    public Json formatFill(FillValue value) {
        FillValueBytes.checkSize(name(), value, 1);
        return Json.of(value.byteAt(0) != 0);
    }

    @Override
    public void check(Elements elements) {
        ByteBuffer bytes = ((Elements.Fixed) elements).bytes();
        int end = bytes.limit();
        int i = 0;
        while (i + 8 <= end && (bytes.getLong(i) & ALL_BUT_LOWEST_BITS) == 0) {
            i += 8;
        }
        for (; i < end; i++) {
            if ((bytes.get(i) & 0xfe) != 0) {
                throw new CorruptDataException(
                        "bool element " + i + ": expected a byte of 0 or 1, found " + (bytes.get(i) & 0xff));
            }
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
