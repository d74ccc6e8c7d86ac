package dev.shardkit.cf.geo;

import dev.shardkit.spi.json.Json;
import java.util.Optional;

/**
 * A coordinate reference system, in at least one of three forms. The forms are neither parsed nor compared with each
 * other.
 *
 * @param code authority and code, such as {@code EPSG:32633}
 * @param wkt well-known text; of version 2 if it comes from the convention {@code proj:}
 * @param projJson a PROJJSON object
 */
public record Crs(Optional<String> code, Optional<String> wkt, Optional<Json.Obj> projJson) {
    /**
     * Makes a coordinate reference system.
     *
     * @throws IllegalArgumentException if all three forms are empty
     */
    public Crs {
        if (code.isEmpty() && wkt.isEmpty() && projJson.isEmpty()) {
            throw new IllegalArgumentException("expected a code, a text or a PROJJSON object of the reference system");
        }
    }

    /**
     * Returns the system of a code.
     *
     * @param code authority and code, such as {@code EPSG:32633} or {@code IAU_2015:30100}
     * @throws IllegalArgumentException if the text has another form
     */
    public static Crs ofCode(String code) {
        if (!isCode(code)) {
            throw new IllegalArgumentException("expected authority and code, such as EPSG:32633, found " + code);
        }
        return new Crs(Optional.of(code), Optional.empty(), Optional.empty());
    }

    /** Returns the system that a well-known text of version 2 describes (ISO 19162). */
    public static Crs ofWkt(String wkt) {
        return new Crs(Optional.empty(), Optional.of(wkt), Optional.empty());
    }

    static boolean isCode(String text) {
        return text.matches("[A-Z][A-Z0-9_]*:[A-Za-z0-9_.-]+");
    }

    /**
     * Returns the code; without one, the name in the well-known text or in the PROJJSON object; without both,
     * {@code unnamed}.
     */
    @Override
    public String toString() {
        return code.or(() -> wkt.flatMap(Crs::nameInWkt))
                .or(() -> projJson.flatMap(json -> json.get("name"))
                        .filter(Json.Str.class::isInstance)
                        .map(name -> ((Json.Str) name).value()))
                .orElse("unnamed");
    }

    /** Returns the first quoted text, which is the name in all kinds of well-known text. */
    private static Optional<String> nameInWkt(String wkt) {
        int from = wkt.indexOf("[\"");
        int to = from < 0 ? -1 : wkt.indexOf('"', from + 2);
        return to < 0 ? Optional.empty() : Optional.of(wkt.substring(from + 2, to));
    }
}
