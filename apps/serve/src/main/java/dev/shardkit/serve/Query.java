package dev.shardkit.serve;

import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The numbers and words in the query of a URL. Other values are refused, so nothing needs decoding. Immutable. */
final class Query {
    private static final int MAX_NUMBERS = 64;

    private final Map<String, String> values = new HashMap<>();

    Query(URI uri) throws Refused {
        for (String part : Optional.ofNullable(uri.getRawQuery()).orElse("").split("&")) {
            if (!part.matches("[a-z]*(=[A-Za-z0-9.,+-]*)?")) {
                throw new Refused(400, "expected a query of numbers and words");
            }
            int equals = part.indexOf('=');
            if (equals >= 0) {
                values.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
    }

    String word(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    double number(String name, double otherwise) throws Refused {
        try {
            return values.containsKey(name) ? Double.parseDouble(values.get(name)) : otherwise;
        } catch (NumberFormatException e) {
            throw wrong(name);
        }
    }

    /** Returns an integer from {@code least} to {@code most}. */
    long integer(String name, long otherwise, long least, long most) throws Refused {
        try {
            long value = values.containsKey(name) ? Long.parseLong(values.get(name)) : otherwise;
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong(name);
        }
        throw wrong(name);
    }

    /** Returns a list of integers; empty if there is none. */
    long[] integers(String name) throws Refused {
        String list = values.getOrDefault(name, "");
        String[] items = list.isEmpty() ? new String[0] : list.split(",", -1);
        if (items.length > MAX_NUMBERS) {
            throw wrong(name);
        }
        try {
            return Arrays.stream(items).mapToLong(Long::parseLong).toArray();
        } catch (NumberFormatException e) {
            throw wrong(name);
        }
    }

    private static Refused wrong(String name) {
        return new Refused(400, "the query has no valid value of " + name);
    }
}
