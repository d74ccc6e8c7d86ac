package dev.shardkit.store.cloud;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A JSON object in the response of a server. Members that are missing or of another type read as empty. Immutable.
 *
 * @param object the object
 */
public record JsonResponse(Json.Obj object) {
    /** Parses a document; empty if it is not a JSON object. */
    public static Optional<JsonResponse> parse(byte[] document) {
        try {
            return of(JsonReader.read(document, Limits.defaults()));
        } catch (MetadataException e) {
            return Optional.empty();
        }
    }

    private static Optional<JsonResponse> of(Json json) {
        return json instanceof Json.Obj object ? Optional.of(new JsonResponse(object)) : Optional.empty();
    }

    /** Returns a string, or the text of a number or boolean; "" if there is none. */
    public String text(String name) {
        return object.get(name).map(JsonResponse::text).orElse("");
    }

    private static String text(Json json) {
        if (json instanceof Json.Str string) {
            return string.value();
        }
        return json instanceof Json.Obj || json instanceof Json.Arr ? "" : json.toString();
    }

    /** Returns the member of this name that is an object. */
    public Optional<JsonResponse> child(String name) {
        return object.get(name).flatMap(JsonResponse::of);
    }

    /** Returns the objects in an array. */
    public Stream<JsonResponse> all(String name) {
        return items(name).stream().flatMap(item -> of(item).stream());
    }

    /** Returns the texts in an array. */
    public Stream<String> texts(String name) {
        return items(name).stream().map(JsonResponse::text);
    }

    private List<Json> items(String name) {
        return object.get(name)
                .map(json -> json instanceof Json.Arr array ? array.items() : List.<Json>of())
                .orElse(List.of());
    }
}
