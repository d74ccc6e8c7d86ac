package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * A plate of a screen: a grid of wells (section "plate").
 *
 * @param rows the rows of the grid
 * @param columns the columns of the grid
 * @param wells the wells that have images
 * @param acquisitions the times at which the plate was imaged; may be empty
 * @param fieldCount the largest number of fields in a well
 * @param others the members that this class does not know
 */
public record Plate(
        Optional<String> name,
        List<Line> rows,
        List<Line> columns,
        List<Place> wells,
        List<Acquisition> acquisitions,
        Optional<Long> fieldCount,
        Json.Obj others) {
    /** Copies the lists. */
    public Plate {
        rows = List.copyOf(rows);
        columns = List.copyOf(columns);
        wells = List.copyOf(wells);
        acquisitions = List.copyOf(acquisitions);
    }

    /**
     * A row or a column.
     *
     * @param others the members that this class does not know
     */
    public record Line(String name, Json.Obj others) {}

    /**
     * The place of a well.
     *
     * @param path the path of the well's group, relative to the plate: the name of its row, a slash, the name of its
     *     column
     * @param others the members that this class does not know
     */
    public record Place(String path, long rowIndex, long columnIndex, Json.Obj others) {}

    /**
     * A time at which the plate was imaged.
     *
     * @param startTime seconds since 1970
     * @param endTime seconds since 1970
     * @param others the members that this class does not know
     */
    public record Acquisition(
            long id,
            Optional<String> name,
            Optional<Long> maximumFieldCount,
            Optional<String> description,
            Optional<Long> startTime,
            Optional<Long> endTime,
            Json.Obj others) {}

    static Plate of(Members members) {
        Plate plate = new Plate(
                members.optionalString("name"),
                members.list("rows", Plate::line),
                members.list("columns", Plate::line),
                members.list("wells", Plate::place),
                members.optionalList("acquisitions", Plate::acquisition),
                members.optionalInteger("field_count"),
                members.others());
        for (int i = 0; i < plate.wells.size(); i++) {
            Place well = plate.wells.get(i);
            check(members, "wells[" + i + "].rowIndex", well.rowIndex(), plate.rows.size());
            check(members, "wells[" + i + "].columnIndex", well.columnIndex(), plate.columns.size());
        }
        return plate;
    }

    private static void check(Members members, String member, long index, int count) {
        if (index < 0 || index >= count) {
            throw members.wrong(member, "an index from 0 to " + (count - 1), String.valueOf(index));
        }
    }

    private static Line line(Members members) {
        return new Line(members.string("name"), members.others());
    }

    private static Place place(Members members) {
        return new Place(
                members.string("path"), members.integer("rowIndex"), members.integer("columnIndex"), members.others());
    }

    private static Acquisition acquisition(Members members) {
        return new Acquisition(
                members.integer("id"),
                members.optionalString("name"),
                members.optionalInteger("maximumfieldcount"),
                members.optionalString("description"),
                members.optionalInteger("starttime"),
                members.optionalInteger("endtime"),
                members.others());
    }

    Json.Obj json() {
        return new MembersWriter()
                .with("name", name.map(Json::of))
                .with("rows", rows, Plate::json)
                .with("columns", columns, Plate::json)
                .with("wells", wells, Plate::json)
                .withSome("acquisitions", acquisitions, Plate::json)
                .with("field_count", fieldCount.map(Json::of))
                .and(others);
    }

    private static Json json(Line line) {
        return new MembersWriter().with("name", Json.of(line.name())).and(line.others());
    }

    private static Json json(Place well) {
        return new MembersWriter()
                .with("path", Json.of(well.path()))
                .with("rowIndex", Json.of(well.rowIndex()))
                .with("columnIndex", Json.of(well.columnIndex()))
                .and(well.others());
    }

    private static Json json(Acquisition a) {
        return new MembersWriter()
                .with("id", Json.of(a.id()))
                .with("name", a.name().map(Json::of))
                .with("maximumfieldcount", a.maximumFieldCount().map(Json::of))
                .with("description", a.description().map(Json::of))
                .with("starttime", a.startTime().map(Json::of))
                .with("endtime", a.endTime().map(Json::of))
                .and(a.others());
    }
}
