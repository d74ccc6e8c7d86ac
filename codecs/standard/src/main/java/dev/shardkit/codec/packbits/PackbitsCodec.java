package dev.shardkit.codec.packbits;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The {@code packbits} codec (zarr-extensions): stores the bits from {@code first_bit} to {@code last_bit} of each
 * number, lowest first, without gaps between numbers. The last byte is filled with padding bits. Immutable and
 * thread-safe.
 *
 * @param padding whether and where the number of padding bits is stored
 * @param firstBit the lowest stored bit; 0 if empty
 * @param lastBit the highest stored bit; the highest bit of the type if empty
 */
record PackbitsCodec(Padding padding, OptionalInt firstBit, OptionalInt lastBit) implements ArrayToBytesCodec {
    static final String NAME = "packbits";
    static final String PADDING_ENCODING = "padding_encoding";
    static final String FIRST_BIT = "first_bit";
    static final String LAST_BIT = "last_bit";

    /** Where the number of padding bits is stored. */
    enum Padding {
        NONE,
        FIRST_BYTE,
        LAST_BYTE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static String[] words() {
            return Arrays.stream(values()).map(Padding::word).toArray(String[]::new);
        }

        static Padding of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        Json.Obj json = Json.object();
        json = padding == Padding.NONE ? json : json.with(PADDING_ENCODING, Json.of(padding.word()));
        json = firstBit.isPresent() ? json.with(FIRST_BIT, Json.of(firstBit.getAsInt())) : json;
        return lastBit.isPresent() ? json.with(LAST_BIT, Json.of(lastBit.getAsInt())) : json;
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        NumberFormat format = format(type.dataType());
        int lowBit = firstBit.orElse(0);
        int highBit = lastBit.orElse(format.bits() - 1);
        if (highBit >= format.bits() || highBit < lowBit) {
            throw new MetadataException("codec " + NAME + ": expected bits from 0 to " + (format.bits() - 1) + " for "
                    + type.dataType().name() + ", found " + lowBit + " to " + highBit);
        }
        limits.checkChunk(type);
        return new BoundPackbits(type, format, lowBit, highBit - lowBit + 1, padding);
    }

    /** Returns the format of the numbers of a type; bool counts as an integer of one bit. */
    private static NumberFormat format(DataType type) {
        if (type.carrier() == Carrier.BOOLEAN) {
            return new IntegerFormat(1, IntegerFormat.Sign.UNSIGNED);
        }
        return type.number()
                .orElseThrow(() -> new MetadataException(
                        "codec " + NAME + ": expected a data type of numbers or truth values, found " + type.name()));
    }
}
