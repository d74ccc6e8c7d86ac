package dev.shardkit.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code int2}, {@code int4}, {@code uint2}, {@code uint4}: one byte for each element. The unused upper bits of stored
 * bytes are ignored; in canonical elements they are copies of the sign bit, or zero if the type is unsigned. The codec
 * {@code packbits} stores elements without the unused bits.
 *
 * @param name the name in metadata
 * @param format the number of bits, and whether there is a sign
 */
record SmallIntegerType(String name, IntegerFormat format) implements DataType {
    /** All values are shorter; the limit keeps {@code parseInt} from overflowing. */
    private static final int LONGEST_LEXEME = 3;

    @Override
    public Carrier carrier() {
        return Carrier.BYTE;
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(1);
    }

    @Override
    public Optional<NumberFormat> number() {
        return Optional.of(format);
    }

    @Override
    public Elements canonical(Elements stored) {
        return UnusedBits.canonical(stored, b -> (int) format.value(b));
    }

    @Override
    public void check(Elements elements) {
        UnusedBits.check(name, elements, b -> (int) format.value(b));
    }

    @Override
    public FillValue parseFill(Json json) {
        if (json instanceof Json.Num n && n.isInteger() && n.lexeme().length() <= LONGEST_LEXEME) {
            int value = Integer.parseInt(n.lexeme());
            if (value >= format.min() && value <= format.max()) {
                return FillValueBits.of(value, 1);
            }
        }
        throw FillValueBits.refuse(
                name,
                "an integer from " + format.min() + " to " + format.max() + ", without fraction or exponent,",
                json);
    }

    @Override
    public Json formatFill(FillValue value) {
        return Json.of(format.value(FillValueBits.bits(name, value, 1)));
    }

    @Override
    public String toString() {
        return name;
    }
}
