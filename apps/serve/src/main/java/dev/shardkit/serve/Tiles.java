package dev.shardkit.serve;

import dev.shardkit.ZarrArray;
import dev.shardkit.pictures.Colours;
import dev.shardkit.pictures.PngWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** Renders tiles as PNG: square parts of a plane, from which the server's page composes its picture. Thread-safe. */
final class Tiles {
    /** The side of a tile in pixels. */
    static final int SIZE = 256;

    /** The maximum size of the elements that a tile reads. */
    private static final int MAX_BYTES = 1 << 25;

    private static final int MAX_STEP = 32;

    private final BoundedWork work;

    Tiles(BoundedWork work) {
        this.work = work;
    }

    /** Returns the maximum step between drawn elements for which a tile reads at most 32 MiB. */
    static int maxStep(ZarrArray array) {
        // An unknown size counts as one so large that the step stays 1.
        long size = Math.max(1, array.dataType().elementSize().orElse(Integer.MAX_VALUE / SIZE / SIZE));
        int step = 1;
        while (step < MAX_STEP && (long) SIZE * SIZE * (2 * step) * (2 * step) * size <= MAX_BYTES) {
            step *= 2;
        }
        return step;
    }

    /**
     * Renders the tile that a query selects. The query names the tile's first element ({@code left}, {@code top}), the
     * step between drawn elements ({@code step}), the values of the first and the last colour ({@code black},
     * {@code white}), and the colour map ({@code colours}).
     *
     * @param labels the colours of a label image, which replace the colour map
     */
    byte[] render(Plane plane, Query query, Optional<LabelColours> labels) throws HttpError {
        long left = query.integer("left", 0, 0, plane.width() - 1);
        long top = query.integer("top", 0, 0, plane.height() - 1);
        int step = (int) query.integer("step", 1, 1, maxStep(plane.array()));
        double black = query.number("black", 0);
        double white = query.number("white", 1);
        Colours colourMap = Colours.named(query.word("colours", "gray"))
                .orElseThrow(() -> new HttpError(400, "there is no such colour map"));
        int width = (int) Math.min((long) SIZE * step, plane.width() - left);
        int height = (int) Math.min((long) SIZE * step, plane.height() - top);
        int columns = (width + step - 1) / step;
        int rows = (height + step - 1) / step;
        return work.run(plane.memory(left, top, width, height), () -> {
            Plane.Rectangle elements = plane.read(left, top, width, height);
            if (labels.isPresent()) {
                return renderLabels(elements, labels.get(), columns, rows, step);
            }
            byte[] pixels = new byte[columns * rows];
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    double value = elements.numberOrNaN(column * step, row * step);
                    pixels[row * columns + column] = colourMap.of(value, black, white);
                }
            }
            return encodePng(columns, rows, pixels, colourMap.palette());
        });
    }

    private static byte[] renderLabels(Plane.Rectangle elements, LabelColours labels, int columns, int rows, int step) {
        int channels = PngWriter.Samples.RGBA.count();
        byte[] pixels = new byte[channels * columns * rows];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                labels.writePixel(
                        elements.numberOrNaN(column * step, row * step), pixels, channels * (row * columns + column));
            }
        }
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (PngWriter png = PngWriter.to(output, columns, rows, PngWriter.Samples.RGBA, 8)) {
            writeRows(png, pixels, channels * columns, rows);
        } catch (IOException e) {
            throw new AssertionError("writing to memory failed", e);
        }
        return output.toByteArray();
    }

    private static void writeRows(PngWriter png, byte[] pixels, int rowBytes, int rows) throws IOException {
        for (int row = 0; row < rows; row++) {
            png.row(pixels, row * rowBytes);
        }
        png.end();
    }

    private static byte[] encodePng(int width, int height, byte[] pixels, byte[] palette) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (PngWriter png = PngWriter.to(output, width, height, palette)) {
            writeRows(png, pixels, width, height);
        } catch (IOException e) {
            throw new AssertionError("writing to memory failed", e);
        }
        return output.toByteArray();
    }
}
