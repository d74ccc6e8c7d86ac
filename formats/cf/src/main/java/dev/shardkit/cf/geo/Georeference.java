package dev.shardkit.cf.geo;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the cells of a grid lie: its coordinate reference system, and how rows and columns become coordinates. Rows are
 * the indices of the dimension that carries y, columns those of x, in whatever order the array has them. Immutable.
 *
 * <p>{@link #of(ZarrArray, ZarrGroup)} reads, in this order: the conventions {@code proj:} and {@code spatial:}, the
 * grid mapping of the CF conventions with {@code crs_wkt} and GDAL's {@code GeoTransform} (as rioxarray writes them),
 * and GDAL's {@code _CRS}. {@link #writeTo} writes the conventions.
 *
 * @see <a href="https://github.com/zarr-conventions/spatial">the convention spatial</a>
 */
public final class Georeference {
    /** What the whole numbers of rows and columns are in a transform ({@code spatial:registration}). */
    public enum Registration {
        /** Corners of cells: the first cell has its center at 0.5. The default. */
        PIXEL,
        /** Centers of cells: the first cell has its center at 0 and its corner at -0.5. */
        NODE
    }

    private final Optional<Crs> crs;
    /** The names of y and x, in this order, or none. */
    private final List<String> dimensions;

    private final Optional<AffineTransform> transform;
    private final Optional<BoundingBox> boundingBox;
    private final List<Long> shape;
    private final Registration registration;
    private final List<String> notes;

    Georeference(
            Optional<Crs> crs,
            List<String> dimensions,
            Optional<AffineTransform> transform,
            Optional<BoundingBox> boundingBox,
            List<Long> shape,
            Registration registration,
            List<String> notes) {
        this.crs = crs;
        this.dimensions = List.copyOf(dimensions);
        this.transform = transform;
        this.boundingBox = boundingBox;
        this.shape = List.copyOf(shape);
        this.registration = registration;
        this.notes = List.copyOf(notes);
    }

    /**
     * Makes the georeference of a new array.
     *
     * @param crs the reference system
     * @param yDimension the name of the dimension that carries y, the row
     * @param xDimension the name of the dimension that carries x, the column
     * @param transform from rows and columns to coordinates; whole numbers are corners of cells
     */
    public static Georeference of(Crs crs, String yDimension, String xDimension, AffineTransform transform) {
        return new Georeference(
                Optional.of(crs),
                List.of(yDimension, xDimension),
                Optional.of(transform),
                Optional.empty(),
                List.of(),
                Registration.PIXEL,
                List.of());
    }

    /**
     * Returns what the attributes of an array and of the group right above it say. Attributes of the array come first.
     * Reads metadata only: that of the grid mapping, if there is one.
     */
    public static Georeference of(ZarrArray array, ZarrGroup parent) {
        return new GeoreferenceReader(array, Optional.of(parent)).read();
    }

    /** Returns what the attributes of an array say, without its group. */
    public static Georeference of(ZarrArray array) {
        return new GeoreferenceReader(array, Optional.empty()).read();
    }

    /** Returns the reference system. */
    public Optional<Crs> crs() {
        return crs;
    }

    /** Returns the names of the dimensions of y and x, in this order; an empty list if they are unknown. */
    public List<String> dimensions() {
        return dimensions;
    }

    /** Returns the transform from rows and columns to coordinates. */
    public Optional<AffineTransform> transform() {
        return transform;
    }

    /** Returns the number of rows and of columns, in this order; an empty list if they are unknown. */
    public List<Long> shape() {
        return shape;
    }

    /** Returns what whole numbers of rows and columns are. */
    public Registration registration() {
        return registration;
    }

    /** Returns the attributes that contradict the conventions and are ignored, each with the reason. */
    public List<String> notes() {
        return notes;
    }

    /** Returns whether neither the reference system nor the place is known; dimensions and shape may be. */
    public boolean isEmpty() {
        return crs.isEmpty() && transform.isEmpty() && boundingBox.isEmpty();
    }

    /**
     * Returns the area of the grid: as it is stated, else as transform and shape give it. It ends at the outer edges of
     * cells, or at the outer centers with {@link Registration#NODE}. Empty if the grid has no cells, or ends beyond the
     * largest number.
     */
    public Optional<BoundingBox> boundingBox() {
        if (boundingBox.isPresent() || transform.isEmpty() || shape.isEmpty()) {
            return boundingBox;
        }
        // with NODE, the last center is that of row number rows - 1
        int excess = registration == Registration.NODE ? 1 : 0;
        double rows = shape.get(0) - excess;
        double columns = shape.get(1) - excess;
        AffineTransform t = transform.get();
        double[] x = {t.x(0, 0), t.x(rows, 0), t.x(0, columns), t.x(rows, columns)};
        double[] y = {t.y(0, 0), t.y(rows, 0), t.y(0, columns), t.y(rows, columns)};
        Arrays.sort(x);
        Arrays.sort(y);
        boolean isFinite = Double.isFinite(x[3] - x[0]) && Double.isFinite(y[3] - y[0]);
        return isFinite && !shape.contains(0L)
                ? Optional.of(new BoundingBox(x[0], y[0], x[3], y[3]))
                : Optional.empty();
    }

    /** Returns x at the center of a cell; empty without a transform. */
    public Optional<Double> x(long row, long column) {
        return transform.map(t -> t.x(row + center(), column + center()));
    }

    /** Returns y at the center of a cell; empty without a transform. */
    public Optional<Double> y(long row, long column) {
        return transform.map(t -> t.y(row + center(), column + center()));
    }

    /** Returns the row of the cell that holds a point; it may lie outside of the grid. Empty without a transform. */
    public Optional<Long> row(double x, double y) {
        return transform.map(t -> cell(t.row(x, y)));
    }

    /** Returns the column of the cell that holds a point; it may lie outside of the grid. Empty without a transform. */
    public Optional<Long> column(double x, double y) {
        return transform.map(t -> cell(t.column(x, y)));
    }

    private double center() {
        return registration == Registration.NODE ? 0 : 0.5;
    }

    private long cell(double position) {
        return (long) Math.floor(registration == Registration.NODE ? position + 0.5 : position);
    }

    /** Returns this georeference with the number of rows and columns of a grid. */
    public Georeference withShape(long rows, long columns) {
        return new Georeference(crs, dimensions, transform, boundingBox, List.of(rows, columns), registration, notes);
    }

    /** Returns this georeference with another registration; the coefficients of the transform stay. */
    public Georeference withRegistration(Registration registration) {
        return new Georeference(crs, dimensions, transform, boundingBox, shape, registration, notes);
    }

    /**
     * Returns attributes with the conventions {@code proj:} and {@code spatial:} set. All other attributes stay. Writes
     * one form of the reference system, as the convention asks: the code, else the text, else the object.
     */
    public Json.Obj writeTo(Json.Obj attributes) {
        Json.Obj result = attributes;
        if (crs.isPresent()) {
            result = Convention.PROJ.declaredIn(without(result, "proj:"));
            Crs system = crs.get();
            if (system.code().isPresent()) {
                result = result.with("proj:code", Json.of(system.code().get()));
            } else if (system.wkt().isPresent()) {
                result = result.with("proj:wkt2", Json.of(system.wkt().get()));
            } else {
                result = result.with("proj:projjson", system.projJson().orElseThrow());
            }
        }
        if (transform.isPresent() || boundingBox.isPresent()) {
            result = spatial(Convention.SPATIAL.declaredIn(without(result, "spatial:")));
        }
        return result;
    }

    private Json.Obj spatial(Json.Obj attributes) {
        Json.Obj result = attributes;
        if (!dimensions.isEmpty()) {
            result = result.with("spatial:dimensions", Json.of(dimensions));
        }
        result = grid(result);
        Optional<BoundingBox> area = boundingBox();
        if (area.isPresent()) {
            BoundingBox b = area.get();
            result = result.with("spatial:bbox", Json.of(List.of(b.minX(), b.minY(), b.maxX(), b.maxY())));
        }
        return registration == Registration.PIXEL ? result : result.with("spatial:registration", Json.of("node"));
    }

    /** Sets the attributes that differ between the levels of a pyramid: transform and shape. */
    Json.Obj grid(Json.Obj object) {
        Json.Obj result = object;
        if (transform.isPresent()) {
            List<Json> coefficients = new ArrayList<>();
            for (double coefficient : transform.get().coefficients()) {
                coefficients.add(Json.of(coefficient));
            }
            result = result.with("spatial:transform", new Json.Arr(coefficients));
        }
        return shape.isEmpty() ? result : result.with("spatial:shape", Json.of(shape));
    }

    static Json.Obj without(Json.Obj attributes, String prefix) {
        Json.Obj result = Json.object();
        for (var member : attributes.members().entrySet()) {
            if (!member.getKey().startsWith(prefix)) {
                result = result.with(member.getKey(), member.getValue());
            }
        }
        return result;
    }

    @Override
    public String toString() {
        return "georeference " + crs.map(Crs::toString).orElse("without a reference system")
                + boundingBox().map(area -> ", " + area).orElse("");
    }
}
