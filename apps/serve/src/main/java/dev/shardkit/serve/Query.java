package dev.shardkit.serve;

import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters in the query of a URL that the server's page requests. They are numbers and words; other values are
 * refused, so no value needs decoding. Immutable.
 */
final class Query {
    /** The maximum length of a list of numbers. */
    private static final int MAX_NUMBERS = 64;

    private final Map<String, String> parameters = new HashMap<>();

    Query(URI uri) throws HttpError {
        for (String parameter :
                Optional.ofNullable(uri.getRawQuery()).orElse("").split("&")) {
            if (!parameter.matches("[a-z]*(=[A-Za-z0-9.,+-]*)?")) {
                throw new HttpError(400, "expected a query of numbers and words");
            }
            int equalsSign = parameter.indexOf('=');
            if (equalsSign >= 0) {
                parameters.put(parameter.substring(0, equalsSign), parameter.substring(equalsSign + 1));
            }
        }
    }

    String word(String name, String defaultValue) {
        return parameters.getOrDefault(name, defaultValue);
    }

    double number(String name, double defaultValue) throws HttpError {
        try {
            return parameters.containsKey(name) ? Double.parseDouble(parameters.get(name)) : defaultValue;
        } catch (NumberFormatException e) {
            throw invalidValue(name);
        }
    }

    /** Returns an integer from {@code min} to {@code max}. */
    long integer(String name, long defaultValue, long min, long max) throws HttpError {
        try {
            long value = parameters.containsKey(name) ? Long.parseLong(parameters.get(name)) : defaultValue;
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw invalidValue(name);
        }
        throw invalidValue(name);
    }

    /** Returns a list of integers; empty if the parameter is absent. */
    long[] integers(String name) throws HttpError {
        String list = parameters.getOrDefault(name, "");
        String[] items = list.isEmpty() ? new String[0] : list.split(",", -1);
        if (items.length > MAX_NUMBERS) {
            throw invalidValue(name);
        }
        try {
            return Arrays.stream(items).mapToLong(Long::parseLong).toArray();
        } catch (NumberFormatException e) {
            throw invalidValue(name);
        }
    }

    private static HttpError invalidValue(String name) {
        return new HttpError(400, "the query has no valid value of " + name);
    }
}
