package dev.shardkit.spi;

import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A codec as the metadata of Zarr v3 state it, by a name or an object. Immutable.
 *
 * @param name its name; empty if the metadata state none
 * @param configuration its configuration; without members if it has none
 */
public record StatedCodec(String name, Json.Obj configuration) {
    /** The codecs that only change the order of elements or bytes. */
    private static final Set<String> ORDER = Set.of("transpose", "bytes");

    /** Every integer of this many digits fits into a {@code long}. */
    private static final int MAX_DIGITS = 18;

    /** Returns the codecs of a chain in their order, without {@code transpose} and {@code bytes}. */
    public static List<StatedCodec> withoutOrder(List<Json> chain) {
        return chain.stream()
                .map(StatedCodec::of)
                .filter(codec -> !ORDER.contains(codec.name))
                .toList();
    }

    private static StatedCodec of(Json codec) {
        Json name = codec instanceof Json.Obj object ? object.get("name").orElseGet(Json.Null::new) : codec;
        Json members =
                codec instanceof Json.Obj object ? object.get("configuration").orElseGet(Json::object) : Json.object();
        return new StatedCodec(
                name instanceof Json.Str text ? text.value() : "",
                members instanceof Json.Obj configuration ? configuration : Json.object());
    }

    /** Returns an integer of the configuration; empty if the member is missing or something else. */
    public OptionalLong integer(String member) {
        return configuration.get(member).orElseGet(Json.Null::new) instanceof Json.Num number
                        && number.isInteger()
                        && number.lexeme().length() <= MAX_DIGITS
                ? OptionalLong.of(Long.parseLong(number.lexeme()))
                : OptionalLong.empty();
    }

    /** Returns a text of the configuration; empty if the member is missing or something else. */
    public Optional<String> text(String member) {
        return configuration.get(member).filter(Json.Str.class::isInstance).map(text -> ((Json.Str) text).value());
    }

    /** Returns the codecs of a list in the configuration; none if the member is missing or something else. */
    public List<Json> codecs(String member) {
        return configuration.get(member).orElseGet(Json.Null::new) instanceof Json.Arr list ? list.items() : List.of();
    }
}
