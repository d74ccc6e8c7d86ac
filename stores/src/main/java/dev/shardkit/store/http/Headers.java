package dev.shardkit.store.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The fields of an answer's head. Names have no case; the values of a name are in the order they came. Immutable. */
final class Headers {
    private final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Copies the fields of a client's own type; names that differ in case only must not occur. */
    Headers(Map<String, List<String>> fields) {
        this.fields.putAll(fields);
    }

    /** Returns the fields but for those of {@code name}. */
    Headers without(String name) {
        Headers rest = new Headers(fields);
        rest.fields.remove(name);
        return rest;
    }

    /** Returns all values of {@code name}. */
    List<String> allValues(String name) {
        return fields.getOrDefault(name, List.of());
    }

    /** Returns the first value of {@code name}. */
    Optional<String> firstValue(String name) {
        return allValues(name).stream().findFirst();
    }
}
