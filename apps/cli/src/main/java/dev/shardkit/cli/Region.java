package dev.shardkit.cli;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text form of a region: one item for each dimension, separated by commas. An item is {@code a:b}, {@code a:},
 * {@code :b}, {@code :}, or an integer, which selects a length of 1. The text is empty for no dimensions. Steps,
 * negative numbers and spaces are not allowed.
 */
final class Region {
    private static final Pattern RANGE = Pattern.compile("([0-9]*):([0-9]*)");
    private static final Pattern INDEX = Pattern.compile("[0-9]+");

    private Region() {}

    /**
     * Parses a region of {@code array}; null is the whole array.
     *
     * @throws WrongUse if {@code text} is not a region of that many dimensions
     * @throws IndexOutOfBoundsException if the region exceeds the shape
     */
    static Box of(@Nullable String text, ZarrArray array) {
        return text == null ? array.domain() : parse(text, array.shape());
    }

    /**
     * Parses the region of an array of {@code shape}.
     *
     * @throws WrongUse if {@code text} is not a region of that many dimensions
     * @throws IndexOutOfBoundsException if the region exceeds the shape
     */
    static Box parse(String text, long[] shape) {
        String[] items = text.isEmpty() ? new String[0] : text.split(",", -1);
        if (items.length != shape.length) {
            throw new WrongUse("region \"" + text + "\": expected " + shape.length
                    + " items, one for each dimension of shape " + Arrays.toString(shape) + ", found " + items.length);
        }
        long[] origin = new long[shape.length];
        long[] lengths = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            Matcher range = RANGE.matcher(items[d]);
            BigInteger from;
            BigInteger to;
            if (range.matches()) {
                from = range.group(1).isEmpty() ? BigInteger.ZERO : new BigInteger(range.group(1));
                to = range.group(2).isEmpty() ? BigInteger.valueOf(shape[d]) : new BigInteger(range.group(2));
            } else if (INDEX.matcher(items[d]).matches()) {
                from = new BigInteger(items[d]);
                to = from.add(BigInteger.ONE);
            } else {
                throw new WrongUse("region \"" + text + "\": expected a:b, a:, :b, : or an integer in dimension " + d
                        + ", found \"" + items[d] + "\"");
            }
            check(items[d], d, from, to, shape[d]);
            origin[d] = from.longValueExact();
            lengths[d] = to.subtract(from).longValueExact();
        }
        return Box.of(origin, lengths);
    }

    private static void check(String item, int d, BigInteger from, BigInteger to, long length) {
        if (to.compareTo(BigInteger.valueOf(length)) > 0 || from.compareTo(BigInteger.valueOf(length)) > 0) {
            throw new IndexOutOfBoundsException(
                    "region item " + item + " exceeds dimension " + d + ", which has length " + length);
        }
        if (from.compareTo(to) > 0) {
            throw new WrongUse("region item " + item + " in dimension " + d + " ends before it begins");
        }
    }
}
