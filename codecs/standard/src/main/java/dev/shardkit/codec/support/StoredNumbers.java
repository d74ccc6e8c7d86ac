package dev.shardkit.codec.support;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;

/**
 * Converts the words of stored numbers to {@code long} and {@code double}, and back, for codecs that calculate. It
 * parses no text, except the scalars of a configuration. Stateless.
 */
public final class StoredNumbers {
    private StoredNumbers() {}

    /**
     * Returns the number format of a type whose elements are single real numbers.
     *
     * @throws MetadataException if the type is not numeric
     */
    public static NumberFormat real(String codec, DataType type) {
        boolean isSingleWord = type.elementSize().orElse(0) == type.carrier().wordSize();
        return type.number()
                .filter(f -> isSingleWord)
                .orElseThrow(() -> new MetadataException("codec " + codec
                        + ": expected a data type of integers or floating-point numbers, found " + type.name()));
    }

    /** Reads a scalar of a configuration, in the form of a fill value. */
    public static FillValue scalar(String description, DataType type, Json json) {
        try {
            return type.parseFill(json);
        } catch (MetadataException e) {
            throw new MetadataException(description + ": " + e.fact(), e);
        }
    }

    /** Returns the word at index {@code i}, zero-extended. */
    public static long word(ByteBuffer words, int wordSize, int i) {
        return switch (wordSize) {
            case 1 -> words.get(i) & 0xff;
            case 2 -> words.getShort(2 * i) & 0xffff;
            case 4 -> words.getInt(4 * i) & 0xffffffffL;
            default -> words.getLong(8 * i);
        };
    }

    /** Sets the word at index {@code i} to the lowest bits of {@code word}. */
    public static void setWord(ByteBuffer words, int wordSize, int i, long word) {
        switch (wordSize) {
            case 1 -> words.put(i, (byte) word);
            case 2 -> words.putShort(2 * i, (short) word);
            case 4 -> words.putInt(4 * i, (int) word);
            default -> words.putLong(8 * i, word);
        }
    }

    /** Reads the values of {@code n} integers. */
    public static long[] load(IntegerFormat format, int wordSize, ByteBuffer in, int n) {
        long[] values = new long[n];
        for (int i = 0; i < n; i++) {
            values[i] = format.value(word(in, wordSize, i));
        }
        return values;
    }

    /** Reads the values of {@code n} floating-point numbers. */
    public static double[] load(FloatingFormat format, int wordSize, ByteBuffer in, int n) {
        double[] values = new double[n];
        if (format.equals(FloatingFormat.BINARY64)) {
            in.asDoubleBuffer().get(0, values);
        } else if (format.equals(FloatingFormat.BINARY32)) {
            for (int i = 0; i < n; i++) {
                values[i] = in.getFloat(4 * i);
            }
        } else {
            for (int i = 0; i < n; i++) {
                values[i] = format.value(word(in, wordSize, i));
            }
        }
        return values;
    }

    /** Stores integers, which must be in the range of the type. */
    public static void store(int wordSize, long[] values, ByteBuffer out) {
        for (int i = 0; i < values.length; i++) {
            setWord(out, wordSize, i, values[i]);
        }
    }

    /** Stores floating-point numbers, which the format must be able to represent. */
    public static void store(FloatingFormat format, int wordSize, double[] values, ByteBuffer out) {
        for (int i = 0; i < values.length; i++) {
            setWord(out, wordSize, i, format.bitsOf(values[i]));
        }
    }
}
