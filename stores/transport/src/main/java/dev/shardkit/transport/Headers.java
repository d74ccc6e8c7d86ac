package dev.shardkit.transport;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The header fields of a response. Names ignore case. The values of a name keep the order in which they arrived.
 * Immutable.
 */
public final class Headers {
    private final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Copies header fields. Names must differ in more than case. */
    public Headers(Map<String, List<String>> fields) {
        this.fields.putAll(fields);
    }

    /** Returns the fields without those of {@code name}. */
    public Headers without(String name) {
        Headers rest = new Headers(fields);
        rest.fields.remove(name);
        return rest;
    }

    /** Returns the fields with {@code value} as the only one of {@code name}. */
    public Headers with(String name, String value) {
        Headers all = new Headers(fields);
        all.fields.put(name, List.of(value));
        return all;
    }

    /** Returns the names of all fields. */
    public Set<String> names() {
        return Collections.unmodifiableSet(fields.keySet());
    }

    /** Returns all values of {@code name}. */
    public List<String> allValues(String name) {
        return fields.getOrDefault(name, List.of());
    }

    /** Returns the first value of {@code name}. */
    public Optional<String> firstValue(String name) {
        return allValues(name).stream().findFirst();
    }
}
