package dev.shardkit.spi;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The remarks in a {@code zarr.json} that was translated from a document or file of another format. They name parts
 * that were read although they break a specification, and parts that Zarr v3 cannot express. {@link NodeFormat}s and
 * stores that translate documents add remarks to the {@code zarr.json} that they make; {@code info}, {@code verify} and
 * {@code copy} show them. They are never stored. Stateless.
 */
public final class DocumentRemarks {
    /** The member that holds them. Readers other than shardkit may ignore it. */
    public static final String MEMBER = "shardkit_remarks";

    private static final String LIST = "remarks";

    private DocumentRemarks() {}

    /** Returns a document with more remarks. */
    public static Json.Obj add(Json.Obj document, List<String> remarks) {
        if (remarks.isEmpty()) {
            return document;
        }
        List<String> combined = new ArrayList<>(of(document));
        combined.addAll(remarks);
        Map<String, Json> value = new LinkedHashMap<>();
        value.put("must_understand", Json.of(false));
        value.put(LIST, Json.of(combined));
        return document.with(MEMBER, new Json.Obj(value));
    }

    /** Returns the remarks of a document. */
    public static List<String> of(Json.Obj document) {
        Optional<Json> list =
                document.get(MEMBER).flatMap(value -> value instanceof Json.Obj o ? o.get(LIST) : Optional.empty());
        return list.stream() // flatMap takes null for an empty stream
                .flatMap(value -> value instanceof Json.Arr items ? items.items().stream() : null)
                .flatMap(item -> item instanceof Json.Str text ? Stream.of(text.value()) : null)
                .toList();
    }
}
