package dev.shardkit.ome.json;

import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Builds a JSON object of OME-Zarr metadata: first the members that this module knows, then the others that it read.
 * The counterpart of {@link Members}. Used by one thread.
 */
public final class MembersWriter {
    private final Map<String, Json> members = new LinkedHashMap<>();

    /** Adds a member. */
    public MembersWriter with(String name, Json value) {
        members.put(name, value);
        return this;
    }

    /** Adds a member if it has a value. */
    public MembersWriter with(String name, Optional<? extends Json> value) {
        value.ifPresent(json -> members.put(name, json));
        return this;
    }

    /** Adds a list. */
    public <T> MembersWriter with(String name, List<T> values, Function<T, Json> toJson) {
        return with(name, list(values, toJson));
    }

    /** Adds the list unless it is empty. */
    public <T> MembersWriter withUnlessEmpty(String name, List<T> values, Function<T, Json> toJson) {
        return values.isEmpty() ? this : with(name, values, toJson);
    }

    /** Returns the object, with those of the {@code others} that were not added before. */
    public Json.Obj build(Json.Obj others) {
        others.members().forEach(members::putIfAbsent);
        return new Json.Obj(members);
    }

    /** Converts values to a JSON array. */
    public static <T> Json list(List<T> values, Function<T, Json> toJson) {
        return new Json.Arr(values.stream().map(toJson).toList());
    }
}
