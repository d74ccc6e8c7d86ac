package dev.shardkit.transport;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The header fields of a response. Names ignore case. The values of a name keep the order in which they arrived.
 * Immutable.
 */
public final class Headers {
    /** A name with all its values. */
    private record Field(String name, List<String> values) {}

    /**
     * A list instead of a map: responses have few fields, so comparing names is faster than hashing or sorting them.
     */
    private final List<Field> fields;

    /** Copies header fields. Names must differ in more than case. */
    public Headers(Map<String, List<String>> fields) {
        this(new ArrayList<>(fields.size()));
        fields.forEach((name, values) -> this.fields.add(new Field(name, values)));
    }

    /** Returns the header fields of a response in the order of their arrival. Several may have the same name. */
    public static Headers of(List<Map.Entry<String, String>> arrived) {
        List<Field> fields = new ArrayList<>(arrived.size());
        for (Map.Entry<String, String> next : arrived) {
            int index = indexOf(fields, next.getKey());
            if (index < 0) {
                fields.add(new Field(next.getKey(), List.of(next.getValue())));
            } else {
                List<String> values = new ArrayList<>(fields.get(index).values);
                values.add(next.getValue());
                fields.set(index, new Field(fields.get(index).name, Collections.unmodifiableList(values)));
            }
        }
        return new Headers(fields);
    }

    private Headers(List<Field> fields) {
        this.fields = fields;
    }

    /** Returns the fields without those of {@code name}. */
    public Headers without(String name) {
        List<Field> remaining = new ArrayList<>(fields);
        remaining.removeIf(field -> field.name.equalsIgnoreCase(name));
        return new Headers(remaining);
    }

    /** Returns the fields with {@code value} as the only value of {@code name}. */
    public Headers with(String name, String value) {
        Headers others = without(name);
        others.fields.add(new Field(name, List.of(value)));
        return others;
    }

    /** Returns the names of all fields. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        fields.forEach(field -> names.add(field.name));
        return Collections.unmodifiableSet(names);
    }

    /** Returns all values of {@code name}. */
    public List<String> allValues(String name) {
        int index = indexOf(fields, name);
        return index < 0 ? List.of() : fields.get(index).values;
    }

    private static int indexOf(List<Field> fields, String name) {
        int index = 0;
        while (index < fields.size() && !fields.get(index).name.equalsIgnoreCase(name)) {
            index++;
        }
        return index < fields.size() ? index : -1;
    }

    /** Returns the first value of {@code name}. */
    public Optional<String> firstValue(String name) {
        List<String> values = allValues(name);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
    }
}
