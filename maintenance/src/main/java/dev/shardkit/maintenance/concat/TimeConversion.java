package dev.shardkit.maintenance.concat;

import dev.shardkit.cf.CfTimeUnits;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.type.MissingValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Converts the times of an array to other units, such as {@code days since 2000-01-01}. Conversions are exact or fail.
 * Numbers that mark missing elements ({@code _FillValue}, {@code missing_value}, NaN), and infinities, do not change.
 * Immutable.
 *
 * @param from the units of the numbers
 * @param to the units to change to
 * @param format the number format of the elements before and after
 * @param missing the numbers that mark missing elements
 * @param location the location of the source, for messages
 */
record TimeConversion(CfTimeUnits from, CfTimeUnits to, NumberFormat format, MissingValues missing, String location) {
    /**
     * Returns the conversion of the elements of {@code source} to the units of {@code target}. Empty unless both arrays
     * have time units of the same calendar, and their elements are numbers that are not packed ({@code scale_factor}).
     */
    static Optional<TimeConversion> of(ArrayMetadata source, String location, ArrayMetadata target) {
        Optional<CfTimeUnits> from = CfTimeUnits.of(source.attributes());
        Optional<CfTimeUnits> to = CfTimeUnits.of(target.attributes());
        Optional<NumberFormat> format = source.dataType().number();
        boolean isPacked = source.attributes().get("scale_factor").isPresent()
                || source.attributes().get("add_offset").isPresent();
        if (from.isEmpty()
                || to.isEmpty()
                || format.isEmpty()
                || isPacked
                || !from.get().calendar().equals(to.get().calendar())) {
            return Optional.empty();
        }
        MissingValues missing = MissingValues.of(source.dataType(), source.attributes());
        return Optional.of(new TimeConversion(from.get(), to.get(), format.get(), missing, location));
    }

    /**
     * Converts all elements in place.
     *
     * @throws UnsupportedException if a time has no exact number in the other unit
     */
    void apply(DenseChunk chunk) {
        Elements.Fixed elements = (Elements.Fixed) chunk.elements();
        ByteBuffer bytes = elements.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int size = elements.elementSize();
        for (int i = 0; i < elements.count(); i++) {
            int at = i * size;
            switch (size) {
                case 1 -> bytes.put(at, (byte) convert(bytes.get(at)));
                case 2 -> bytes.putShort(at, (short) convert(bytes.getShort(at)));
                case 4 -> bytes.putInt(at, (int) convert(bytes.getInt(at)));
                default -> bytes.putLong(at, convert(bytes.getLong(at)));
            }
        }
    }

    /** Returns the bits of an element in the other unit. */
    private long convert(long word) {
        if (missing.contains(word)) {
            return word;
        }
        if (format instanceof IntegerFormat whole) {
            BigInteger value = new BigInteger(whole.text(whole.value(word)));
            BigInteger[] parts =
                    moment(new BigDecimal(value)).toBigIntegerExact().divideAndRemainder(to.step());
            boolean fits = parts[1].signum() == 0
                    && parts[0].compareTo(new BigInteger(whole.text(whole.min()))) >= 0
                    && parts[0].compareTo(new BigInteger(whole.text(whole.max()))) <= 0;
            if (!fits) {
                throw inexact(value.toString());
            }
            return parts[0].longValue();
        }
        FloatingFormat floating = (FloatingFormat) format;
        double value = floating.value(word);
        if (!Double.isFinite(value)) {
            return word;
        }
        BigDecimal moment = moment(new BigDecimal(value));
        double nearest = floating.round(
                moment.divide(new BigDecimal(to.step()), MathContext.DECIMAL128).doubleValue());
        boolean isExact = Double.isFinite(nearest)
                && new BigDecimal(nearest).multiply(new BigDecimal(to.step())).compareTo(moment) == 0;
        if (!isExact) {
            throw inexact(Double.toString(value));
        }
        return floating.bitsOf(nearest);
    }

    /** Returns the nanoseconds from the reference time of {@link #to} to a time in units of {@link #from}. */
    private BigDecimal moment(BigDecimal value) {
        return value.multiply(new BigDecimal(from.step()))
                .add(new BigDecimal(from.reference().subtract(to.reference())));
    }

    private UnsupportedException inexact(String value) {
        return new UnsupportedException("nothing was concatenated: in the units of the first array, no number of this"
                + " data type is exactly the time " + value + " of " + location
                + "; give the first array finer units, such as"
                + " hours," + (format instanceof IntegerFormat ? " or all arrays a floating-point data type," : "")
                + " before they are joined");
    }
}
