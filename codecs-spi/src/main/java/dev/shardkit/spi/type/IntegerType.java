package dev.shardkit.spi.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalInt;

/** The integer types {@code int8}, {@code int16} and so on to {@code uint64}, with the JSON form of their values. */
record IntegerType(String name, int size, Sign sign) implements DataType {
    /** The meaning of the highest bit. */
    enum Sign {
        SIGNED,
        UNSIGNED
    }

    /** The longest 64-bit integer has this many characters; longer text is not parsed. */
    private static final int LONGEST_LEXEME = 20;

    @Override
    public Carrier carrier() {
        return switch (size) {
            case 1 -> Carrier.BYTE;
            case 2 -> Carrier.SHORT;
            case 4 -> Carrier.INT;
            default -> Carrier.LONG;
        };
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(size);
    }

    @Override
    public Optional<NumberFormat> number() {
        return Optional.of(new IntegerFormat(
                8 * size, sign == Sign.SIGNED ? IntegerFormat.Sign.SIGNED : IntegerFormat.Sign.UNSIGNED));
    }

    private BigInteger minimum() {
        return sign == Sign.SIGNED ? BigInteger.ONE.shiftLeft(8 * size - 1).negate() : BigInteger.ZERO;
    }

    private BigInteger maximum() {
        return BigInteger.ONE
                .shiftLeft(sign == Sign.SIGNED ? 8 * size - 1 : 8 * size)
                .subtract(BigInteger.ONE);
    }

    @Override
    public FillValue parseFill(Json json) {
        if (json instanceof Json.Num n && n.isInteger() && n.lexeme().length() <= LONGEST_LEXEME) {
            BigInteger value = new BigInteger(n.lexeme());
            if (value.compareTo(minimum()) >= 0 && value.compareTo(maximum()) <= 0) {
                byte[] bytes = new byte[size];
                FillValueBytes.put(value.longValue(), bytes, 0, size);
                return FillValue.of(bytes);
            }
        }
        throw FillValueBytes.refuse(
                name, "an integer from " + minimum() + " to " + maximum() + ", without fraction or exponent,", json);
    }

    @Override
    public Json formatFill(FillValue value) {
        FillValueBytes.checkSize(name, value, size);
        long bits = FillValueBytes.get(value, 0, size);
        int unusedBits = 64 - 8 * size;
        return new Json.Num(
                sign == Sign.SIGNED ? Long.toString(bits << unusedBits >> unusedBits) : Long.toUnsignedString(bits));
    }

    @Override
    public String toString() {
        return name;
    }
}
