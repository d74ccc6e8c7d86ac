package dev.shardkit.spi.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/** {@code string}: strict UTF-8. */
record StringType() implements DataType {
    @Override
    public String name() {
        return "string";
    }

    @Override
    public Carrier carrier() {
        return Carrier.STRING;
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.empty();
    }

    @Override
    public FillValue parseFill(Json json) {
        if (!(json instanceof Json.Str text)) {
            throw FillValueBytes.refuse(name(), "a string", json);
        }
        try {
            ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text.value()));
            byte[] bytes = new byte[utf8.remaining()];
            utf8.get(bytes);
            return FillValue.of(bytes);
        } catch (CharacterCodingException e) {
            throw FillValueBytes.refuse(name(), "a string without lone surrogates", json);
        }
    }

    @Override
    public Json formatFill(FillValue value) {
        return Json.of(new String(value.bytes(), StandardCharsets.UTF_8));
    }

    @Override
    public void check(Elements elements) {
        byte[][] values = ((Elements.Variable) elements).values();
        for (int i = 0; i < values.length; i++) {
            int errorOffset = Utf8.firstError(values[i]);
            if (errorOffset >= 0) {
                throw new CorruptDataException("string element " + i + ": expected UTF-8, found byte 0x"
                        + Integer.toHexString(values[i][errorOffset] & 0xff) + " at " + errorOffset + " of "
                        + values[i].length);
            }
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
