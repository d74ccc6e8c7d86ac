package dev.shardkit.maintenance;

import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The attributes that say what elements mean: those of the CF conventions, of xarray and of coordinate reference
 * systems. Arrays in which one of them differs cannot share attributes. Stateless.
 */
final class DecodingAttributes {
    /** The names, those that explain others first. */
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
            "formula_terms",
            "grid_mapping",
            "grid_mapping_name",
            "crs",
            "crs_wkt",
            "spatial_ref",
            "_CRS",
            "proj:code",
            "proj:epsg",
            "proj:wkt2",
            "proj:projjson");

    private DecodingAttributes() {}

    /** Returns the name of the first attribute that means something else in {@code b} than in {@code a}. */
    static Optional<String> different(Json.Obj a, Json.Obj b) {
        return NAMES.stream().filter(name -> !same(name, a, b)).findFirst();
    }

    /** Whether an attribute means the same in both. */
    static boolean same(String name, Json.Obj a, Json.Obj b) {
        Optional<Json> one = a.get(name);
        Optional<Json> other = b.get(name);
        if (one.equals(other)) {
            return true;
        } else if (name.equals("calendar")) {
            return TimeUnits.calendar(one).equals(TimeUnits.calendar(other));
        } else if (name.equals("units")) {
            Optional<TimeUnits> units = TimeUnits.of(a);
            return units.isPresent() && units.equals(TimeUnits.of(b));
        }
        return one.isPresent() && other.isPresent() && same(one.get(), other.get());
    }

    /** Whether two values are equal, of numbers also in another notation. */
    private static boolean same(Json a, Json b) {
        if (a instanceof Json.Num one && b instanceof Json.Num other) {
            return a.equals(b) || new BigDecimal(one.lexeme()).compareTo(new BigDecimal(other.lexeme())) == 0;
        } else if (a instanceof Json.Arr one
                && b instanceof Json.Arr other
                && one.items().size() == other.items().size()) {
            for (int i = 0; i < one.items().size(); i++) {
                if (!same(one.items().get(i), other.items().get(i))) {
                    return false;
                }
            }
            return true;
        }
        return a.equals(b);
    }
}
