package dev.shardkit.cli.option;

import dev.shardkit.cli.print.UsageException;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The item of a region for one dimension: {@code a:b}, {@code a:}, {@code :b} or {@code :}, each with or without a step
 * ({@code a:b:2}), or an integer, which selects a length of 1. Negative numbers count from the end, as in Python.
 *
 * @param start the first index
 * @param end the index after the last one
 * @param step at least 1
 */
record RegionItem(long start, long end, long step) {
    private static final Pattern RANGE = Pattern.compile("(-?[0-9]+)?:(-?[0-9]+)?(?::([0-9]+))?");
    private static final Pattern INDEX = Pattern.compile("-?[0-9]+");

    /**
     * Parses an item.
     *
     * @param region the text of the whole region, for messages
     * @param length the length of the dimension
     * @throws UsageException if the text is not an item
     * @throws IndexOutOfBoundsException if the item exceeds the dimension
     */
    static RegionItem parse(String region, String item, int dimension, long length) {
        Matcher range = RANGE.matcher(item);
        BigInteger start; // the text may have any number of digits; check() refuses numbers outside the dimension
        BigInteger end;
        BigInteger step = BigInteger.ONE;
        if (range.matches()) {
            start = range.group(1) == null ? BigInteger.ZERO : parseIndex(range.group(1), length);
            end = range.group(2) == null ? BigInteger.valueOf(length) : parseIndex(range.group(2), length);
            step = range.group(3) == null ? step : new BigInteger(range.group(3));
        } else if (INDEX.matcher(item).matches()) {
            start = parseIndex(item, length);
            end = start.add(BigInteger.ONE);
        } else {
            throw new UsageException(
                    "region \"" + region + "\": expected a:b, a:, :b, :, a:b:step or an integer in dimension "
                            + dimension + ", found \"" + item + "\"");
        }
        if (step.signum() == 0) {
            throw new UsageException(
                    "region \"" + region + "\": expected a step of at least 1 in dimension " + dimension);
        }
        check(item, dimension, start, end, length);
        // A step of the length of the dimension selects one element, as any larger step does.
        long clampedStep = step.min(BigInteger.valueOf(Math.max(1, length))).longValueExact();
        return new RegionItem(start.longValueExact(), end.longValueExact(), clampedStep);
    }

    private static BigInteger parseIndex(String text, long length) {
        BigInteger value = new BigInteger(text);
        return text.startsWith("-") ? value.add(BigInteger.valueOf(length)) : value;
    }

    private static void check(String item, int dimension, BigInteger start, BigInteger itemEnd, long length) {
        BigInteger limit = BigInteger.valueOf(length);
        if (itemEnd.compareTo(limit) > 0 || start.compareTo(limit) > 0 || start.signum() < 0 || itemEnd.signum() < 0) {
            throw new IndexOutOfBoundsException(
                    "region item " + item + " exceeds dimension " + dimension + ", which has length " + length);
        }
        if (start.compareTo(itemEnd) > 0) {
            throw new UsageException("region item " + item + " in dimension " + dimension + " ends before it begins");
        }
    }
}
