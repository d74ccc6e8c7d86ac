package dev.shardkit.codec.bitround;

import dev.shardkit.codec.support.Elementwise;
import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.function.LongUnaryOperator;

/**
 * The {@code bitround} codec (zarr-extensions). Encoding keeps the {@code keepbits} highest bits of the fraction of a
 * floating-point number, or of the magnitude of an integer, and rounds the other bits away: to the nearest, ties to
 * even. Decoding changes nothing. Integers are never rounded beyond the range of their type; NaN stays NaN. Immutable
 * and thread-safe.
 *
 * @param keepbits the number of bits to keep, at least 1
 */
record BitroundCodec(int keepbits) implements ArrayToArrayCodec {
    static final String NAME = "bitround";
    static final String KEEPBITS = "keepbits";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(KEEPBITS, Json.of(keepbits));
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType decoded) {
        DataType type = decoded.dataType();
        LongUnaryOperator round = rounding(type);
        int size = type.carrier().wordSize();
        int words = type.elementSize().orElseThrow() / size;
        Elementwise.Kernel kernel = (in, out, n) -> {
            for (int i = 0; i < n * words; i++) {
                StoredNumbers.setWord(out, size, i, round.applyAsLong(StoredNumbers.word(in, size, i)));
            }
        };
        FillValue fill = Elementwise.fill(kernel, decoded.fill(), type);
        return new Elementwise(decoded, ChunkType.of(type, fill, decoded.shape()), kernel, Elementwise.SAME);
    }

    /** Returns the function that rounds a stored word of a type. */
    private LongUnaryOperator rounding(DataType type) {
        // datetimes and timedeltas are integers
        NumberFormat format = type.number().orElseGet(() -> {
            if (type.carrier() == Carrier.LONG) {
                return new IntegerFormat(64, IntegerFormat.Sign.SIGNED);
            }
            throw new MetadataException("codec " + NAME + ": expected a data type of numbers, found " + type.name());
        });
        return format instanceof IntegerFormat w
                ? word -> roundWhole(w, word)
                : word -> roundFloating((FloatingFormat) format, word);
    }

    /** Rounds an integer to its {@code keepbits} highest bits. */
    private long roundWhole(IntegerFormat format, long word) {
        long value = format.value(word);
        boolean negative = format.isSigned() && value < 0;
        long magnitude = negative ? -value : value;
        long maximum = negative ? -format.min() : format.max();
        long rounded = rounded(magnitude, 64 - Long.numberOfLeadingZeros(magnitude) - keepbits, maximum);
        return negative ? -rounded : rounded;
    }

    /** Rounds the bits of a floating-point number, whose magnitude grows with its bits as an integer. */
    private long roundFloating(FloatingFormat format, long word) {
        long sign = format.isSigned() ? word & 1L << format.bits() - 1 : 0;
        long magnitude = format.cut(word) ^ sign;
        int dropped = format.fractionBits() - keepbits;
        if (Double.isNaN(format.value(word))) {
            // A NaN that loses its last bits may become the bit pattern of infinity. Setting the bits of the quiet NaN
            // keeps it a NaN.
            long truncated = dropped > 0 ? magnitude & -1L << dropped : magnitude;
            return format.hasInfinity() ? sign | truncated | format.quietNan() : word;
        }
        long maximum = format.bitsOf(format.hasInfinity() ? Double.POSITIVE_INFINITY : format.max());
        return sign | rounded(magnitude, dropped, maximum);
    }

    /**
     * Returns the magnitude with its lowest {@code dropped} bits rounded away. Rounds down if the nearest value exceeds
     * {@code maximum}, or 64 bits: then {@code roundedUp} overflows to 0.
     */
    private static long rounded(long magnitude, int dropped, long maximum) {
        if (dropped <= 0) {
            return magnitude;
        }
        long roundedDown = magnitude & -1L << dropped;
        long remainder = magnitude ^ roundedDown;
        long half = 1L << dropped - 1;
        boolean roundsUp = remainder > half || remainder == half && (magnitude >>> dropped & 1) == 1;
        long roundedUp = roundedDown + (1L << dropped);
        return roundsUp && roundedUp != 0 && Long.compareUnsigned(roundedUp, maximum) <= 0 ? roundedUp : roundedDown;
    }
}
