package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The description of a plate of a high-content screen, which is a grid of wells (section "plate" of the OME-Zarr
 * specification).
 *
 * @param name the name of the plate
 * @param rows the rows of the grid
 * @param columns the columns of the grid
 * @param wells the wells with images
 * @param acquisitions the runs in which the plate was imaged
 * @param fieldCount the largest number of fields of view in a well
 * @param others members that the specification does not define
 */
public record Plate(
        Optional<String> name,
        List<RowOrColumn> rows,
        List<RowOrColumn> columns,
        List<WellPosition> wells,
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
     * Returns a plate whose rows are A, B and so on, and whose columns are 1, 2 and so on.
     *
     * @param wells the paths of the wells that are imaged, such as {@code A/1}; all wells if the list is empty
     * @throws IllegalArgumentException if the grid has no row or column, or a well does not lie in it
     */
    public static Plate grid(int rows, int columns, String... wells) {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException(
                    "expected at least 1 row and 1 column, found " + rows + " and " + columns);
        }
        List<WellPosition> positions = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                positions.add(new WellPosition(rowName(row) + "/" + (column + 1), row, column, Json.object()));
            }
        }
        for (String well : wells) {
            if (positions.stream().noneMatch(position -> position.path().equals(well))) {
                throw new IllegalArgumentException(
                        "expected wells from A/1 to " + rowName(rows - 1) + "/" + columns + ", found " + well);
            }
        }
        List<String> imaged = List.of(wells);
        return new Plate(
                Optional.empty(),
                names(rows, Plate::rowName),
                names(columns, column -> Integer.toString(column + 1)),
                positions.stream()
                        .filter(position -> imaged.isEmpty() || imaged.contains(position.path()))
                        .toList(),
                List.of(),
                Optional.empty(),
                Json.object());
    }

    /** Returns rows or columns. {@code name} returns the name for an index. */
    private static List<RowOrColumn> names(int count, IntFunction<String> name) {
        return IntStream.range(0, count)
                .mapToObj(i -> new RowOrColumn(name.apply(i), Json.object()))
                .toList();
    }

    /** Returns A to Z, then AA, AB and so on. */
    private static String rowName(int row) {
        String last = Character.toString('A' + row % 26);
        return row < 26 ? last : rowName(row / 26 - 1) + last;
    }

    /**
     * A row or a column.
     *
     * @param name the name, such as {@code A}
     * @param others other members
     */
    public record RowOrColumn(String name, Json.Obj others) {}

    /**
     * The position of a well.
     *
     * @param path the path of the well's group, relative to the plate: {@code ROW/COLUMN}
     * @param rowIndex the index of the row
     * @param columnIndex the index of the column
     * @param others other members
     */
    public record WellPosition(String path, long rowIndex, long columnIndex, Json.Obj others) {}

    /**
     * A run in which the plate was imaged.
     *
     * @param id the id, to which fields of view refer
     * @param name the name
     * @param maximumFieldCount the largest number of fields of view in a well
     * @param description a description
     * @param startTime seconds since 1970
     * @param endTime seconds since 1970
     * @param others other members
     */
    public record Acquisition(
            long id,
            Optional<String> name,
            Optional<Long> maximumFieldCount,
            Optional<String> description,
            Optional<Long> startTime,
            Optional<Long> endTime,
            Json.Obj others) {}

    static Plate parse(Members members) {
        Plate plate = new Plate(
                members.optionalString("name"),
                members.list("rows", Plate::parseRowOrColumn),
                members.list("columns", Plate::parseRowOrColumn),
                members.list("wells", Plate::parseWellPosition),
                members.optionalList("acquisitions", Plate::parseAcquisition),
                members.optionalInteger("field_count"),
                members.others());
        for (int i = 0; i < plate.wells.size(); i++) {
            WellPosition well = plate.wells.get(i);
            requireIndex(members, "wells[" + i + "].rowIndex", well.rowIndex(), plate.rows.size());
            requireIndex(members, "wells[" + i + "].columnIndex", well.columnIndex(), plate.columns.size());
        }
        return plate;
    }

    /** Throws unless a well refers to an existing row or column. */
    private static void requireIndex(Members members, String member, long index, int count) {
        if (index < 0 || index >= count) {
            throw members.error(member, "an index from 0 to " + (count - 1), String.valueOf(index));
        }
    }

    private static RowOrColumn parseRowOrColumn(Members members) {
        return new RowOrColumn(members.string("name"), members.others());
    }

    private static WellPosition parseWellPosition(Members members) {
        return new WellPosition(
                members.string("path"), members.integer("rowIndex"), members.integer("columnIndex"), members.others());
    }

    private static Acquisition parseAcquisition(Members members) {
        return new Acquisition(
                members.integer("id"),
                members.optionalString("name"),
                members.optionalInteger("maximumfieldcount"),
                members.optionalString("description"),
                members.optionalInteger("starttime"),
                members.optionalInteger("endtime"),
                members.others());
    }

    Json.Obj toJson() {
        return new MembersWriter()
                .with("name", name.map(Json::of))
                .with("rows", rows, Plate::toJson)
                .with("columns", columns, Plate::toJson)
                .with("wells", wells, Plate::toJson)
                .withUnlessEmpty("acquisitions", acquisitions, Plate::toJson)
                .with("field_count", fieldCount.map(Json::of))
                .build(others);
    }

    private static Json toJson(RowOrColumn line) {
        return new MembersWriter().with("name", Json.of(line.name())).build(line.others());
    }

    private static Json toJson(WellPosition well) {
        return new MembersWriter()
                .with("path", Json.of(well.path()))
                .with("rowIndex", Json.of(well.rowIndex()))
                .with("columnIndex", Json.of(well.columnIndex()))
                .build(well.others());
    }

    private static Json toJson(Acquisition acquisition) {
        return new MembersWriter()
                .with("id", Json.of(acquisition.id()))
                .with("name", acquisition.name().map(Json::of))
                .with("maximumfieldcount", acquisition.maximumFieldCount().map(Json::of))
                .with("description", acquisition.description().map(Json::of))
                .with("starttime", acquisition.startTime().map(Json::of))
                .with("endtime", acquisition.endTime().map(Json::of))
                .build(acquisition.others());
    }
}
