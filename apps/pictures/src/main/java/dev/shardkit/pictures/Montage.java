package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.Arrays;

/**
 * Planes of a region side by side, each reduced by the same step.
 *
 * @param planes the regions of the planes
 * @param columns the number of planes in a row
 * @param y the dimension that is drawn downwards; -1 for none
 * @param x the dimension that is drawn across; -1 for none
 * @param samples the number of samples of a pixel, in the last dimension
 * @param step the distance of the drawn elements
 * @param planeWidth in pixels
 * @param planeHeight in pixels
 * @param gap the pixels between two planes
 */
record Montage(
        Box[] planes, int columns, int y, int x, int samples, int step, int planeWidth, int planeHeight, int gap) {
    /** Receives the pixels of a row: column, number of the plane, index of the pixel in the plane. */
    interface Pixel {
        void at(int column, int plane, int index);
    }

    static Montage of(ZarrArray array, Box region, int size, int max, int gap) {
        long[] shape = region.shape();
        int rank = shape.length;
        boolean isColour =
                rank >= 3 && array.dataType().name().equals("uint8") && (shape[rank - 1] == 3 || shape[rank - 1] == 4);
        int x = isColour ? rank - 2 : rank - 1;
        int y = Math.max(-1, x - 1);
        long[] leading = Arrays.copyOf(shape, Math.max(0, y));
        long all = Shapes.count(leading);
        int count = (int) Math.min(max, all);
        Box[] planes = new Box[count];
        for (int i = 0; i < count; i++) {
            // from the middle of equal parts
            long[] at = Shapes.unravel(count == all ? i : all / count * i + all / count / 2, leading);
            long[] origin = region.origin();
            long[] length = region.shape();
            for (int d = 0; d < at.length; d++) {
                origin[d] += at[d];
                length[d] = 1;
            }
            planes[i] = Box.of(origin, length);
        }
        int columns = (int) Math.ceil(Math.sqrt(count));
        long width = x < 0 ? 1 : shape[x];
        long height = y < 0 ? 1 : shape[y];
        int side = Math.max(8, size / columns);
        int step = Math.toIntExact(Math.max(1, (Math.max(width, height) + side - 1) / side));
        return new Montage(
                planes,
                columns,
                y,
                x,
                isColour ? (int) shape[rank - 1] : 1,
                step,
                Samples.count(width, step),
                Samples.count(height, step),
                gap);
    }

    int width() {
        return columns * (planeWidth + gap) - gap;
    }

    int height() {
        return (planes.length + columns - 1) / columns * (planeHeight + gap) - gap;
    }

    /** Reads the samples of all planes. */
    double[][] read(ZarrArray array) {
        double[][] values = new double[planes.length][];
        for (int i = 0; i < planes.length; i++) {
            values[i] = Samples.read(array, planes[i], y, x, step);
        }
        return values;
    }

    /** Visits the pixels of a row that belong to a plane. */
    void row(int row, Pixel pixel) {
        int line = row % (planeHeight + gap);
        if (line >= planeHeight) {
            return;
        }
        int first = row / (planeHeight + gap) * columns;
        for (int c = 0; c < columns && first + c < planes.length; c++) {
            for (int at = 0; at < planeWidth; at++) {
                pixel.at(c * (planeWidth + gap) + at, first + c, line * planeWidth + at);
            }
        }
    }
}
