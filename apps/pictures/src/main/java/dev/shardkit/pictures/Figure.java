package dev.shardkit.pictures;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrView;
import dev.shardkit.cf.CfFlags;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A picture of a variable of the CF conventions: the plane of the last two dimensions that a selection keeps, in
 * physical values, with labels and units of its coordinates, and a colour bar. For other dimensions, the picture shows
 * the first selected index, and the title names its label.
 *
 * <p>Labels increase to the right and upwards, whatever their order in the array, so north is up. The labels of a
 * coordinate with the attribute {@code positive: down}, such as depth, increase downwards. Longitude is always the
 * horizontal axis and latitude the vertical one, even if the array has them in the other order. The colours span the
 * middle 99 % of the values; smaller and larger values have the first and the last colour. Codes (integers that
 * {@code flag_values} gives meanings) have a legend in place of the bar. Missing elements are transparent. Immutable
 * and thread-safe.
 */
public final class Figure {
    /** The default length of the longer side of the plane in pixels. */
    private static final int DEFAULT_SIZE = 512;

    private static final int MIN_SIZE = 64;
    private static final int MAX_SIZE = 4096;
    /**
     * The maximum ratio of the sides of a picture. If one side of the plane is more than this many times as long as the
     * other, each side gets a scale of its own, so that the shorter one has a quarter of the longer one's pixels.
     */
    private static final int MAX_RATIO = 4;

    /** The maximum number of ticks of a side or of the colour bar. */
    private static final int MAX_TICKS = 10;
    /** The maximum number of codes in a legend. If there are more, the codes are drawn as numbers. */
    private static final int MAX_MEANINGS = 250;

    private final CfSelection selection;
    private final String colours;
    private final int size;

    private Figure(CfSelection selection, String colours, int size) {
        this.selection = selection;
        this.colours = colours;
        this.size = size;
    }

    /** Creates the picture of selected elements: in the colours viridis, about 512 pixels long. */
    public static Figure of(CfSelection selection) {
        return new Figure(selection, "viridis", DEFAULT_SIZE);
    }

    /**
     * Returns this picture with other colours.
     *
     * @throws IllegalArgumentException if {@link Colours} has no map with this name
     */
    public Figure withColours(String name) {
        if (Colours.named(name).isEmpty()) {
            throw new IllegalArgumentException(
                    "expected gray, viridis, magma, diverging or labels, found \"" + name + "\"");
        }
        return new Figure(selection, name, size);
    }

    /**
     * Returns this picture with another size.
     *
     * @param pixels the length of the longer side of the plane in pixels, about; from 64 to 4096
     */
    public Figure withSize(int pixels) {
        if (pixels < MIN_SIZE || pixels > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "expected a size from " + MIN_SIZE + " to " + MAX_SIZE + ", found " + pixels);
        }
        return new Figure(selection, colours, pixels);
    }

    /**
     * Writes a PNG image.
     *
     * @throws UnsupportedException if the elements are no numbers or booleans, the selection keeps no dimension, or it
     *     has no elements
     * @throws IllegalArgumentException if a label does not exist
     * @throws ZarrException if a chunk cannot be read
     * @throws IOException if the stream throws it
     */
    public void write(OutputStream out) throws IOException {
        Plane plane = Plane.of(selection, size);
        // larger pictures get larger text and gaps
        new Drawing(plane, Colours.named(colours).orElseThrow(), Math.max(1, Math.min(4, size / 256)))
                .draw()
                .writeTo(out);
    }

    /**
     * The selected indices of one dimension of the array.
     *
     * @param listed the indices; empty if all are selected
     */
    private record Indices(Optional<long[]> listed, long length) {
        static Indices of(CfSelection selection, int d) {
            String name = selection.variable().dimensions().get(d);
            if (!selection.isSelected(name)) {
                return new Indices(Optional.empty(), selection.variable().shape()[d]);
            }
            long[] indices = selection.indices(name);
            return new Indices(Optional.of(indices), indices.length);
        }

        long at(long position) {
            return listed.map(indices -> indices[(int) position]).orElse(position);
        }

        /** Returns each {@code step}-th index, from the first on. */
        long[] every(long step) {
            return LongStream.rangeClosed(0, (length - 1) / step)
                    .map(i -> at(i * step))
                    .toArray();
        }
    }

    /**
     * The elements that are drawn, with the two sides of the picture.
     *
     * @param y the side that is drawn vertically; empty if the selection keeps one dimension
     * @param scaleX the width of an element in pixels
     * @param scaleY the height of an element in pixels
     * @param where the labels of the dimensions that are not drawn, at the index that the picture shows
     * @param values the elements row by row, as they are drawn
     * @param meanings the meanings of codes, in which case each value is an index in this list; empty if the values are
     *     numbers
     */
    private record Plane(
            CfVariable variable,
            FigureAxis x,
            Optional<FigureAxis> y,
            int scaleX,
            int scaleY,
            String where,
            double[] values,
            List<String> meanings) {

        static Plane of(CfSelection selection, int size) {
            CfVariable variable = selection.variable();
            if (variable.kind() != CfKind.NUMBER && variable.kind() != CfKind.BOOLEAN) {
                throw new UnsupportedException(variable.array().location()
                        + ": expected numbers or booleans to draw, found elements of the kind " + variable.kind());
            }
            List<String> kept = selection.dimensions();
            if (kept.isEmpty()) {
                throw new UnsupportedException(variable.array().location()
                        + ": expected a selection with one dimension or more to draw, found a single element");
            }
            List<Indices> chosen = new ArrayList<>();
            for (int d = 0; d < variable.dimensions().size(); d++) {
                chosen.add(Indices.of(selection, d));
            }
            long[] lengths = chosen.stream().mapToLong(Indices::length).toArray();
            if (Arrays.stream(lengths).anyMatch(length -> length == 0)) {
                throw new UnsupportedException(variable.array().location() + ": the selection has no elements: shape "
                        + Arrays.toString(lengths));
            }
            int last = variable.dimensions().indexOf(kept.get(kept.size() - 1));
            int previous = kept.size() == 1 ? -1 : variable.dimensions().indexOf(kept.get(kept.size() - 2));
            FigureAxis across = FigureAxis.of(selection, variable.dimensions().get(last), lengths[last]);
            Optional<FigureAxis> up = previous < 0
                    ? Optional.empty()
                    : Optional.of(FigureAxis.of(selection, variable.dimensions().get(previous), lengths[previous]));
            // Longitude goes across and latitude upwards, even if the array has them in the other order.
            boolean isTurned = across.isY() && up.filter(FigureAxis::isX).isPresent();
            return isTurned
                    ? read(selection, chosen, previous, up.orElseThrow(), last, Optional.of(across), size)
                    : read(selection, chosen, last, across, previous, up, size);
        }

        /**
         * Reads the elements.
         *
         * @param dx the dimension that is drawn horizontally
         * @param dy the dimension that is drawn vertically; -1 for none
         * @param size the length of the longer side in pixels
         */
        private static Plane read(
                CfSelection selection,
                List<Indices> chosen,
                int dx,
                FigureAxis x,
                int dy,
                Optional<FigureAxis> y,
                int size) {
            long width = x.length();
            long height = y.map(FigureAxis::length).orElse(1L);
            int sizeX = width < height / MAX_RATIO ? size / MAX_RATIO : size;
            int sizeY = height < width / MAX_RATIO ? size / MAX_RATIO : size;
            // A very long plane has a scale for each side; otherwise, elements are squares.
            boolean hasOwnScales = sizeX != sizeY;
            long longest = Math.max(width, height);
            long stepX = step(hasOwnScales ? width : longest, sizeX);
            long stepY = step(hasOwnScales ? height : longest, sizeY);
            FigureAxis across = x.withStep(stepX);
            Optional<FigureAxis> up = y.map(side -> side.withStep(stepY));
            int rows = up.map(FigureAxis::samples).orElse(1);
            int most = Math.max(across.samples(), rows);
            CfVariable variable = selection.variable();
            ZarrView view = variable.array().view();
            List<String> where = new ArrayList<>();
            for (int d = 0; d < chosen.size(); d++) {
                if (d == dx || d == dy) {
                    view = view.indices(d, chosen.get(d).every(d == dx ? stepX : stepY));
                } else {
                    view = view.indices(d, chosen.get(d).at(0));
                    where.add(place(variable, d, chosen.get(d).at(0)));
                }
            }
            return new Plane(
                    variable,
                    across,
                    up,
                    Math.max(1, sizeX / (hasOwnScales ? across.samples() : most)),
                    Math.max(1, sizeY / (hasOwnScales ? rows : most)),
                    String.join(", ", where),
                    drawn(view.read(), variable, across, up, dy > dx),
                    meanings(variable));
        }

        /** Returns the distance of the indices that are drawn, so that they fit into the pixels. */
        private static long step(long length, int pixels) {
            return (length - 1) / pixels + 1;
        }

        /** Returns the name of a dimension's coordinate with the label of an index, such as {@code time 2020-01-01}. */
        private static String place(CfVariable variable, int d, long index) {
            String dimension = variable.dimensions().get(d);
            return FigureAxis.coordinate(variable, dimension)
                    .map(c -> c.name() + " "
                            + FigureAxis.text(c.select().index(dimension, index).read(), 0)
                            + c.units()
                                    .filter(units -> c.kind() == CfKind.NUMBER)
                                    .map(units -> " " + units)
                                    .orElse(""))
                    .orElse(dimension + " " + index);
        }

        /** Returns the meanings of the variable's codes; empty if it has none, or too many for a legend. */
        private static List<String> meanings(CfVariable variable) {
            return variable.codes()
                    .filter(codes -> codes.flags().size() <= MAX_MEANINGS)
                    .map(codes -> codes.flags().stream()
                            .map(CfFlags.Flag::meaning)
                            .distinct()
                            .toList())
                    .orElse(List.of());
        }

        /**
         * Returns the values as they are drawn, row by row.
         *
         * @param isTurned whether the horizontal dimension comes first in the array
         */
        private static double[] drawn(
                NdArray stored, CfVariable variable, FigureAxis x, Optional<FigureAxis> y, boolean isTurned) {
            CfValues values = variable.decode(stored);
            double[] numbers = numbers(variable, values);
            int columns = x.samples();
            int rows = y.map(FigureAxis::samples).orElse(1);
            boolean isMirrored = x.isReversed(false);
            boolean isFlipped = y.map(side -> side.isReversed(true)).orElse(false);
            double[] drawn = new double[numbers.length];
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    int fromColumn = isMirrored ? columns - 1 - column : column;
                    int fromRow = isFlipped ? rows - 1 - row : row;
                    drawn[row * columns + column] =
                            numbers[isTurned ? fromColumn * rows + fromRow : fromRow * columns + fromColumn];
                }
            }
            return drawn;
        }

        /** Returns the numbers that decide the colours, in the order of the array; NaN for missing elements. */
        private static double[] numbers(CfVariable variable, CfValues values) {
            List<String> meanings = meanings(variable);
            if (!meanings.isEmpty()) {
                CfFlags codes = variable.codes().orElseThrow();
                return IntStream.range(0, values.count())
                        .mapToDouble(i -> codes.meaning(values, i)
                                .map(meaning -> (double) meanings.indexOf(meaning))
                                .orElse(Double.NaN))
                        .toArray();
            } else if (values.kind() == CfKind.BOOLEAN) {
                boolean[] booleans = values.values().booleans();
                return IntStream.range(0, booleans.length)
                        .mapToDouble(i -> booleans[i] ? 1 : 0)
                        .toArray();
            }
            double[] numbers = values.doubles();
            return Arrays.stream(numbers)
                    .map(number -> Double.isFinite(number) ? number : Double.NaN)
                    .toArray();
        }

        int width() {
            return x.samples() * scaleX;
        }

        int height() {
            return y.map(FigureAxis::samples).orElse(1) * scaleY;
        }

        String title() {
            Optional<String> name = Stream.of("long_name", "standard_name")
                    .flatMap(attribute -> variable.attributes().get(attribute).stream())
                    .filter(Json.Str.class::isInstance)
                    .map(text -> ((Json.Str) text).value())
                    .findFirst();
            // named() returns the name and the units in brackets. Only the units are used: the title has its own name.
            String units = FigureAxis.named(variable).substring(variable.name().length());
            return name.orElse(variable.name()) + (meanings.isEmpty() ? units : "");
        }
    }

    /** Draws a plane with its sides, title and colours. Used once. */
    private static final class Drawing {
        private final Plane plane;
        private final Colours colours;
        /** Three bytes for each index of a colour: red, green, blue. */
        private final byte[] palette;
        /** The factor by which text and gaps are enlarged. */
        private final int scale;
        /** The height of a line of text in pixels. */
        private final int line;

        private final int gap;
        /** The value with the first colour. */
        private final double black;
        /** The value with the last colour. */
        private final double white;

        private final List<FigureAxis.Tick> xTicks;
        private final List<FigureAxis.Tick> yTicks;
        private final List<BigDecimal> barTicks;
        /** The pixel at which the plane starts horizontally; labels stand to the left of it. */
        private final int left;
        /** The pixel at which the plane starts vertically; titles stand above it. */
        private final int top;

        Drawing(Plane plane, Colours colours, int scale) {
            this.plane = plane;
            this.colours = colours;
            this.palette = colours.palette();
            this.scale = scale;
            this.line = PixelFont.CAPITAL_HEIGHT * scale;
            this.gap = 4 * scale;
            double[] contrast = plane.meanings().isEmpty()
                    ? Samples.contrast(plane.values())
                    : new double[] {0, plane.meanings().size() - 1};
            this.black = contrast[0];
            this.white = contrast[1];
            this.xTicks = ticks(plane.x(), plane.scaleX(), false);
            this.yTicks =
                    plane.y().map(side -> ticks(side, plane.scaleY(), true)).orElse(List.of());
            this.barTicks = barTicks();
            int widest =
                    yTicks.stream().mapToInt(tick -> width(tick.label())).max().orElse(0);
            int besideY = gap + (plane.y().isPresent() ? line + gap + widest + gap : 0) + gap + 1;
            this.left = Math.max(
                    besideY,
                    xTicks.stream()
                            .mapToInt(tick -> width(tick.label()) / 2 - xPixel(tick))
                            .max()
                            .orElse(0));
            this.top = gap + (line + gap) * (plane.where().isEmpty() ? 1 : 2) + 1;
        }

        private int width(String text) {
            return PixelFont.width(text) * scale;
        }

        /**
         * Returns as many ticks as have room for their labels.
         *
         * @param cell the length of an element in pixels
         */
        private List<FigureAxis.Tick> ticks(FigureAxis side, int cell, boolean isVertical) {
            for (int most = MAX_TICKS; most > 1; most--) {
                List<FigureAxis.Tick> ticks = side.ticks(most);
                boolean hasRoom = ticks.size() > 0;
                for (int i = 1; i < ticks.size(); i++) {
                    double distance =
                            Math.abs(ticks.get(i).at() - ticks.get(i - 1).at()) * cell;
                    int needed = isVertical
                            ? 2 * line
                            : (width(ticks.get(i).label())
                                                    + width(ticks.get(i - 1).label()))
                                            / 2
                                    + 3 * gap;
                    hasRoom &= distance >= needed;
                }
                if (hasRoom) {
                    return ticks;
                }
            }
            return side.ticks(1).stream().limit(1).toList();
        }

        /** Returns the numbers at the colour bar; none if there is a legend. */
        private List<BigDecimal> barTicks() {
            if (!plane.meanings().isEmpty()) {
                return List.of();
            }
            int most = Math.max(1, Math.min(MAX_TICKS, plane.height() / (2 * line)));
            List<BigDecimal> ticks = RoundNumbers.between(black, white, most);
            return ticks.isEmpty() ? List.of(new BigDecimal(Double.toString(black))) : ticks;
        }

        Canvas draw() {
            int legend = Stream.concat(barTicks.stream().map(RoundNumbers::text), plane.meanings().stream())
                    .mapToInt(this::width)
                    .max()
                    .orElse(0);
            int bar = left + plane.width() + 1 + 3 * gap;
            int total = bar + line + 1 + 2 * gap + legend + gap;
            int bottom = top + plane.height() + 1 + gap + gap + line + gap + line + gap;
            int rows = Math.max(bottom, plane.meanings().isEmpty() ? 0 : top + meaningRows() * (line + gap));
            Canvas canvas = new Canvas(total, rows, scale);
            canvas.text(fit(plane.title(), total - left - gap), left, gap);
            canvas.text(fit(plane.where(), total - left - gap), left, gap + line + gap);
            drawPlane(canvas);
            drawSides(canvas, total, rows);
            if (plane.meanings().isEmpty()) {
                drawBar(canvas, bar);
            } else {
                drawMeanings(canvas, bar);
            }
            return canvas;
        }

        /** Cuts a text that is longer than {@code pixels}, and ends it with three dots. */
        private String fit(String text, int pixels) {
            int most = Math.max(1, pixels / (PixelFont.ADVANCE * scale));
            return text.length() <= most ? text : text.substring(0, Math.max(0, most - 3)) + "...";
        }

        /** Returns the colour of a value as ARGB; 0, which is transparent, for missing elements. */
        private int colour(double value) {
            // Codes are numbered from 1 on, because label 0 is transparent, as missing elements are (index 0).
            int first = plane.meanings().isEmpty() ? 0 : 1;
            int index = colours.of(value + first, black + first, white + first) & 0xff;
            return index == 0
                    ? 0
                    : Canvas.BLACK
                            | (palette[3 * index] & 0xff) << 16
                            | (palette[3 * index + 1] & 0xff) << 8
                            | palette[3 * index + 2] & 0xff;
        }

        private void drawPlane(Canvas canvas) {
            int columns = plane.x().samples();
            for (int i = 0; i < plane.values().length; i++) {
                canvas.fill(
                        left + i % columns * plane.scaleX(),
                        top + i / columns * plane.scaleY(),
                        plane.scaleX(),
                        plane.scaleY(),
                        colour(plane.values()[i]));
            }
            canvas.frame(left, top, plane.width(), plane.height());
        }

        /**
         * Draws ticks, labels and titles of the sides. A title may be longer than its side, up to the whole picture.
         */
        private void drawSides(Canvas canvas, int pictureWidth, int pictureHeight) {
            int below = top + plane.height();
            for (FigureAxis.Tick tick : xTicks) {
                int x = left + xPixel(tick);
                canvas.fill(x, below, 1, gap + 1, Canvas.BLACK);
                canvas.text(tick.label(), x - width(tick.label()) / 2, below + 1 + gap + gap);
            }
            String xTitle = fit(plane.x().title(), pictureWidth - 2 * gap);
            int xStart = start(left + plane.width() / 2, width(xTitle), pictureWidth);
            canvas.text(xTitle, xStart, below + 1 + gap + gap + line + gap);
            if (plane.y().isEmpty()) {
                return;
            }
            FigureAxis side = plane.y().get();
            for (FigureAxis.Tick tick : yTicks) {
                int y = top + pixel(tick, plane.scaleY(), plane.height(), side.isReversed(true));
                canvas.fill(left - 1 - gap, y, gap, 1, Canvas.BLACK);
                canvas.text(tick.label(), left - 1 - gap - gap - width(tick.label()), y - line / 2);
            }
            String yTitle = fit(side.title(), pictureHeight - 2 * gap);
            int yStart = start(top + plane.height() / 2, width(yTitle), pictureHeight);
            canvas.textUpwards(yTitle, gap, yStart + width(yTitle));
        }

        /** Returns the first pixel of a text around {@code middle}, moved so that all of it is in the picture. */
        private int start(int middle, int length, int pictureLength) {
            return Math.max(gap, Math.min(middle - length / 2, pictureLength - gap - length));
        }

        private int xPixel(FigureAxis.Tick tick) {
            return pixel(tick, plane.scaleX(), plane.width(), plane.x().isReversed(false));
        }

        /** Returns the pixel of a tick: the middle of its element. */
        private static int pixel(FigureAxis.Tick tick, int cell, int extent, boolean isReversed) {
            int pixel = (int) Math.floor((tick.at() + 0.5) * cell);
            return isReversed ? extent - 1 - pixel : pixel;
        }

        private void drawBar(Canvas canvas, int x) {
            int height = plane.height();
            for (int row = 0; row < height; row++) {
                double share = (height - row - 0.5) / height;
                canvas.fill(x, top + row, line, 1, colour(black + share * (white - black)));
            }
            canvas.frame(x, top, line, height);
            for (BigDecimal number : barTicks) {
                double share = white > black ? (number.doubleValue() - black) / (white - black) : 0.5;
                int y = top + height - 1 - (int) Math.round(share * (height - 1));
                canvas.fill(x + line, y, gap + 1, 1, Canvas.BLACK);
                canvas.text(RoundNumbers.text(number), x + line + 1 + 2 * gap, y - line / 2);
            }
        }

        private int meaningRows() {
            return plane.meanings().size();
        }

        private void drawMeanings(Canvas canvas, int x) {
            for (int i = 0; i < plane.meanings().size(); i++) {
                int y = top + i * (line + gap);
                canvas.fill(x, y, line, line, colour(i));
                canvas.frame(x, y, line, line);
                canvas.text(plane.meanings().get(i), x + line + 1 + 2 * gap, y);
            }
        }
    }

    @Override
    public String toString() {
        return "picture of " + selection + " in " + colours;
    }
}
