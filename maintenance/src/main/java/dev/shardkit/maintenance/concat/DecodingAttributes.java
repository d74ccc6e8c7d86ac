package dev.shardkit.maintenance.concat;

import dev.shardkit.cf.CfCalendar;
import dev.shardkit.cf.CfTimeUnits;
import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Compares the attributes that define the meaning of elements: those of the CF conventions, of xarray, and those that
 * state a coordinate reference system. Arrays in which one of them differs cannot be concatenated. Stateless.
 */
final class DecodingAttributes {
    private static final String GEO = "geo";
    /** The names, in the order of comparison. An attribute that explains differences of others comes before them. */
    private static final List<String> NAMES = List.of(
            "units",
            "calendar",
            "scale_factor",
            "add_offset",
            "_FillValue",
            "missing_value",
            "_Unsigned",
            "dtype",
            "_Encoding",
            "units_metadata",
            "month_lengths",
            "leap_year",
            "leap_month",
            "valid_min",
            "valid_max",
            "valid_range",
            "flag_values",
            "flag_masks",
            "flag_meanings",
            "positive",
            "formula_terms");

    /** The attributes that state the coordinate reference system of an array or of groups above it. */
    private static final List<String> REFERENCE_SYSTEMS = List.of(
            "grid_mapping",
            "grid_mapping_name",
            "crs",
            "crs_wkt",
            "spatial_ref",
            "_CRS",
            "proj:code",
            "proj:epsg",
            "proj:wkt2",
            "proj:projjson",
            GEO);

    private DecodingAttributes() {}

    /**
     * Returns the name of the first attribute with different meanings in {@code a} and {@code b}; empty if all agree.
     */
    static Optional<String> findDifference(Json.Obj a, Json.Obj b) {
        return Stream.concat(NAMES.stream(), REFERENCE_SYSTEMS.stream())
                .filter(name -> !isSame(name, a, b))
                .findFirst();
    }

    /** Returns the names of the attributes that state the coordinate reference system. */
    static List<String> referenceSystems() {
        return REFERENCE_SYSTEMS;
    }

    /**
     * Returns whether an attribute means the same in both, for example {@code days since} one date in two notations.
     */
    static boolean isSame(String name, Json.Obj a, Json.Obj b) {
        Optional<Json> one = name.equals(GEO) ? projection(a) : a.get(name);
        Optional<Json> other = name.equals(GEO) ? projection(b) : b.get(name);
        if (one.equals(other)) {
            return true;
        } else if (name.equals("calendar")) {
            Optional<CfCalendar> calendar = CfTimeUnits.calendar(a);
            return calendar.isPresent() && calendar.equals(CfTimeUnits.calendar(b));
        } else if (name.equals("units")) {
            Optional<CfTimeUnits> units = CfTimeUnits.of(a);
            return units.isPresent() && units.equals(CfTimeUnits.of(b));
        }
        return one.isPresent() && other.isPresent() && isSame(one.get(), other.get());
    }

    /** Returns the projection in the attribute {@code geo} of GeoZarr's drafts, without the position of the grid. */
    private static Optional<Json> projection(Json.Obj attributes) {
        return attributes
                .get(GEO)
                .flatMap(geo -> geo instanceof Json.Obj members ? members.get("proj") : Optional.empty())
                .map(proj -> proj instanceof Json.Obj members
                        ? new Json.Arr(Stream.of("code", "wkt2", "projjson")
                                .map(name -> members.get(name).orElse(new Json.Null()))
                                .toList())
                        : proj);
    }

    /** Returns whether two values are equal. Equal numbers may have different notations, such as 1 and 1.0. */
    private static boolean isSame(Json a, Json b) {
        if (a instanceof Json.Num one && b instanceof Json.Num other) {
            return a.equals(b) || new BigDecimal(one.lexeme()).compareTo(new BigDecimal(other.lexeme())) == 0;
        } else if (a instanceof Json.Arr one
                && b instanceof Json.Arr other
                && one.items().size() == other.items().size()) {
            for (int i = 0; i < one.items().size(); i++) {
                if (!isSame(one.items().get(i), other.items().get(i))) {
                    return false;
                }
            }
            return true;
        }
        return a.equals(b);
    }
}
