package dev.shardkit.type;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalInt;

/**
 * {@code null_terminated_bytes}: NumPy's {@code S}, which zarr-python writes. Each element has {@code size} bytes;
 * shorter values are padded with zeros at the end. The metadata states the fill value in base64.
 *
 * @param size the size of an element in bytes
 */
record NullTerminatedType(int size) implements DataType {
    static final String NAME = "null_terminated_bytes";
    static final String LENGTH = "length_bytes";

    static NullTerminatedType parse(Config config) {
        return new NullTerminatedType((int) config.requiredInteger(LENGTH, 1, Limits.LARGEST_CHUNK));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(LENGTH, Json.of(size));
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
        if (json instanceof Json.Str text) {
            try {
                byte[] bytes = Base64.getDecoder().decode(text.value());
                if (bytes.length <= size) {
                    return FillValue.of(Arrays.copyOf(bytes, size));
                }
            } catch (IllegalArgumentException e) {
                throw FillValueBits.refuse(NAME, "base64 (RFC 4648, section 4)", json);
            }
        }
        throw FillValueBits.refuse(NAME, "base64 of at most " + size + " bytes", json);
    }

    @Override
    public Json formatFill(FillValue value) {
        return Json.of(Base64.getEncoder().encodeToString(usedBytes(value)));
    }

    /** Returns the bytes of a value without the zeros at its end. */
    private byte[] usedBytes(FillValue value) {
        byte[] bytes = value.bytes();
        if (bytes.length != size) {
            throw new IllegalArgumentException("a fill value of " + bytes.length + " bytes for " + this);
        }
        int usedSize = size;
        while (usedSize > 0 && bytes[usedSize - 1] == 0) {
            usedSize--;
        }
        return Arrays.copyOf(bytes, usedSize);
    }

    /** Returns the text if the bytes are UTF-8, else base64. */
    @Override
    public Json show(FillValue value) {
        try {
            return Json.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(usedBytes(value)))
                    .toString());
        } catch (CharacterCodingException e) {
            return formatFill(value);
        }
    }

    @Override
    public String toString() {
        return NAME + "(" + size + ")";
    }
}
