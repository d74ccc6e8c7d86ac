package dev.shardkit.pictures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.awt.Point;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures of variables: pixels, ticks and texts of the decoded PNG. */
class FigureTest {
    /** The scale of letters for pictures of the default size. */
    private static final int SCALE = 2;

    private final ZarrGroup group =
            Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());

    private void write(
            String name, String type, Object values, long[] shape, Map<String, ?> attributes, String... names) {
        ZarrArray array = group.createArray(
                name,
                ArraySpec.of(type, shape).withDimensionNames(names).withAttributes(Json.of(attributes)),
                IfExists.OVERWRITE);
        array.write(array.domain(), values, 0);
    }

    private CfSelection select(String name) {
        return CfDataset.of(group).variable(name).select();
    }

    /** The pixels of a decoded image: opacity, red, green and blue. */
    private record Picture(int width, int height, int[] pixels) {
        int colour(int x, int y) {
            return pixels[y * width + x];
        }
    }

    private static Picture draw(Figure figure) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        figure.write(out);
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(out.toByteArray()));
        int width = image.getWidth();
        return new Picture(width, image.getHeight(), image.getRGB(0, 0, width, image.getHeight(), null, 0, width));
    }

    private static boolean isBlack(Picture image, int x, int y) {
        return image.colour(x, y) == 0xff000000;
    }

    /** Returns the left upper corners of a text that stands alone, from top to bottom. */
    private static List<Point> find(Picture image, String text) {
        List<Point> found = new ArrayList<>();
        int[] first = IntStream.range(0, PixelFont.WIDTH * PixelFont.HEIGHT)
                .filter(i -> PixelFont.isSet(text.charAt(0), i % PixelFont.WIDTH, i / PixelFont.WIDTH))
                .mapToObj(i -> new int[] {i % PixelFont.WIDTH * SCALE, i / PixelFont.WIDTH * SCALE})
                .findFirst()
                .orElseThrow();
        for (int y = 0; y + PixelFont.HEIGHT * SCALE <= image.height(); y++) {
            for (int x = 0; x + PixelFont.width(text) * SCALE <= image.width(); x++) {
                if (isBlack(image, x + first[0], y + first[1])
                        && isText(image, text, x, y)
                        && standsAlone(image, x, y, PixelFont.width(text) * SCALE)) {
                    found.add(new Point(x, y));
                }
            }
        }
        return found;
    }

    private static boolean isText(Picture image, String text, int left, int top) {
        for (int i = 0; i < text.length(); i++) {
            for (int row = 0; row < PixelFont.HEIGHT * SCALE; row++) {
                for (int column = 0; column < PixelFont.WIDTH * SCALE; column++) {
                    int x = left + i * PixelFont.ADVANCE * SCALE + column;
                    boolean isSet = PixelFont.isSet(text.charAt(i), column / SCALE, row / SCALE);
                    if (isBlack(image, x, top + row) != isSet) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Returns whether no letter is beside a text. */
    private static boolean standsAlone(Picture image, int left, int top, int width) {
        int beside = 3 * SCALE;
        for (int y = top; y < top + PixelFont.HEIGHT * SCALE; y++) {
            for (int i = 1; i <= beside; i++) {
                boolean isLeft = left >= i && isBlack(image, left - i, y);
                boolean isRight = left + width + i <= image.width() && isBlack(image, left + width - 1 + i, y);
                if (isLeft || isRight) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Point one(Picture image, String text) {
        List<Point> found = find(image, text);
        assertEquals(1, found.size(), text + " is at " + found);
        return found.get(0);
    }

    /** Returns the row of the tick to the right of a label, and checks that the tick is there. */
    private static int rowOfTick(Picture image, String label) {
        Point at = one(image, label);
        int y = at.y + PixelFont.CAPITAL_HEIGHT * SCALE / 2;
        int x = at.x + PixelFont.width(label) * SCALE + 4 * SCALE;
        assertTrue(isBlack(image, x, y) && !isBlack(image, x, y - 1) && !isBlack(image, x, y + 1), label);
        return y;
    }

    /** Returns the column of the tick above a label, and checks that the tick is there. */
    private static int columnOfTick(Picture image, String label) {
        Point at = one(image, label);
        int x = at.x + PixelFont.width(label) * SCALE / 2;
        int y = at.y - 4 * SCALE - 1;
        assertTrue(isBlack(image, x, y) && !isBlack(image, x - 1, y) && !isBlack(image, x + 1, y), label);
        return x;
    }

    private static void assertMiddleOfCell(Picture image, int x, int y) {
        int colour = image.colour(x, y);
        assertEquals(extent(image, x, y, -1, 0, colour), extent(image, x, y, 1, 0, colour), 1, "across");
        assertEquals(extent(image, x, y, 0, -1, colour), extent(image, x, y, 0, 1, colour), 1, "down");
    }

    private static int extent(Picture image, int x, int y, int dx, int dy, int colour) {
        int length = 0;
        while (image.colour(x + length * dx, y + length * dy) == colour) {
            length++;
        }
        return length;
    }

    private static int colour(String map, double value, double black, double white) {
        Colours colours = Colours.named(map).orElseThrow();
        int index = colours.of(value, black, white) & 0xff;
        byte[] palette = colours.palette();
        return 0xff000000
                | (palette[3 * index] & 0xff) << 16
                | (palette[3 * index + 1] & 0xff) << 8
                | palette[3 * index + 2] & 0xff;
    }

    /** t(time, lat, lon) in tenths of kelvin: 270 + 10 * time + 3 * lat + lon by indices; the last one is missing. */
    private void temperatures() {
        write("time", "int32", new int[] {0, 6}, new long[] {2}, Map.of("units", "hours since 2020-03-01"), "time");
        write(
                "lat",
                "float64",
                new double[] {30, 40, 60},
                new long[] {3},
                Map.of("units", "degrees_north", "standard_name", "latitude"),
                "lat");
        write("lon", "int16", new short[] {-10, 0, 10}, new long[] {3}, Map.of("units", "degrees_east"), "lon");
        short[] tenths = new short[18];
        for (int i = 0; i < 18; i++) {
            tenths[i] = (short) (i == 17 ? -1 : 100 * (i / 9) + i % 9 * 10);
        }
        Map<String, ?> packed = Map.of(
                "scale_factor", 0.1, "add_offset", 270.0, "_FillValue", -1, "units", "K", "long_name", "air (2 m)");
        write("t", "int16", tenths, new long[] {2, 3, 3}, packed, "time", "lat", "lon");
    }

    @Test
    void picture_hasLabelsUnitsAndPhysicalValues_northUp() throws IOException {
        temperatures();
        Picture image = draw(Figure.of(select("t").at("time", "2020-03-01T06:00")));
        one(image, "air (2 m) [K]");
        one(image, "time 2020-03-01T06:00:00");
        one(image, "lon [degrees_east]");
        int west = columnOfTick(image, "-10");
        int middle = columnOfTick(image, "0");
        int east = columnOfTick(image, "10");
        int south = rowOfTick(image, "30");
        int north = rowOfTick(image, "60");
        assertTrue(north < south && west < middle && middle < east);
        for (int x : new int[] {west, middle, east}) {
            assertMiddleOfCell(image, x, south);
        }
        assertMiddleOfCell(image, west, north);
        // the values of the second time are 280 to 287, and 288 is missing
        assertEquals(colour("viridis", 280, 280, 287), image.colour(west, south));
        assertEquals(colour("viridis", 282, 280, 287), image.colour(east, south));
        assertEquals(colour("viridis", 286, 280, 287), image.colour(west, north));
        assertEquals(0, image.colour(east, north) >>> 24, "the missing element is transparent");
        // latitudes are not equally far apart: 50 lies between the elements of 40 and 60
        int cell = (south - north) / 2;
        assertEquals(south - cell, rowOfTick(image, "40"), 1);
        assertEquals(south - cell - cell / 2, rowOfTick(image, "50"), 1);
    }

    @Test
    void bar_hasTheColoursOfItsNumbers() throws IOException {
        temperatures();
        Picture image = draw(Figure.of(select("t").index("time", 1)).withColours("magma"));
        for (int number = 280; number <= 287; number++) {
            Point at = one(image, String.valueOf(number));
            int y = at.y + PixelFont.CAPITAL_HEIGHT * SCALE / 2;
            int x = at.x - 8 * SCALE;
            while (isBlack(image, x, y)) { // the tick and the border
                x--;
            }
            int difference = difference(colour("magma", number, 280, 287), image.colour(x, y));
            assertTrue(difference <= 4, number + " differs by " + difference);
        }
    }

    private static int difference(int a, int b) {
        return IntStream.of(0, 8, 16)
                .map(shift -> Math.abs((a >> shift & 0xff) - (b >> shift & 0xff)))
                .max()
                .orElseThrow();
    }

    @Test
    void orderOfTheArray_doesNotMatter() throws IOException {
        temperatures();
        Picture image = draw(Figure.of(select("t").index("time", 0)));
        // from north to south and from east to west, stored by longitude
        write("lat", "float64", new double[] {60, 40, 30}, new long[] {3}, Map.of("units", "degrees_north"), "lat");
        write("lon", "int16", new short[] {10, 0, -10}, new long[] {3}, Map.of("units", "degrees_east"), "lon");
        short[] tenths = new short[9];
        for (int i = 0; i < 9; i++) {
            int lat = 2 - i % 3;
            int lon = 2 - i / 3;
            tenths[i] = (short) (10 * (3 * lat + lon));
        }
        Map<String, ?> packed =
                Map.of("scale_factor", 0.1, "add_offset", 270.0, "units", "K", "long_name", "air (2 m)");
        write("t", "int16", tenths, new long[] {3, 3}, packed, "lon", "lat");
        Picture turned = draw(Figure.of(select("t")));
        int top = one(image, "60").y;
        for (String label : List.of("60", "50", "40", "30")) {
            assertEquals(rowOfTick(image, label) - top, rowOfTick(turned, label) - one(turned, "60").y, label);
        }
        for (String latitude : List.of("60", "40", "30")) {
            for (String longitude : List.of("-10", "0", "10")) {
                assertEquals(
                        image.colour(columnOfTick(image, longitude), rowOfTick(image, latitude)),
                        turned.colour(columnOfTick(turned, longitude), rowOfTick(turned, latitude)),
                        latitude + " " + longitude);
            }
        }
    }

    @Test
    void depth_increasesDownwards_andNamesWithoutLabelsHaveIndices() throws IOException {
        write("depth", "int32", new int[] {5, 10}, new long[] {2}, Map.of("units", "m", "positive", "down"), "depth");
        write("salt", "float32", new float[] {33, 33, 44, 44}, new long[] {2, 2}, Map.of(), "depth", "x");
        Picture image = draw(Figure.of(select("salt")).withColours("gray"));
        int upper = rowOfTick(image, "5");
        assertTrue(upper < rowOfTick(image, "10"));
        int x = columnOfTick(image, "0");
        assertTrue(x < columnOfTick(image, "1"));
        assertEquals(0xff000000, image.colour(x, upper));
        one(image, "salt");
        one(image, "x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"viridis", "labels"})
    void codes_haveALegend(String colours) throws IOException {
        Map<String, ?> codes = Map.of("flag_values", List.of(1, 5, 9), "flag_meanings", "sea land ice");
        write("kind", "int8", new byte[] {1, 5, 9, 3}, new long[] {2, 2}, codes, "y", "x");
        write("x", "int8", new byte[] {7, 8}, new long[] {2}, Map.of(), "x");
        Picture image = draw(Figure.of(select("kind")).withColours(colours));
        int row = rowOfTick(image, "0");
        assertEquals(0xff, legend(image, "sea") >>> 24, "the first meaning is no missing element");
        assertEquals(legend(image, "sea"), image.colour(columnOfTick(image, "7"), row));
        assertEquals(legend(image, "land"), image.colour(columnOfTick(image, "8"), row));
        assertEquals(legend(image, "ice"), image.colour(columnOfTick(image, "7"), rowOfTick(image, "1")));
        assertEquals(
                0, image.colour(columnOfTick(image, "8"), rowOfTick(image, "1")) >>> 24, "a number without a meaning");
    }

    /** Returns the colour of the box beside a meaning. */
    private static int legend(Picture image, String meaning) {
        Point at = one(image, meaning);
        return image.colour(at.x - 8 * SCALE - 4, at.y + PixelFont.CAPITAL_HEIGHT * SCALE / 2);
    }

    /** A title may be longer than its side: the text stands alone at the left edge, from bottom to top. */
    @Test
    void titleOfALowPlane_isWhole() throws IOException {
        write("pressure", "int32", new int[] {1}, new long[] {1}, Map.of("units", "hPa"), "pressure");
        write("x", "float32", new float[4], new long[] {1, 4}, Map.of(), "pressure", "x");
        Picture picture = draw(Figure.of(select("x")));
        Picture turned = turned(picture);
        assertEquals(1, find(turned, "pressure [hPa]").size(), picture.width() + " x " + picture.height());
    }

    /** Returns a picture turned clockwise by a quarter. */
    private static Picture turned(Picture picture) {
        int[] pixels = new int[picture.pixels().length];
        for (int y = 0; y < picture.width(); y++) {
            for (int x = 0; x < picture.height(); x++) {
                pixels[y * picture.height() + x] = picture.colour(y, picture.height() - 1 - x);
            }
        }
        return new Picture(picture.height(), picture.width(), pixels);
    }

    @Test
    void times_areLabels_andLongRowsAreWidened() throws IOException {
        int count = 1000;
        write(
                "time",
                "int32",
                IntStream.range(0, count).map(i -> 24 * i).toArray(),
                new long[] {count},
                Map.of("units", "hours since 2020-01-01"),
                "time");
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = i;
        }
        write("level", "float32", values, new long[] {count}, Map.of("units", "m"), "time");
        Picture image = draw(Figure.of(select("level")).withColours("gray"));
        int first = columnOfTick(image, "2020-01-01");
        int y = one(image, "2020-01-01").y - 6 * SCALE - 10;
        assertEquals(0, image.colour(first, y) & 0xff);
        assertEquals(0xff, image.colour(first + 499, y) & 0xff);
        assertTrue(isBlack(image, first + 500, y), "the border");
        assertTrue(image.height() > 512 / 4, "a row is widened");
    }

    @Test
    void otherElements_areRefused() {
        write("name", "string", new String[] {"a", "b"}, new long[] {2}, Map.of(), "x");
        write("x", "int8", new byte[] {1, 2}, new long[] {2}, Map.of(), "x");
        assertThrows(UnsupportedException.class, () -> draw(Figure.of(select("name"))));
        assertThrows(
                UnsupportedException.class, () -> draw(Figure.of(select("x").index("x", 0))));
        assertThrows(
                UnsupportedException.class, () -> draw(Figure.of(select("x").range("x", 5, 6))));
        Figure figure = Figure.of(select("x"));
        assertThrows(IllegalArgumentException.class, () -> figure.withColours("pink"));
        assertThrows(IllegalArgumentException.class, () -> figure.withSize(1));
    }

    @Test
    void arraysOfClaimedSize_areDrawnFromTheirSamples() throws IOException {
        ArraySpec spec = ArraySpec.of("int8", 1L << 61, 3).withChunkShape(4, 3).withDimensionNames("y", "x");
        group.createArray("huge", spec, IfExists.REFUSE);
        Picture image = draw(Figure.of(select("huge")));
        assertTrue(image.height() > 500 && image.height() < 700, "height " + image.height());
    }

    @Test
    void roundNumbers_areMultiplesOfOneTwoAndFive() {
        assertEquals(
                List.of("-0.1", "-0.05", "0", "0.05", "0.1"),
                RoundNumbers.between(-0.12, 0.13, 6).stream()
                        .map(RoundNumbers::text)
                        .toList());
        assertEquals(
                List.of("1E+9", "2E+9"),
                RoundNumbers.between(5e8, 2.2e9, 3).stream()
                        .map(RoundNumbers::text)
                        .toList());
        assertEquals(1, RoundNumbers.between(7, 7, 5).size());
        assertTrue(RoundNumbers.between(-Double.MAX_VALUE, Double.MAX_VALUE, 5).size() >= 3);
        assertTrue(
                RoundNumbers.between(Double.MIN_VALUE, 3 * Double.MIN_VALUE, 5).size() <= 6);
    }

    @Test
    void letters_areDistinct() {
        List<String> letters = IntStream.rangeClosed('!', '~')
                .mapToObj(letter -> IntStream.range(0, PixelFont.WIDTH * PixelFont.HEIGHT)
                        .mapToObj(i ->
                                PixelFont.isSet((char) letter, i % PixelFont.WIDTH, i / PixelFont.WIDTH) ? "#" : ".")
                        .reduce("", String::concat))
                .toList();
        assertArrayEquals(letters.toArray(), letters.stream().distinct().toArray());
        assertEquals(PixelFont.isSet('?', 2, 6), PixelFont.isSet('\u4e2d', 2, 6));
    }
}
