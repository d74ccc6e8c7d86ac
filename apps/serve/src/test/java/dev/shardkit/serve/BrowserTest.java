package dev.shardkit.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser. Skipped where Debian's chromium and chromium-driver are not installed. */
@Timeout(600)
class BrowserTest {
    /** The file for the picture of the guide. */
    private static final @Nullable String PICTURE = System.getProperty("shardkit.screenshot");
    /** The name of a channel, which is no HTML. */
    private static final String CHANNEL = PICTURE == null ? "<b>GFP" : "GFP";

    private static final String HOSTILE = "<img src=x onerror=document.title='taken'>";

    @TempDir
    Path folder;

    private void level(String name, int size) {
        short[] values = new short[2 * size * size];
        for (int z = 0; z < 2; z++) {
            for (int i = 0; i < size * size; i++) {
                double radius = Math.hypot(i % size + 0.5 - size / 2.0, i / size + 0.5 - size / 2.0) / size;
                double wave = 1000 + 1000 * Math.cos(40 * radius + z);
                values[z * size * size + i] = (short) (radius < 0.45 ? wave * (1 - 2 * radius) : 0);
            }
        }
        ArraySpec spec = ArraySpec.of("uint16", 2, size, size)
                .withShardShape(1, 128, 128)
                .withChunkShape(1, 32, 32)
                .withCodecs(Codecs.zstd(3));
        try (ZarrArray array = Zarr.createArray(folder.resolve(name).toString(), spec)) {
            array.write(array.domain(), values, 0);
        }
    }

    private void store() throws Exception {
        level("fine", 512);
        level("half", 256);
        Zarr.createArray(folder.resolve("text").toString(), ArraySpec.of("string", 3))
                .close();
        Zarr.createArray(
                        folder.resolve(HOSTILE).toString(),
                        ArraySpec.of("uint8", 4).withDimensionNames("<b>bold</b>"))
                .close();
        Files.writeString(
                folder.resolve("zarr.json"),
                "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"multiscales\":[{\"name\":\"<script>\","
                        + "\"datasets\":[{\"path\":\"fine\"},{\"path\":\"half\"}]}]}}");
    }

    @Test
    void page_showsTreePlaneStatisticsAndStorage() throws Exception {
        Optional<Browser> found = Browser.find();
        if (found.isEmpty()) {
            System.err.println("BrowserTest: chromium and chromium-driver are not installed; skipped");
        }
        assumeTrue(found.isPresent(), "no Chromium");
        store();
        try (Browser browser = found.get();
                FileStore files = FileStore.at(folder);
                DataServer server = DataServer.start(files, ServerOptions.defaults())) {
            browser.visit(server.url());
            assertTrue(browser.run("return location.pathname").toString().contains("/__view/"));
            browser.await("document.getElementById('image').textContent.includes('2 levels')"
                    + " && document.getElementById('image').textContent.includes('Shape2, 512, 512')");
            showsPyramid(browser);
            showsStorage(browser);
            zoomsToTheCoarseLevel(browser);
            showsHostileNames(browser);
            choose(browser, "text");
            browser.await("document.getElementById('message').textContent.includes('string')");
            assertEquals(
                    "[]",
                    browser.run("return performance.getEntriesByType('resource').map(e => e.name)"
                                    + ".filter(u => !u.startsWith(location.origin))")
                            .toString(),
                    "the page loads nothing from elsewhere");
        }
    }

    /** An image of two channels with pixels of half a micrometer and labels: a disc of label 3 in its middle. */
    private void image() throws Exception {
        String image = "image.zarr";
        byte[] pixels = new byte[2 * 256 * 256];
        for (int i = 0; i < 256 * 256; i++) {
            double radius = Math.hypot(i % 256 - 127.5, i / 256 - 127.5) / 256;
            pixels[i] = (byte) (radius < 0.45 ? 127 * (1 + Math.cos(40 * radius)) * (1 - 2 * radius) : 0);
        }
        try (ZarrArray array = Zarr.createArray(
                folder.resolve(image + "/0").toString(),
                ArraySpec.of("uint8", 2, 256, 256).withChunkShape(1, 128, 128))) {
            array.write(array.domain(), pixels, 0);
        }
        byte[] values = new byte[256 * 256];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) (Math.hypot(i % 256 - 128, i / 256 - 128) < 60 ? 3 : 0);
        }
        try (ZarrArray array = Zarr.createArray(
                folder.resolve(image + "/labels/cells/0").toString(),
                ArraySpec.of("uint8", 256, 256).withChunkShape(128, 128))) {
            array.write(array.domain(), values, 0);
        }
        group(
                image,
                multiscales("c,y,x", "1,0.5,0.5")
                        + ",\"omero\":{\"channels\":[{\"label\":\"DAPI\",\"color\":\"0000FF\"},"
                        + "{\"label\":\"" + CHANNEL + "\",\"color\":\"url(x)\"}]}");
        group(image + "/labels", "\"labels\":[\"cells\"]");
        group(image + "/labels/cells", multiscales("y,x", "0.5,0.5") + ",\"image-label\":{}");
        Files.createDirectories(folder.resolve("plain/below"));
    }

    private static String multiscales(String axes, String scale) {
        StringBuilder list = new StringBuilder();
        for (String name : axes.split(",")) {
            list.append(list.isEmpty() ? "" : ",")
                    .append("{\"name\":\"" + name + "\"")
                    .append(name.equals("c") ? "}" : ",\"type\":\"space\",\"unit\":\"micrometer\"}");
        }
        return "\"multiscales\":[{\"axes\":[" + list + "],\"datasets\":[{\"path\":\"0\","
                + "\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[" + scale + "]}]}]}]";
    }

    private void group(String path, String ome) throws Exception {
        Files.createDirectories(folder.resolve(path));
        Files.writeString(
                folder.resolve(path).resolve("zarr.json"),
                "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"version\":\"0.5\"," + ome
                        + "}}}");
    }

    @Test
    void page_showsAnImageWithLabelsKindsAndLinks() throws Exception {
        Optional<Browser> found = Browser.find();
        assumeTrue(found.isPresent(), "no Chromium");
        group("", "\"bioformats2raw.layout\":3");
        image();
        level("fine", 64);
        try (Browser browser = found.get();
                FileStore files = FileStore.at(folder);
                DataServer server = DataServer.start(files, ServerOptions.defaults())) {
            browser.visit(URI.create(server.url() + "__view/#image.zarr"));
            browser.await("document.getElementById('path').textContent === '/image.zarr'");
            showsKinds(browser);
            showsImage(browser);
            choose(browser, "fine");
            assertEquals("\"#fine\"", browser.run("return location.hash").toString());
            browser.await("document.querySelector('#link a').textContent.endsWith('/__view/#fine')");
            showsHistogram(browser);
            browser.run("location.hash = '#image.zarr/labels/cells'");
            browser.await("document.getElementById('path').textContent === '/image.zarr/labels/cells'");
            browser.await("document.querySelectorAll('#controls select')[2]?.value === 'labels'");
            showsDeclaredColours(browser);
        }
    }

    /**
     * A dataset of the CF conventions: t(lat, lon) is 270 K and half a kelvin for each element in C order; the first
     * row is missing. The hemisphere is a code.
     */
    private void field() throws Exception {
        String root = folder.resolve("field.zarr").toString();
        int[] elements = IntStream.range(0, 64 * 64).toArray();
        try (ZarrGroup group = Zarr.createGroup(root, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            short[] stored = new short[elements.length];
            byte[] hemisphere = new byte[elements.length];
            double[] latitudes = new double[64];
            int[] longitudes = new int[64];
            for (int i : elements) {
                stored[i] = (short) (i < 64 ? -1 : i);
                hemisphere[i] = (byte) (i / 64 < 32 ? 1 : 2);
                latitudes[i / 64] = 31.5 - i / 64;
                longitudes[i % 64] = i % 64;
            }
            variable(group, "lat", "float64", latitudes, Map.of("units", "degrees_north"), "lat");
            variable(group, "lon", "int32", longitudes, Map.of("units", "degrees_east"), "lon");
            int[] hours = {6};
            variable(group, "time", "int32", hours, Map.of("units", "hours since 2020-03-01"), "time");
            Map<String, ?> packed = Map.of("units", "K", "scale_factor", 0.5, "add_offset", 270, "_FillValue", -1);
            variable(group, "t", "int16", stored, packed, "time", "lat", "lon");
            Map<String, ?> codes = Map.of("flag_values", List.of(1, 2), "flag_meanings", "north south");
            variable(group, "hemisphere", "int8", hemisphere, codes, "lat", "lon");
        }
    }

    private static void variable(
            ZarrGroup group, String name, String type, Object values, Map<String, ?> attributes, String... names) {
        long[] shape =
                Stream.of(names).mapToLong(each -> each.equals("time") ? 1 : 64).toArray();
        ZarrArray array = group.createArray(
                name,
                ArraySpec.of(type, shape).withDimensionNames(names).withAttributes(Json.of(attributes)),
                IfExists.REFUSE);
        array.write(array.domain(), values, 0);
    }

    /** Moves the mouse over an element of the plane, by its share of the plane's sides; returns the indices. */
    private static int[] pointAt(Browser browser, double across, double down) throws Exception {
        String[] at = text(browser.run("const r = document.getElementById('plane').getBoundingClientRect();"
                        + "const side = Math.min(r.width, r.height); return [r.left + r.width / 2 + side * "
                        + (across - 0.5) + ", r.top + r.height / 2 + side * " + (down - 0.5)
                        + "].map(Math.round).join()"))
                .split(",");
        browser.pointAt(Long.parseLong(at[0]), Long.parseLong(at[1]));
        browser.await("document.getElementById('position').textContent.includes('lat')");
        String position = text(browser.run("return document.getElementById('position').textContent"));
        Matcher indices = Pattern.compile("lon: ([0-9]+), .*lat: ([0-9]+)").matcher(position);
        assertTrue(indices.find(), position);
        return new int[] {Integer.parseInt(indices.group(2)), Integer.parseInt(indices.group(1))};
    }

    private static String text(Json value) {
        return ((Json.Str) value).value();
    }

    @Test
    void page_showsPhysicalValuesLabelsAndUnitsUnderThePointer() throws Exception {
        Optional<Browser> found = Browser.find();
        assumeTrue(found.isPresent(), "no Chromium");
        field();
        try (Browser browser = found.get();
                FileStore files = FileStore.at(folder);
                DataServer server = DataServer.start(files, ServerOptions.defaults())) {
            browser.visit(URI.create(server.url() + "__view/#field.zarr/t"));
            browser.await("document.getElementById('path').textContent === '/field.zarr/t'");
            browser.await(pixel(384, 256) + "[3] === 255");
            Set<Integer> rows = new TreeSet<>();
            for (double down : new double[] {0.2, 0.5, 0.9}) {
                int[] at = pointAt(browser, 0.3, down);
                rows.add(at[0]);
                double value = 270 + 0.5 * (64 * at[0] + at[1]);
                String number = value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
                String expected = "value " + number + " K, time 2020-03-01T06:00:00, lat " + (31.5 - at[0])
                        + " degrees_north, lon " + at[1] + " degrees_east";
                browser.await("document.getElementById('element').textContent === '" + expected + "'");
            }
            assertEquals(3, rows.size(), "rows " + rows);
            assertEquals(0, pointAt(browser, 0.6, 0.005)[0]);
            browser.await("document.getElementById('element').textContent.startsWith('value missing, time ')");
            browser.pointAt(1, 1);
            browser.run("location.hash = '#field.zarr/hemisphere'");
            browser.await("document.getElementById('path').textContent === '/field.zarr/hemisphere'");
            browser.await(pixel(384, 256) + "[3] === 255");
            assertTrue(pointAt(browser, 0.5, 0.9)[0] >= 32);
            browser.await("document.getElementById('element').textContent.startsWith('value 2 (south), lat -')");
        }
    }

    /** Label 3 is declared orange, and labels that are not declared, here 0, are as before. */
    private void showsDeclaredColours(Browser browser) throws Exception {
        group(
                "image.zarr/labels/cells",
                multiscales("y,x", "0.5,0.5")
                        + ",\"image-label\":{\"colors\":[{\"label-value\":3,\"rgba\":[255,128,0,255]}]}");
        browser.run("location.hash = '#image.zarr/labels'");
        browser.await("document.getElementById('path').textContent === '/image.zarr/labels'");
        browser.run("location.hash = '#image.zarr/labels/cells'");
        browser.await(pixel(384, 256) + ".join() === '255,128,0,255'");
        assertEquals("0", browser.run("return " + pixel(140, 256) + "[3]").toString());
        browser.run("location.hash = '#image.zarr'");
        browser.await("document.getElementById('path').textContent === '/image.zarr'");
        browser.await("Math.abs(" + pixel(384, 256) + "[0] - " + pixel(384, 256) + "[2] - 128) < 3");
    }

    private static void showsKinds(Browser browser) throws Exception {
        String kind = "document.querySelector('nav button[data-path=\"%s\"]')?.dataset.kind === '%s'";
        browser.await(kind.formatted("image.zarr", "image"));
        browser.await(kind.formatted("image.zarr/0", "array"));
        browser.await(kind.formatted("image.zarr/labels", "group"));
        browser.await(kind.formatted("fine", "array"));
        assertEquals(
                "3",
                browser.run(
                                "return new Set(['image.zarr', 'image.zarr/0', 'image.zarr/labels'].map(p => getComputedStyle("
                                        + "document.querySelector('nav button[data-path=\"' + p + '\"]'), '::before').content))"
                                        + ".size")
                        .toString(),
                "kinds look different");
    }

    private static void showsImage(Browser browser) throws Exception {
        browser.await("document.getElementById('image').textContent.includes('c 2, y 256, x 256')");
        String facts = browser.run("return document.getElementById('image').textContent")
                .toString();
        for (String fact :
                new String[] {"y 0.5 micrometer, x 0.5 micrometer", "DAPI", CHANNEL, "cells", "1 level", "Shape"}) {
            assertTrue(facts.contains(fact), facts);
        }
        browser.await("document.getElementById('plane').dataset.scaleBar === '20 µm'");
        browser.await("document.querySelector('#sliders output').textContent === '0 (DAPI)'");
        // the plane is 512 pixels of 768: label 3 in the middle is coloured, half transparent over gray
        browser.await("new Set(" + pixel(384, 256) + ".slice(0, 3)).size > 1");
        assertEquals(
                "0,0,0,255",
                browser.run("return [..." + pixel(140, 256) + "].join()")
                        .toString()
                        .replace("\"", ""));
        if (PICTURE != null) {
            Files.write(Path.of(PICTURE), browser.screenshot());
        }
        browser.run("const c = document.querySelectorAll('#controls select')[3]; c.value = -1;"
                + "c.dispatchEvent(new Event('change'))");
        browser.await("new Set(" + pixel(384, 256) + ".slice(0, 3)).size === 1");
    }

    private static void showsHistogram(Browser browser) throws Exception {
        browser.await("document.getElementById('bins').textContent.includes('counts logarithmic')");
        String filled = "return [...document.getElementById('histogram').getContext('2d').getImageData(0, 0, 512, 80)"
                + ".data].filter((v, i) => i % 4 === 3 && v > 0).length";
        long logarithmic = Long.parseLong(browser.run(filled).toString());
        browser.run("const c = document.getElementById('counts'); c.value = 'linear';"
                + "c.dispatchEvent(new Event('change'))");
        browser.await("document.getElementById('bins').textContent.includes('counts linear')");
        assertTrue(Long.parseLong(browser.run(filled).toString()) < logarithmic);
    }

    private static void choose(Browser browser, String path) throws Exception {
        browser.run(
                "[...document.querySelectorAll('nav button')].find(b => b.dataset.path === \"" + path + "\").click()");
        browser.await("document.getElementById('path').textContent === \"/" + path + "\"");
    }

    private static String pixel(int x, int y) {
        return "document.getElementById('plane').getContext('2d').getImageData(" + x + ", " + y + ", 1, 1).data";
    }

    private static void showsPyramid(Browser browser) throws Exception {
        browser.await("document.getElementById('statistics').textContent.startsWith('min 0, max ')");
        assertEquals(
                "2",
                browser.run("return document.querySelectorAll('#sliders input, #sliders output').length")
                        .toString());
        // the plane is 512 elements in the middle of 768 pixels: the centre has a value, the left edge has none
        browser.await(pixel(384, 256) + "[0] > 200");
        assertEquals("0", browser.run("return " + pixel(10, 256) + "[3]").toString());
        browser.run("const z = document.querySelector('#sliders input'); z.value = 1;"
                + "z.dispatchEvent(new Event('input')); z.dispatchEvent(new Event('change'))");
        browser.await("document.querySelector('#sliders output').textContent === '1' && " + pixel(384, 256)
                + "[0] > 100 && " + pixel(384, 256) + "[0] < 250");
        browser.run("const c = document.querySelectorAll('#controls select')[2]; c.value = 'viridis';"
                + "c.dispatchEvent(new Event('change'))");
        browser.await(pixel(384, 256) + "[1] > 1.2 * " + pixel(384, 256) + "[2]");
    }

    private static void zoomsToTheCoarseLevel(Browser browser) throws Exception {
        browser.run("const p = document.getElementById('plane'); const at = p.getBoundingClientRect();"
                + "for (let i = 0; i < 4; i++) p.dispatchEvent(new WheelEvent('wheel', {deltaY: 1, cancelable: true,"
                + "clientX: at.left + at.width / 2, clientY: at.top + at.height / 2}))");
        browser.await("performance.getEntriesByType('resource').some(e => e.name.includes('tile/half'))");
        browser.await(pixel(384, 256) + "[3] === 255 && " + pixel(200, 256) + "[3] === 0");
    }

    private static void showsStorage(Browser browser) throws Exception {
        browser.run("document.getElementById('load').click()");
        browser.await("document.getElementById('cell').textContent.startsWith('16 shards, 16 stored, ')");
        assertEquals(
                "128",
                browser.run("return document.getElementById('storage').height").toString());
    }

    private static void showsHostileNames(Browser browser) throws Exception {
        choose(browser, HOSTILE);
        browser.await("document.getElementById('controls').textContent.includes('<b>bold</b>')");
        assertEquals("\"shardkit\"", browser.run("return document.title").toString());
        assertEquals(
                "0",
                browser.run("return document.querySelectorAll('img, b').length").toString());
        assertEquals(
                "true",
                browser.run("const s = document.createElement('script'); s.textContent = 'window.taken = 1';"
                                + "document.body.append(s); return window.taken === undefined")
                        .toString(),
                "the policy forbids other scripts");
    }
}
