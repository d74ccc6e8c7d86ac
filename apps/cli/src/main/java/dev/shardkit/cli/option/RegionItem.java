package dev.shardkit.cli.option;

import dev.shardkit.cli.print.WrongUse;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The item of a region for one dimension: {@code a:b}, {@code a:}, {@code :b} or {@code :}, each with or without a step
 * ({@code a:b:2}), or an integer, which selects a length of 1. Negative numbers count from the end, as in Python.
 *
 * @param from the first index
 * @param to the index after the last one
 * @param step at least 1
 */
record RegionItem(long from, long to, long step) {
    private static final Pattern RANGE = Pattern.compile("(-?[0-9]+)?:(-?[0-9]+)?(?::([0-9]+))?");
    private static final Pattern INDEX = Pattern.compile("-?[0-9]+");

    /**
     * Parses an item.
     *
     * @param region the whole region, for messages
     * @param length the length of dimension {@code d}
     * @throws WrongUse if it is no item
     * @throws IndexOutOfBoundsException if it exceeds the dimension
     */
    static RegionItem parse(String region, String item, int d, long length) {
        Matcher range = RANGE.matcher(item);
        BigInteger from;
        BigInteger to;
        BigInteger step = BigInteger.ONE;
        if (range.matches()) {
            from = range.group(1) == null ? BigInteger.ZERO : index(range.group(1), length);
            to = range.group(2) == null ? BigInteger.valueOf(length) : index(range.group(2), length);
            step = range.group(3) == null ? step : new BigInteger(range.group(3));
        } else if (INDEX.matcher(item).matches()) {
            from = index(item, length);
            to = from.add(BigInteger.ONE);
        } else {
            throw new WrongUse(
                    "region \"" + region + "\": expected a:b, a:, :b, :, a:b:step or an integer in dimension " + d
                            + ", found \"" + item + "\"");
        }
        if (step.signum() == 0) {
            throw new WrongUse("region \"" + region + "\": expected a step of at least 1 in dimension " + d);
        }
        check(item, d, from, to, length);
        long last = step.min(BigInteger.valueOf(Math.max(1, length))).longValueExact();
        return new RegionItem(from.longValueExact(), to.longValueExact(), last);
    }

    private static BigInteger index(String text, long length) {
        BigInteger index = new BigInteger(text);
        return text.startsWith("-") ? index.add(BigInteger.valueOf(length)) : index;
    }

    private static void check(String item, int d, BigInteger from, BigInteger to, long length) {
        BigInteger end = BigInteger.valueOf(length);
        if (to.compareTo(end) > 0 || from.compareTo(end) > 0 || from.signum() < 0 || to.signum() < 0) {
            throw new IndexOutOfBoundsException(
                    "region item " + item + " exceeds dimension " + d + ", which has length " + length);
        }
        if (from.compareTo(to) > 0) {
            throw new WrongUse("region item " + item + " in dimension " + d + " ends before it begins");
        }
    }
}
