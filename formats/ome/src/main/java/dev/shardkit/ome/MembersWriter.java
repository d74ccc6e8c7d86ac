package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Collects the members of an object, known ones first. Used by one thread. */
final class MembersWriter {
    private final Map<String, Json> members = new LinkedHashMap<>();

    MembersWriter with(String name, Json value) {
        members.put(name, value);
        return this;
    }

    MembersWriter with(String name, Optional<? extends Json> value) {
        value.ifPresent(v -> members.put(name, v));
        return this;
    }

    <T> MembersWriter with(String name, List<T> values, Function<T, Json> form) {
        return with(name, list(values, form));
    }

    /** Adds the list unless it is empty. */
    <T> MembersWriter withSome(String name, List<T> values, Function<T, Json> form) {
        return values.isEmpty() ? this : with(name, values, form);
    }

    Json.Obj and(Json.Obj others) {
        others.members().forEach(members::putIfAbsent);
        return new Json.Obj(members);
    }

    static <T> Json list(List<T> values, Function<T, Json> form) {
        return new Json.Arr(values.stream().map(form).toList());
    }
}
