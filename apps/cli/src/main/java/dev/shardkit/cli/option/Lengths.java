package dev.shardkit.cli.option;

import java.util.Arrays;
import picocli.CommandLine.TypeConversionException;

/** Lengths or indices in an option, such as {@code 512,512}. Empty text means no dimensions. */
public record Lengths(long[] values) {
    /**
     * Parses a list of numbers separated by commas.
     *
     * @throws TypeConversionException if an item is negative or not an integer, or exceeds a {@code long}
     */
    public static Lengths parse(String text) {
        if (text.isEmpty()) {
            return new Lengths(new long[0]);
        }
        String[] items = text.split(",", -1);
        Arrays.setAll(items, i -> items[i].strip());
        for (String item : items) {
            if (item.matches("-[0-9]+")) {
                throw new TypeConversionException("numbers must not be negative, found '" + text + "'");
            }
            if (!item.matches("[0-9]+")) {
                throw new TypeConversionException("expected integers separated by commas, found '" + text + "'");
            }
        }
        try {
            return new Lengths(Arrays.stream(items).mapToLong(Long::parseLong).toArray());
        } catch (NumberFormatException e) {
            throw new TypeConversionException("expected integers up to " + Long.MAX_VALUE + ", found '" + text + "'");
        }
    }
}
