package dev.shardkit.ome.json;

import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Builds a JSON object: known members first, then others. Used by one thread. */
public final class MembersWriter {
    private final Map<String, Json> members = new LinkedHashMap<>();

    public MembersWriter with(String name, Json value) {
        members.put(name, value);
        return this;
    }

    public MembersWriter with(String name, Optional<? extends Json> value) {
        value.ifPresent(v -> members.put(name, v));
        return this;
    }

    public <T> MembersWriter with(String name, List<T> values, Function<T, Json> toJson) {
        return with(name, list(values, toJson));
    }

    /** Adds the list unless it is empty. */
    public <T> MembersWriter withUnlessEmpty(String name, List<T> values, Function<T, Json> toJson) {
        return values.isEmpty() ? this : with(name, values, toJson);
    }

    public Json.Obj build(Json.Obj others) {
        others.members().forEach(members::putIfAbsent);
        return new Json.Obj(members);
    }

    public static <T> Json list(List<T> values, Function<T, Json> toJson) {
        return new Json.Arr(values.stream().map(toJson).toList());
    }
}
