package dev.shardkit.pictures;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** The pixels of a {@link Figure} while it is drawn. Not thread-safe. */
final class Canvas {
    static final int BLACK = 0xff000000;
    private static final int WHITE = 0xffffffff;
    /** The bytes of a pixel in the PNG: red, green, blue and opacity. */
    private static final int PIXEL_BYTES = 4;

    private final int width;
    private final int[] pixels;
    /** The side of the square of pixels that draws one point of a letter. */
    private final int letterScale;

    /** Creates a white canvas. */
    Canvas(int width, int height, int letterScale) {
        this.width = width;
        this.pixels = new int[Math.multiplyExact(width, height)];
        this.letterScale = letterScale;
        Arrays.fill(pixels, WHITE);
    }

    /** Sets a pixel to a colour: opacity, red, green and blue, a byte each. Ignores pixels outside the canvas. */
    void set(int x, int y, int colour) {
        if (x >= 0 && x < width && y >= 0 && y < pixels.length / width) {
            pixels[y * width + x] = colour;
        }
    }

    void fill(int x, int y, int columns, int rows, int colour) {
        for (int row = y; row < y + rows; row++) {
            for (int column = x; column < x + columns; column++) {
                set(column, row, colour);
            }
        }
    }

    /** Draws a border of one pixel around a rectangle. */
    void frame(int x, int y, int columns, int rows) {
        fill(x - 1, y - 1, columns + 2, 1, BLACK);
        fill(x - 1, y + rows, columns + 2, 1, BLACK);
        fill(x - 1, y - 1, 1, rows + 2, BLACK);
        fill(x + columns, y - 1, 1, rows + 2, BLACK);
    }

    /** Draws a text whose left upper corner is at a position. */
    void text(String text, int x, int y) {
        letters(text, (along, down) -> fill(x + along, y + down, letterScale, letterScale, BLACK));
    }

    /** Draws a text that is turned by 90 degrees and runs upwards from a position, its left lower corner. */
    void textUpwards(String text, int x, int y) {
        letters(text, (along, down) -> fill(x + down, y - along - letterScale + 1, letterScale, letterScale, BLACK));
    }

    /** Draws a point of a text, given the distances along the text and down from its upper edge, in pixels. */
    private interface PointDrawer {
        void draw(int along, int down);
    }

    private void letters(String text, PointDrawer drawer) {
        for (int i = 0; i < text.length(); i++) {
            for (int row = 0; row < PixelFont.HEIGHT; row++) {
                for (int column = 0; column < PixelFont.WIDTH; column++) {
                    if (PixelFont.isSet(text.charAt(i), column, row)) {
                        drawer.draw((i * PixelFont.ADVANCE + column) * letterScale, row * letterScale);
                    }
                }
            }
        }
    }

    void writeTo(OutputStream out) throws IOException {
        int height = pixels.length / width;
        byte[] row = new byte[PIXEL_BYTES * width];
        try (PngWriter png = PngWriter.to(out, width, height, PngWriter.Samples.RGBA, Byte.SIZE)) {
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    int colour = pixels[y * width + x];
                    row[PIXEL_BYTES * x] = (byte) (colour >> 16);
                    row[PIXEL_BYTES * x + 1] = (byte) (colour >> 8);
                    row[PIXEL_BYTES * x + 2] = (byte) colour;
                    row[PIXEL_BYTES * x + 3] = (byte) (colour >> 24);
                }
                png.row(row, 0);
            }
            png.end();
        }
    }
}
