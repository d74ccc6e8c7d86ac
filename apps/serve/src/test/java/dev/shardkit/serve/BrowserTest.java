package dev.shardkit.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.store.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser. Skipped where Debian's chromium and chromium-driver are not installed. */
@Timeout(600)
class BrowserTest {
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
            showsPyramid(browser);
            showsStorage(browser);
            if (System.getProperty("shardkit.screenshot") != null) {
                Files.write(Path.of(System.getProperty("shardkit.screenshot")), browser.screenshot());
            }
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
