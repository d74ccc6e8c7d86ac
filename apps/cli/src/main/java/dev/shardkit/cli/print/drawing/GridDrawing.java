package dev.shardkit.cli.print.drawing;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Draws a grid of cells, one character each, in planes of the last two dimensions. If the grid is too large, one
 * character covers a block of cells. Uses plain ASCII, which every terminal shows.
 */
public final class GridDrawing {
    /** The state of a cell. */
    public enum Mark {
        /** Outside the array: drawn as a blank. */
        OUTSIDE(' '),
        /** Nothing is stored. */
        NONE('.'),
        /** Some elements are stored. */
        SOME('+'),
        /** All elements are stored. */
        ALL('#');

        private final char character;

        Mark(char character) {
            this.character = character;
        }

        /** Returns the mark of a block that contains cells with both marks. */
        private Mark combine(Mark other) {
            if (this == OUTSIDE || this == other) {
                return other;
            }
            return other == OUTSIDE ? this : SOME;
        }
    }

    /** Supplies the marks of cells. */
    public interface Marks {
        /** Returns the mark of the cell with linear index {@code i} (C order). */
        Mark at(long i);
    }

    /** The meaning of the characters. */
    public static final String LEGEND = "# stored   + partly   . not stored: the fill value";

    // The largest size of a plane in characters, and the largest number of planes that are drawn.
    private static final int MAX_COLUMNS = 64;
    private static final int MAX_ROWS = 48;
    private static final int MAX_PLANES = 8;

    private final long[] gridShape;
    private final Marks marks;
    // The shape of a plane in cells.
    private final long rows;
    private final long columns;
    private final List<String> lines = new ArrayList<>();

    private GridDrawing(long[] gridShape, Marks marks) {
        this.gridShape = gridShape;
        this.marks = marks;
        this.columns = gridShape.length > 0 ? gridShape[gridShape.length - 1] : 1;
        this.rows = gridShape.length > 1 ? gridShape[gridShape.length - 2] : 1;
    }

    /**
     * Returns the lines of the drawing; none if the grid has no cells.
     *
     * @param gridShape the number of cells in each dimension
     * @param marks supplies the mark of each cell
     */
    public static List<String> draw(long[] gridShape, Marks marks) {
        GridDrawing drawing = new GridDrawing(gridShape, marks);
        if (Shapes.count(gridShape) > 0) {
            drawing.drawPlanes();
        }
        return drawing.lines;
    }

    /** Draws the planes of the last two dimensions, up to a maximum number. */
    private void drawPlanes() {
        Box leading = Box.of(Arrays.copyOf(gridShape, Math.max(0, gridShape.length - 2)));
        long planeCount = leading.count();
        for (long plane = 0; plane < Math.min(planeCount, MAX_PLANES); plane++) {
            if (planeCount > 1) {
                String leadingIndices = Arrays.toString(leading.at(plane));
                lines.add(leadingIndices.substring(0, leadingIndices.length() - 1) + ", :, :]");
            }
            if (rows == 1 && columns > MAX_COLUMNS) {
                drawLongRow(plane);
            } else {
                drawPlane(plane);
            }
        }
        if (planeCount > MAX_PLANES) {
            lines.add("(and " + (planeCount - MAX_PLANES) + " more planes)");
        }
    }

    /** Draws a plane that is one long row on several lines. If that is still too long, one character covers a block. */
    private void drawLongRow(long plane) {
        long block = (columns - 1) / ((long) MAX_COLUMNS * MAX_ROWS) + 1;
        long characters = (columns - 1) / block + 1;
        for (long first = 0; first < characters; first += MAX_COLUMNS) {
            StringBuilder line = new StringBuilder();
            for (long c = first; c < Math.min(characters, first + MAX_COLUMNS); c++) {
                line.append(blockCharacter(plane, 0, 1, c * block, block));
            }
            lines.add("|" + line + (characters > first + MAX_COLUMNS ? "" : "|"));
        }
        addScale(1, block);
    }

    /** Draws a plane in a frame. If it is too large, one character covers a block of cells. */
    private void drawPlane(long plane) {
        long blockRows = (rows - 1) / MAX_ROWS + 1;
        long blockColumns = (columns - 1) / MAX_COLUMNS + 1;
        String border = "+" + "-".repeat((int) ((columns - 1) / blockColumns + 1)) + "+";
        lines.add(border);
        for (long r = 0; r < rows; r += blockRows) {
            StringBuilder line = new StringBuilder("|");
            for (long c = 0; c < columns; c += blockColumns) {
                line.append(blockCharacter(plane, r, blockRows, c, blockColumns));
            }
            lines.add(line.append('|').toString());
        }
        lines.add(border);
        addScale(blockRows, blockColumns);
    }

    /** Adds a line that says how many cells one character covers, if it covers several. */
    private void addScale(long blockRows, long blockColumns) {
        if (blockRows * blockColumns > 1) {
            lines.add("(one character covers " + blockRows + " x " + blockColumns + ")");
        }
    }

    /** Returns the character of the block of cells that starts at {@code row} and {@code column}. */
    private char blockCharacter(long plane, long row, long blockRows, long column, long blockColumns) {
        Mark mark = Mark.OUTSIDE;
        for (long r = row; r < Math.min(rows, row + blockRows); r++) {
            for (long c = column; c < Math.min(columns, column + blockColumns); c++) {
                mark = mark.combine(marks.at((plane * rows + r) * columns + c));
            }
        }
        return mark.character;
    }
}
