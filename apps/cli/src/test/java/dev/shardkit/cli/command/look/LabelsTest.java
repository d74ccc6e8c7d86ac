package dev.shardkit.cli.command.look;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cf.geo.AffineTransform;
import dev.shardkit.cf.geo.Crs;
import dev.shardkit.cf.geo.Georeference;
import dev.shardkit.cf.geo.Overviews;
import dev.shardkit.cli.Cli;
import dev.shardkit.spi.json.Json;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Elements by labels of coordinates, and physical values, on the command line. */
class LabelsTest {
    @TempDir
    Path folder;

    private String location;

    /** t(time, lat, lon) holds 100 * time + 10 * lat + lon, stored as tenths above 273. The last one is missing. */
    @BeforeEach
    void create() {
        location = folder.resolve("data.zarr").toString();
        try (ZarrGroup group = Zarr.createGroup(location, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            write(group, "time", new int[] {0, 24, 744}, Map.of("units", "hours since 2020-03-01"), "time");
            write(group, "lat", new int[] {60, 50, 40, 30}, Map.of("units", "degrees_north"), "lat");
            write(group, "lon", new int[] {0, 90, 180, 270, 350}, Map.of("units", "degrees_east"), "lon");
            int[] stored = new int[60];
            for (int i = 0; i < stored.length; i++) {
                stored[i] = 10 * (100 * (i / 20) + 10 * (i / 5 % 4) + i % 5);
            }
            stored[59] = -1;
            write(
                    group,
                    "t",
                    stored,
                    Map.of("units", "K", "scale_factor", 0.1, "add_offset", 273, "_FillValue", -1),
                    "time",
                    "lat",
                    "lon");
        }
    }

    private static void write(ZarrGroup group, String name, int[] values, Map<String, ?> attributes, String... names) {
        long[] shape = names.length == 1 ? new long[] {values.length} : new long[] {3, 4, 5};
        ZarrArray array = group.createArray(
                name,
                ArraySpec.of("int32", shape).withDimensionNames(names).withAttributes(Json.of(attributes)),
                IfExists.REFUSE);
        array.write(array.domain(), values, 0);
    }

    private String read(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "read";
        arguments[1] = location + "/t";
        System.arraycopy(options, 0, arguments, 2, options.length);
        return Cli.run(arguments).out();
    }

    @Test
    void labels_selectElements() {
        assertEquals("1120\n", read("--sel", "time=2020-03-02T00:00,lat=50,lon=180"));
        assertEquals("1120\n", read("--sel", "time=2020-03-02", "--sel", "lat=50", "--sel", "lon=180"));
        assertEquals("1120\n", read("--sel", "time=2020-03-02T03:00,lat=52.5,lon=200", "--method", "nearest"));
        assertEquals("1110\n", read("--sel", "time=2020-03-02T03:00,lat=52.5,lon=170", "--method", "before"));
        assertEquals("1030\n", read("--sel", "time=2020-03-02,lat=60,lon=-90", "--cyclic", "lon"));
    }

    /** A double has no odd numbers beyond 2^53, and would find the label before. */
    @Test
    void integerLabels_areNotRounded() {
        String cells = folder.resolve("cells.zarr").toString();
        try (ZarrGroup group = Zarr.createGroup(cells, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            ArraySpec spec = ArraySpec.of("int64", 3).withDimensionNames("cell");
            long[] ids = {1L << 53, (1L << 53) + 1, (1L << 53) + 2};
            ZarrArray labels = group.createArray("cell", spec, IfExists.REFUSE);
            labels.write(labels.domain(), ids, 0);
            ZarrArray values = group.createArray("v", spec, IfExists.REFUSE);
            values.write(values.domain(), new long[] {5, 6, 7}, 0);
        }
        assertEquals(
                "6\n",
                Cli.run("read", cells + "/v", "--sel", "cell=9007199254740993").out());
        assertEquals(
                "6\n7\n",
                Cli.run("read", cells + "/v", "--sel", "cell=9007199254740993..9007199254740999")
                        .out());
    }

    @Test
    void rangesAndPeriods_keepTheirDimension() {
        assertEquals("[0, 1000]\n", read("--sel", "time=2020-03,lat=60,lon=0", "--format", "json"));
        assertEquals("[2000]\n", read("--sel", "time=2020-04,lat=60,lon=0", "--format", "json"));
        assertEquals("[]\n", read("--sel", "time=2021,lat=60,lon=0", "--format", "json"));
        assertEquals(
                "[[1100, 1110],\n [1200, 1210]]\n",
                read("--sel", "time=2020-03-02T00:00,lat=40..50,lon=0..90", "--format", "json"));
        assertEquals("2000\n", read("--sel", "time=2020-03-03..2020-05,lat=60,lon=0"));
        assertEquals("1040\n", read("--sel", "time=2020-03-02,lat=60", "--region", "lon=4"));
    }

    @Test
    void physicalValues_areScaledAndHaveNoMissingNumbers() throws Exception {
        assertEquals("385.0\n", read("--sel", "time=2020-03-02,lat=50,lon=180", "--physical"));
        assertEquals(
                "[[506.0, null]]\n",
                read("--sel", "time=2020-04,lat=30,lon=270..350", "--physical", "--format", "json"));
        assertEquals("NaN\n", read("--sel", "time=2020-04,lat=30,lon=350", "--physical"));
        Cli.Result times = Cli.run("read", location + "/time", "--physical");
        assertEquals("2020-03-01T00:00:00\n2020-03-02T00:00:00\n2020-04-01T00:00:00\n", times.out());
        Path raw = folder.resolve("raw");
        read("--sel", "time=2020-04,lat=30,lon=270..350", "--physical", "--format", "raw", "-o", raw.toString());
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(raw)).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(16, bytes.remaining());
        assertEquals(506, bytes.getDouble(0), 1e-9);
        assertTrue(Double.isNaN(bytes.getDouble(8)));
    }

    /** The picture of five longitudes and four latitudes has the scale of the longer side; see FigureTest. */
    @Test
    void preview_drawsPhysicalValuesWithTheirCoordinates() throws Exception {
        String file = folder.resolve("t.png").toString();
        Cli.good(
                "preview",
                location + "/t",
                "--physical",
                "--sel",
                "time=2020-03-02T00:00",
                "--size",
                "100",
                "-o",
                file);
        BufferedImage plain = ImageIO.read(Path.of(file).toFile());
        assertTrue(plain.getWidth() > 100 && plain.getHeight() > 80, plain.toString());
        Cli.good(
                "preview",
                location + "/t",
                "--physical",
                "--sel",
                "time=2020-03-02T00:00,lat=30..50",
                "--size",
                "100",
                "-o",
                file);
        assertEquals(
                plain.getHeight() - 20, ImageIO.read(Path.of(file).toFile()).getHeight(), "three of four rows");
        Cli.bad(2, "--physical", "preview", location + "/t", "--sel", "lat=30", "-o", file);
        Cli.bad(2, "--region", "preview", location + "/t", "--physical", "--region", "0,:,:", "-o", file);
        Cli.bad(2, "64 to 4096", "preview", location + "/t", "--physical", "--size", "5000", "-o", file);
        Cli.bad(2, "no label", "preview", location + "/t", "--physical", "--sel", "lat=31", "-o", file);
    }

    @Test
    void elementsOfOtherKinds_areAsStored() {
        try (ZarrGroup group = Zarr.openGroup(location);
                ZarrArray array =
                        group.createArray("z", ArraySpec.of("complex64", 2).withDimensionNames("x"), IfExists.REFUSE)) {
            array.write(array.domain(), new float[] {1, 2, 3, 4}, 0);
        }
        String stored = Cli.good("read", location + "/z").out();
        assertTrue(stored.contains("3"), stored);
        assertEquals(stored, Cli.good("read", location + "/z", "--physical").out());
    }

    @Test
    void longDimensionThatIsNotSelected_takesNoMemory() {
        try (ZarrGroup group = Zarr.openGroup(location)) {
            ArraySpec spec = ArraySpec.of("int8", 1L << 40, 4)
                    .withChunkShape(1 << 20, 4)
                    .withDimensionNames("step", "lat")
                    .withFillValue(3);
            group.createArray("long", spec, IfExists.REFUSE).close();
        }
        assertEquals(
                "3\n",
                Cli.good("read", location + "/long", "--sel", "lat=50", "--region", "step=7")
                        .out());
    }

    @Test
    void coordinates_areATableOfDimensions() {
        assertEquals("""
                dimensions
                  lat   4  60 to 30                                    step -10  degrees_north
                  lon   5  0 to 350                                              degrees_east
                  time  3  2020-03-01T00:00:00 to 2020-04-01T00:00:00            hours since 2020-03-01
                variables
                  t  (time, lat, lon)  int32  K
                """, Cli.good("info", "-c", location).out().replaceFirst("(?s).*(?=dimensions\\n)", ""));
        assertEquals(
                "\"2020-04-01T00:00:00\"",
                Cli.good("info", "--json", "--coordinates", location)
                        .object()
                        .get("dataset")
                        .map(d -> ((Json.Arr) ((Json.Obj) d).get("dimensions").orElseThrow())
                                .items()
                                .get(2))
                        .flatMap(time -> ((Json.Obj) time).get("last"))
                        .orElseThrow()
                        .toString());
    }

    @Test
    void wrongLabels_areRefused_andSayWhatThereIs() {
        assertRefused("no label matches 51", "--sel", "lat=51");
        assertRefused("expected a number as label of lat", "--sel", "lat=north");
        assertRefused("expected a date and time such as", "--sel", "time=March");
        assertRefused("one of the coordinates time, lat, lon, found depth", "--sel", "depth=3");
        assertRefused("expected a coordinate and a label such as", "--sel", "lat");
        assertRefused("give --sel, too", "--method", "nearest");
        assertRefused("both select a part of the dimension lat", "--sel", "lat=50", "--region", "lat=0");
        Cli.Result alone = Cli.run("read", location, "--sel", "lat=50");
        assertTrue(alone.err().contains("group"), alone.err());
    }

    private void assertRefused(String expected, String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "read";
        arguments[1] = location + "/t";
        System.arraycopy(options, 0, arguments, 2, options.length);
        Cli.Result result = Cli.run(arguments);
        assertTrue(result.err().contains(expected), result.err());
        assertEquals("", result.out());
    }

    @Test
    void head_printsTheFirstElementsOfASelection() {
        String t = location + "/t";
        assertEquals(
                "first [1, 2, 2] of [3, 4, 5]\n273.0 274.0\n283.0 284.0\n",
                withoutFirstLine(Cli.run("head", t, "-n", "2", "--physical").out()));
        assertEquals(
                "first [2, 3] of [2, 5]\n 100  110  120\n1100 1110 1120\n",
                withoutFirstLine(Cli.run("head", t, "-n", "3", "--sel", "lat=50", "--region", "time=0:2")
                        .out()));
        assertEquals(
                "[506.0, null]\n",
                Cli.run("head", t, "--json", "--physical", "--sel", "time=2020-04-01T00:00,lat=30,lon=270..350")
                        .out());
        assertEquals(
                "first [3] of [3]\n2020-03-01T00:00:00 2020-03-02T00:00:00 2020-04-01T00:00:00\n",
                withoutFirstLine(
                        Cli.run("head", location + "/time", "--physical").out()));
    }

    @Test
    void stats_areThoseOfPhysicalValues() {
        String t = location + "/t";
        Json.Obj all = Cli.good("stats", t, "--physical", "--json").object();
        assertEquals("60", all.get("elements").orElseThrow().toString());
        assertEquals("1", all.get("missing").orElseThrow().toString());
        assertEquals("\"K\"", all.get("units").orElseThrow().toString());
        assertEquals("273.0", all.get("min").orElseThrow().toString());
        assertEquals("506.0", all.get("max").orElseThrow().toString());
        String some = Cli.good("stats", t, "--physical", "--sel", "time=2020-03,lat=50,lon=0..90")
                .out();
        assertTrue(
                some.startsWith("elements     4\nmissing      0 (0.0 %)\nunits        K\nmin          283.0\nmax "
                        + "         384.0\nmean         333.5\n"),
                some);
        String times = Cli.good("stats", location + "/time", "--physical").out();
        assertEquals(
                "elements     3\nmissing      0 (0.0 %)\nmin          2020-03-01T00:00:00\nmax          "
                        + "2020-04-01T00:00:00\n",
                times);
        assertTrue(Cli.run("stats", t, "--sel", "lat=50").err().contains("give --physical, too"));
        assertTrue(Cli.run("stats", t, "--physical", "--skip", "none").err().contains("cannot be used"));
        try (ZarrArray array = Zarr.openArray(t)) {
            array.replaceAttributes(array.attributes().with("valid_min", Json.of(5)))
                    .close();
        }
        assertTrue(Cli.run("stats", t, "--physical").err().contains("valid_min not applied"));
    }

    @Test
    void export_writesLabelsAndPhysicalValues() throws Exception {
        Path file = folder.resolve("t.csv");
        Cli.good(
                "export",
                location + "/t",
                "--physical",
                "--sel",
                "time=2020-04,lat=30..40,lon=270..350",
                "-o",
                file.toString());
        assertEquals("""
                time,lat,lon,t
                2020-04-01T00:00:00,40,270,496.0
                2020-04-01T00:00:00,40,350,497.0
                2020-04-01T00:00:00,30,270,506.0
                2020-04-01T00:00:00,30,350,
                """, Files.readString(file));
        assertEquals(
                "lat [degrees_north],time,lon [degrees_east],t [K]\n50,2020-03-01T00:00:00,90,284.0\n",
                Cli.good(
                                "export",
                                location + "/t",
                                "--physical",
                                "--units",
                                "--format",
                                "csv",
                                "-o",
                                "-",
                                "--sel",
                                "time=2020-03-01T00:00,lon=90,lat=50..50")
                        .out());
        assertTrue(Cli.run("export", location + "/t", "-o", "t.npy", "--physical")
                .err()
                .contains("CSV"));
        assertTrue(Cli.run("export", location + "/t", "-o", "t.csv", "--units")
                .err()
                .contains("give --physical"));
    }

    private static String withoutFirstLine(String text) {
        return text.substring(text.indexOf('\n') + 1);
    }

    private void column(Json type, Map<String, ?> attributes, Object values) {
        try (ZarrGroup group = Zarr.openGroup(location)) {
            ArraySpec spec = ArraySpec.of(type, 2).withDimensionNames("row").withAttributes(Json.of(attributes));
            ZarrArray array = group.createArray("column", spec, IfExists.OVERWRITE);
            array.write(array.domain(), values, 0);
        }
    }

    private Cli.Result exportColumn() {
        return Cli.run("export", location + "/column", "--physical", "--format", "csv", "-o", "-");
    }

    @Test
    void export_refusesElementsThatAreNotDecoded() {
        column(Json.of("complex64"), Map.of(), new float[] {1, 2, 3, 4});
        Cli.Result refused = exportColumn();
        assertTrue(refused.err().contains("in the column column of a table, found complex64"), refused.err());
        assertEquals("", refused.out());
    }

    @Test
    void export_leavesTimeSpansWithoutAValueEmpty() {
        column(Json.of("int64"), Map.of("units", "days", "dtype", "timedelta64[ns]"), new long[] {Long.MIN_VALUE, 2});
        assertEquals("row,column\n0,\n1,PT48H\n", exportColumn().out());
    }

    @Test
    void stats_haveTheMomentsOfFloat32() {
        column(Json.of("float32"), Map.of("units", "days since 2000-01-01"), new float[] {0.1f, 1});
        String first = "2000-01-01T02:24:00.000128746";
        assertTrue(exportColumn().out().contains(first), exportColumn().out());
        String stats = Cli.good("stats", location + "/column", "--physical").out();
        assertTrue(stats.contains("min          " + first), stats);
    }

    @Test
    void stats_countTextsOfCharacters() {
        Json character = Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(1)));
        try (ZarrGroup group = Zarr.openGroup(location)) {
            ArraySpec spec = ArraySpec.of(character, 5, 4).withDimensionNames("station", "letter");
            group.createArray("name", spec, IfExists.REFUSE);
        }
        String part = Cli.run("stats", location + "/name", "--physical", "--region", "1:3,:")
                .out();
        assertTrue(part.startsWith("elements     2\n"), part);
    }

    @Test
    void info_saysWhereAGridLies() {
        String t = location + "/t";
        Georeference georeference =
                Georeference.of(Crs.ofCode("EPSG:4326"), "lat", "lon", new AffineTransform(90, 0, -45, 0, -10, 65));
        try (ZarrArray array = Zarr.openArray(t)) {
            array.replaceAttributes(georeference.writeTo(array.attributes())).close();
        }
        String lines = Cli.run("info", t).out();
        assertTrue(lines.contains("reference system     EPSG:4326\n"), lines);
        assertTrue(lines.contains("bounding box         x -45.0 to 405.0, y 25.0 to 65.0\n"), lines);
        try (ZarrGroup group = Zarr.openGroup(location)) {
            Overviews overviews = new Overviews(
                    List.of(new Overviews.Level(
                            "t", Optional.empty(), List.of(), List.of(), Optional.empty(), georeference)),
                    Optional.empty(),
                    List.of());
            group.replaceAttributes(overviews.writeTo(georeference.writeTo(Json.object())))
                    .close();
        }
        String ofGroup = Cli.run("info", location).out();
        assertTrue(ofGroup.contains("overviews            [\"t\"]\n"), ofGroup);
        assertTrue(ofGroup.contains("reference system     EPSG:4326\n"), ofGroup);
        try (ZarrArray array = Zarr.openArray(t)) {
            array.replaceAttributes(array.attributes().with("spatial:transform", Json.of(7)))
                    .close();
        }
        String withRemark = Cli.run("info", t).out();
        assertTrue(withRemark.contains("spatial:transform is ignored: expected 6 numbers, found 7"), withRemark);
    }
}
