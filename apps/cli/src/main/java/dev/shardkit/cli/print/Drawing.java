package dev.shardkit.cli.print;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Draws a grid of cells with one character each, in planes of the last two dimensions. If the grid is too large, one
 * character covers a block of cells. Plain ASCII, so that every terminal shows it.
 */
public final class Drawing {
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

        private Mark and(Mark other) {
            if (this == OUTSIDE || this == other) {
                return other;
            }
            return other == OUTSIDE ? this : SOME;
        }
    }

    /** Returns the marks of cells. */
    public interface Marks {
        /** Returns the mark of the cell with linear index {@code i} (C order). */
        Mark at(long i);
    }

    /** The meaning of the characters. */
    public static final String LEGEND = "# stored   + partly   . not stored: the fill value";

    private static final int MAX_COLUMNS = 64;
    private static final int MAX_ROWS = 48;
    private static final int MAX_PLANES = 8;

    private final long[] cells;
    private final Marks marks;
    private final long rows;
    private final long columns;
    private final List<String> lines = new ArrayList<>();

    private Drawing(long[] cells, Marks marks) {
        this.cells = cells;
        this.marks = marks;
        this.columns = cells.length > 0 ? cells[cells.length - 1] : 1;
        this.rows = cells.length > 1 ? cells[cells.length - 2] : 1;
    }

    /** Returns the lines of the drawing. */
    public static List<String> of(long[] cells, Marks marks) {
        Drawing drawing = new Drawing(cells, marks);
        if (Shapes.count(cells) > 0) {
            drawing.planes();
        }
        return drawing.lines;
    }

    private void planes() {
        Box leading = Box.of(Arrays.copyOf(cells, Math.max(0, cells.length - 2)));
        long count = leading.count();
        for (long p = 0; p < Math.min(count, MAX_PLANES); p++) {
            if (count > 1) {
                String at = Arrays.toString(leading.at(p));
                lines.add(at.substring(0, at.length() - 1) + ", :, :]");
            }
            if (rows == 1 && columns > MAX_COLUMNS) {
                wrapped(p);
            } else {
                plane(p);
            }
        }
        if (count > MAX_PLANES) {
            lines.add("(and " + (count - MAX_PLANES) + " more planes)");
        }
    }

    /** Wraps a single long row over several lines. If that is still too long, one character covers a block. */
    private void wrapped(long plane) {
        long block = (columns - 1) / ((long) MAX_COLUMNS * MAX_ROWS) + 1;
        long characters = (columns - 1) / block + 1;
        for (long first = 0; first < characters; first += MAX_COLUMNS) {
            StringBuilder line = new StringBuilder();
            for (long c = first; c < Math.min(characters, first + MAX_COLUMNS); c++) {
                line.append(block(plane, 0, 1, c * block, block));
            }
            lines.add("|" + line + (characters > first + MAX_COLUMNS ? "" : "|"));
        }
        scale(1, block);
    }

    private void plane(long plane) {
        long high = (rows - 1) / MAX_ROWS + 1;
        long wide = (columns - 1) / MAX_COLUMNS + 1;
        String border = "+" + "-".repeat((int) ((columns - 1) / wide + 1)) + "+";
        lines.add(border);
        for (long r = 0; r < rows; r += high) {
            StringBuilder line = new StringBuilder("|");
            for (long c = 0; c < columns; c += wide) {
                line.append(block(plane, r, high, c, wide));
            }
            lines.add(line.append('|').toString());
        }
        lines.add(border);
        scale(high, wide);
    }

    private void scale(long high, long wide) {
        if (high * wide > 1) {
            lines.add("(one character covers " + high + " x " + wide + ")");
        }
    }

    private char block(long plane, long row, long high, long column, long wide) {
        Mark mark = Mark.OUTSIDE;
        for (long r = row; r < Math.min(rows, row + high); r++) {
            for (long c = column; c < Math.min(columns, column + wide); c++) {
                mark = mark.and(marks.at((plane * rows + r) * columns + c));
            }
        }
        return mark.character;
    }
}
