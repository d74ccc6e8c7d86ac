package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.Arrays;

/**
 * The arrangement of a {@link Preview}: planes of a region side by side. A picture of a plane has each {@code step}-th
 * of its elements in both directions.
 *
 * @param planes the regions of the planes
 * @param columns the number of planes in a row
 * @param y the dimension that is drawn downwards; -1 for none
 * @param x the dimension that is drawn across; -1 for none
 * @param samples the number of samples of a pixel, in the last dimension
 * @param step the distance of the drawn elements
 * @param planeWidth the width of a plane's picture in pixels
 * @param planeHeight the height of a plane's picture in pixels
 * @param gap the pixels between two planes
 */
record Montage(
        Box[] planes, int columns, int y, int x, int samples, int step, int planeWidth, int planeHeight, int gap) {
    /** Receives a pixel of the picture. */
    interface Pixel {
        /**
         * Receives a pixel.
         *
         * @param column the column in the picture
         * @param plane the number of the plane
         * @param index the index of the pixel in the plane, in C order
         */
        void at(int column, int plane, int index);
    }

    /**
     * Arranges the planes of a region with elements.
     *
     * @param size the approximate length of the picture's longer side
     * @param max the maximum number of planes
     */
    static Montage of(ZarrArray array, Box region, int size, int max, int gap) {
        long[] shape = region.shape();
        int rank = shape.length;
        boolean isColour =
                rank >= 3 && array.dataType().name().equals("uint8") && (shape[rank - 1] == 3 || shape[rank - 1] == 4);
        int x = isColour ? rank - 2 : rank - 1;
        int y = Math.max(-1, x - 1);
        long[] leading = Arrays.copyOf(shape, Math.max(0, y));
        long planeCount = Shapes.count(leading);
        int drawnCount = (int) Math.min(max, planeCount);
        Box[] planes = new Box[drawnCount];
        for (int i = 0; i < drawnCount; i++) {
            // If not all planes are drawn, they are split into equal parts, and the middle one of each part is drawn.
            long partLength = planeCount / drawnCount;
            long[] at = Shapes.unravel(drawnCount == planeCount ? i : partLength * i + partLength / 2, leading);
            long[] origin = region.origin();
            long[] length = region.shape();
            for (int d = 0; d < at.length; d++) {
                origin[d] += at[d];
                length[d] = 1;
            }
            planes[i] = Box.of(origin, length);
        }
        int columns = (int) Math.ceil(Math.sqrt(drawnCount));
        long width = x < 0 ? 1 : shape[x];
        long height = y < 0 ? 1 : shape[y];
        int side = Math.max(8, size / columns); // the longer side of a plane, in pixels
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

    /** Visits the pixels of a row of the picture that belong to planes, and not to gaps. */
    void row(int row, Pixel pixel) {
        int rowInPlane = row % (planeHeight + gap);
        if (rowInPlane >= planeHeight) {
            return;
        }
        int firstPlane = row / (planeHeight + gap) * columns;
        for (int i = 0; i < columns && firstPlane + i < planes.length; i++) {
            for (int column = 0; column < planeWidth; column++) {
                pixel.at(i * (planeWidth + gap) + column, firstPlane + i, rowInPlane * planeWidth + column);
            }
        }
    }
}
