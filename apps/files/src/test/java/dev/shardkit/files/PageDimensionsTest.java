package dev.shardkit.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.files.export.TiffDirectoryWriter;
import dev.shardkit.files.export.TiffExport;
import dev.shardkit.files.export.TiffLayout;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages of TIFF files as dimensions. The descriptions are those that tifffile 2026.3.3 writes. */
class PageDimensionsTest {
    private static final int HEIGHT = 3;
    private static final int WIDTH = 5;
    private static final String OME = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
            + "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" "
            + "UUID=\"urn:uuid:d233685e-e938-11f1-91d0-02fc00000001\" Creator=\"tifffile.py 2026.3.3\">"
            + "<Image ID=\"Image:0\" Name=\"Image0\"><Pixels ID=\"Pixels:0\" DimensionOrder=\"%s\" Type=\"uint16\" "
            + "SizeX=\"5\" SizeY=\"3\" SizeC=\"%s\" SizeT=\"2\" SizeZ=\"4\">"
            + "<Channel ID=\"Channel:0:0\" SamplesPerPixel=\"1\"><LightPath/></Channel>%s</Pixels></Image></OME>";

    @TempDir
    Path folder;

    private final MemoryStore store = MemoryStore.create();

    /** Writes pages whose elements are {@code 100 * page + pixel}; a pixel has one or more samples. */
    private Path tiff(String description, int pages, int samples) throws IOException {
        Path path = folder.resolve("f.tif");
        int count = HEIGHT * WIDTH * samples;
        TiffExport file = new TiffExport(
                new long[] {pages}, pages, WIDTH, HEIGHT, samples, 16, 1, TiffLayout.choose(WIDTH, HEIGHT, 10));
        TiffDirectoryWriter writer = new TiffDirectoryWriter(file, description);
        try (OutputStream out = Files.newOutputStream(path)) {
            writer.writeHeader(out);
            for (int page = 0; page < pages; page++) {
                writer.writeDirectory(page, out);
                ByteBuffer elements = ByteBuffer.allocate(2 * count).order(ByteOrder.LITTLE_ENDIAN);
                for (int i = 0; i < count; i++) {
                    elements.putShort((short) (100 * page + i));
                }
                out.write(elements.array());
                writer.writePadding(out);
            }
        }
        return path;
    }

    private static String ome(String order, Object channels, String content) {
        return OME.formatted(order, channels, content);
    }

    private static String block(String attributes) {
        return "<TiffData " + attributes + "/>";
    }

    /** Imports into an array of some layout, and returns the pages in the order of the array. */
    private int[] pages(ImportSource source, long[] chunks, long[] shards) throws IOException {
        ArraySpec spec = ArraySpec.of(source.dataType(), source.shape()).withChunkShape(chunks);
        spec = shards.length == 0 ? spec : spec.withShardShape(shards);
        ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.OVERWRITE, ZarrOptions.defaults());
        long[] done = {0};
        source.writeTo(array, array.domain(), (path, some, total) -> {
            assertTrue(some > done[0] && some <= total);
            done[0] = some;
        });
        assertEquals(array.domain().count(), done[0]);
        short[] values = (short[]) array.read(array.domain()).array();
        int size = HEIGHT * WIDTH * (source.dimensionNames().contains("s") ? 3 : 1);
        int[] pages = new int[values.length / size];
        for (int i = 0; i < values.length; i++) {
            assertEquals(i % size, values[i] % 100, "pixel " + i);
            pages[i / size] = values[i] / 100;
        }
        return pages;
    }

    /** Returns the pages of 2 times, 3 channels and 4 planes in the order t, c, z. */
    private static int[] expected(int strideT, int strideC, int strideZ) {
        int[] pages = new int[24];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = i / 12 * strideT + i / 4 % 3 * strideC + i % 4 * strideZ;
        }
        return pages;
    }

    @ParameterizedTest
    @CsvSource({"1|1|1|3|5,''", "2|3|4|2|2,''", "1|2|3|3|3,2|2|3|3|6", "1|1|2|3|5,2|3|4|3|5", "1|1|1|3|5,1|1|4|3|5"})
    void imageJ_channelsVaryFastest_inAllLayouts(String chunks, String shards) throws IOException {
        Path file = tiff(
                "ImageJ=1.11a\nimages=24\nchannels=3\nslices=4\nframes=2\nhyperstack=true\nmode=grayscale\nloop=false\n",
                24,
                1);
        try (ImportSource source = ImportSource.images(List.of(file))) {
            assertArrayEquals(new long[] {2, 3, 4, HEIGHT, WIDTH}, source.shape());
            assertEquals(List.of("t", "c", "z", "y", "x"), source.dimensionNames());
            assertEquals(List.of(), source.notes());
            assertArrayEquals(expected(12, 1, 3), pages(source, numbers(chunks), numbers(shards)));
        }
    }

    private static long[] numbers(String text) {
        return text.isEmpty()
                ? new long[0]
                : Arrays.stream(text.split("\\|")).mapToLong(Long::parseLong).toArray();
    }

    @ParameterizedTest
    @CsvSource({"XYZCT,12,4,1", "XYZTC,4,8,1", "XYCZT,12,1,3", "XYCTZ,3,1,6", "XYTZC,1,8,2", "XYTCZ,1,2,6"})
    void ome_ordersAreTransposed(String order, int t, int c, int z) throws IOException {
        for (String blocks : List.of("", block("IFD=\"0\" PlaneCount=\"24\""), block(""), singles(order))) {
            Path file = tiff(ome(order, 3, blocks), 24, 1);
            try (ImportSource source = ImportSource.images(List.of(file))) {
                assertEquals(List.of(), source.notes());
                assertArrayEquals(new long[] {2, 3, 4, HEIGHT, WIDTH}, source.shape());
                assertArrayEquals(
                        expected(t, c, z), pages(source, new long[] {1, 2, 2, HEIGHT, WIDTH}, new long[0]), blocks);
            }
        }
    }

    /** Returns a block for each plane, the last first, each with the name of the file. */
    private static String singles(String order) {
        StringBuilder blocks = new StringBuilder();
        for (int page = 23; page >= 0; page--) {
            int rest = page;
            blocks.append("<TiffData IFD=\"").append(page).append("\" PlaneCount=\"1\"");
            for (char dimension : order.substring(2).toCharArray()) {
                int length = dimension == 'C' ? 3 : dimension == 'Z' ? 4 : 2;
                blocks.append(" First")
                        .append(dimension)
                        .append("=\"")
                        .append(rest % length)
                        .append('"');
                rest /= length;
            }
            blocks.append("><UUID FileName=\"before it was renamed.tif\">urn:uuid:d233685e-e938-11f1-91d0-02fc00000001"
                    + "</UUID></TiffData>");
        }
        return blocks.toString();
    }

    @Test
    void dimensionsOfLength1_areLeftOut() throws IOException {
        Path file = tiff("ImageJ=1.53t\nimages=4\nslices=4\n", 4, 1);
        try (ImportSource source = ImportSource.images(List.of(file))) {
            assertEquals(List.of("z", "y", "x"), source.dimensionNames());
            assertArrayEquals(new int[] {0, 1, 2, 3}, pages(source, new long[] {2, 2, 2}, new long[0]));
        }
        file = tiff("ImageJ=1.53t\nframes=1\n", 1, 1);
        try (ImportSource source = ImportSource.images(List.of(file))) {
            assertEquals(List.of("y", "x"), source.dimensionNames());
            assertArrayEquals(new int[] {0}, pages(source, new long[] {2, 2}, new long[0]));
        }
    }

    @Test
    void ome_channelsCountSamples() throws IOException {
        Path file = tiff(ome("XYCZT", 3, block("IFD=\"0\" PlaneCount=\"8\"")), 8, 3);
        try (ImportSource source = ImportSource.images(List.of(file))) {
            assertEquals(List.of(), source.notes());
            assertEquals(List.of("t", "z", "y", "x", "s"), source.dimensionNames());
            assertArrayEquals(new long[] {2, 4, HEIGHT, WIDTH, 3}, source.shape());
            assertArrayEquals(
                    new int[] {0, 1, 2, 3, 4, 5, 6, 7}, pages(source, new long[] {1, 2, 3, 5, 3}, new long[0]));
        }
    }

    private void assertPlain(String description, String reason) throws IOException {
        Path file = tiff(description, 24, 1);
        try (ImportSource source = ImportSource.images(List.of(file))) {
            assertArrayEquals(new long[] {24, HEIGHT, WIDTH}, source.shape(), description);
            assertEquals(List.of(), source.dimensionNames());
            if (reason.isEmpty()) {
                assertEquals(List.of(), source.notes());
            } else {
                assertEquals(1, source.notes().size());
                String note = source.notes().get(0);
                assertTrue(note.startsWith(file + ": the pages are imported as one dimension"), note);
                assertTrue(note.contains(reason), note);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "hello", "{\"shape\": [2, 3, 4, 3, 5]}", "ImageJ=1.53t\nimages=24\nunit=um\n", "<a>x</a>"})
    void filesThatSayNothing_staySingle(String description) throws IOException {
        assertPlain(description, "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "channels=3\nslices=4",
                "channels=3\nslices=4\nframes=3",
                "channels=4294967296\nslices=4294967296\nframes=4294967296",
                "channels=9223372036854775807\nslices=2",
                "slices=99999999999999999999",
                "slices=-24\nframes=-1",
                "slices=0",
                "slices=x"
            })
    void imageJ_countsThatDoNotFit_areIgnored(String counts) throws IOException {
        assertPlain("ImageJ=1.53t\nimages=24\n" + counts + "\n", "ImageJ's description");
    }

    @Test
    void imageJ_imagesInOnePage_areRefused() throws IOException {
        Path file = tiff("ImageJ=1.53t\nimages=1000\nslices=1000\n", 1, 1);
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> ImportSource.images(List.of(file)));
        assertTrue(e.getMessage().contains("1000 images"), e.getMessage());
    }

    @Test
    void ome_documentsThatDoNotFit_areIgnored() throws IOException {
        assertPlain(ome("XYZCT", 2, ""), "the file has 24 pages");
        assertPlain(ome("XYZCT", Long.MAX_VALUE, ""), "the file has 24 pages");
        assertPlain(ome("XYZCT", "9".repeat(5000), ""), "SizeC");
        assertPlain(ome("XYZCT", "-3", ""), "SizeC");
        assertPlain(ome("XYZCT", "0", ""), "SizeC");
        assertPlain(ome("XYZZT", 3, ""), "DimensionOrder");
        assertPlain(ome("XYZCT", 3, "</Pixels><Pixels>"), "several images");
        assertPlain(ome("XYZCT", 3, block("IFD=\"0\"")), "1 planes");
        assertPlain(ome("XYZCT", 3, block("IFD=\"1\" PlaneCount=\"23\"")), "do not follow");
        assertPlain(ome("XYZCT", 3, block("PlaneCount=\"9223372036854775807\"")), "do not follow");
        assertPlain(ome("XYZCT", 3, block("FirstT=\"2\"")), "outside the image");
        assertPlain(ome("XYZCT", 3, block("") + block("IFD=\"3\" FirstZ=\"3\"")), "two planes in page 3");
        assertPlain(
                ome("XYZCT", 3, "<TiffData><UUID FileName=\"other.tif\">urn:uuid:1</UUID></TiffData>"), "other files");
        assertPlain("<OME><BinaryOnly MetadataFile=\"a.ome.xml\"/></OME>", "describes no image");
        assertPlain("<OME><TiffData/></OME>", "outside Pixels");
    }

    @Test
    void ome_hostileDocuments_areIgnored() throws IOException {
        String good = ome("XYZCT", 3, "");
        assertPlain(good.substring(0, good.length() - 10), "not well-formed");
        assertPlain(good + "<OME/>", "not well-formed");
        String bomb = "<!DOCTYPE OME [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>";
        assertPlain(bomb + "<OME>&b;</OME>", "document type");
        Path secret = Files.writeString(folder.resolve("secret"), "x");
        assertPlain("<!DOCTYPE OME [<!ENTITY a SYSTEM \"" + secret.toUri() + "\">]><OME>&a;</OME>", "document type");
        assertPlain("<OME>&a;</OME>", "its OME XML");
        assertPlain("<OME>" + "<a>".repeat(200_000), "not well-formed");
    }

    @Test
    void statedDimensions_overrideTheDescription() throws IOException {
        Path file = tiff("ImageJ=1.53t\nimages=24\nslices=24\n", 24, 1);
        List<PageDimension> stated =
                List.of(new PageDimension("z", 4), new PageDimension("one", 1), new PageDimension("t", 6));
        try (ImportSource source = ImportSource.images(List.of(file), stated)) {
            assertArrayEquals(new long[] {4, 1, 6, HEIGHT, WIDTH}, source.shape());
            assertEquals(List.of("z", "one", "t", "y", "x"), source.dimensionNames());
            int[] order = pages(source, new long[] {2, 1, 3, 2, 2}, new long[0]);
            assertArrayEquals(IntStream.range(0, 24).toArray(), order);
        }
        for (long length : new long[] {3, 7, Long.MAX_VALUE}) {
            List<PageDimension> wrong = List.of(new PageDimension("z", 4), new PageDimension("t", length));
            assertThrows(IllegalArgumentException.class, () -> ImportSource.images(List.of(file), wrong));
        }
        List<PageDimension> taken = List.of(new PageDimension("x", 4), new PageDimension("t", 6));
        assertThrows(IllegalArgumentException.class, () -> ImportSource.images(List.of(file), taken));
        assertThrows(IllegalArgumentException.class, () -> new PageDimension("z", 0));
    }

    @Test
    void severalFiles_stayAStack_unlessDimensionsAreStated() throws IOException {
        Path first = Files.move(tiff("ImageJ=1.53t\nimages=3\nslices=3\n", 3, 1), folder.resolve("first.tif"));
        Path second = tiff("ImageJ=1.53t\nimages=3\nslices=3\n", 3, 1);
        try (ImportSource source = ImportSource.images(List.of(first, second))) {
            assertArrayEquals(new long[] {6, HEIGHT, WIDTH}, source.shape());
            assertEquals(List.of(), source.dimensionNames());
            assertArrayEquals(new int[] {0, 1, 2, 0, 1, 2}, pages(source, new long[] {2, 3, 3}, new long[0]));
        }
        List<PageDimension> stated = List.of(new PageDimension("t", 2), new PageDimension("z", 3));
        try (ImportSource source = ImportSource.images(List.of(first, second), stated)) {
            assertArrayEquals(new int[] {0, 1, 2, 0, 1, 2}, pages(source, new long[] {2, 2, 3, 3}, new long[0]));
        }
    }

    @Test
    void regions_ofALargerArray() throws IOException {
        Path file = tiff("ImageJ=1.53t\nimages=24\nchannels=3\nslices=4\nframes=2\n", 24, 1);
        ArraySpec spec = ArraySpec.of("uint16", 5, 4, 6, 4, 7).withChunkShape(2, 2, 2, 4, 7);
        ZarrArray array = Zarr.createArray(store, "b", spec, IfExists.OVERWRITE, ZarrOptions.defaults());
        Box region = Box.of(new long[] {1, 1, 2, 1, 2}, new long[] {2, 3, 4, HEIGHT, WIDTH});
        try (ImportSource source = ImportSource.images(List.of(file))) {
            source.writeTo(array, region, (path, done, total) -> {});
        }
        short[] values = (short[]) array.read(region).array();
        int[] pages = expected(12, 1, 3);
        for (int i = 0; i < values.length; i++) {
            assertEquals(100 * pages[i / 15] + i % 15, values[i]);
        }
    }
}
