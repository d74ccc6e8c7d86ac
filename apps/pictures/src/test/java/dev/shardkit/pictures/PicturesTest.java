package dev.shardkit.pictures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** Previews, heat maps and reports. */
class PicturesTest {
    private final MemoryStore store = MemoryStore.create();

    private ZarrGroup group(String attributes) {
        Json.Obj json = (Json.Obj) JsonReader.read(attributes, Limits.defaults());
        return Zarr.createGroup(store, "g", json, IfExists.OVERWRITE, ZarrOptions.defaults());
    }

    private static BufferedImage draw(Preview preview) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        preview.write(out);
        return ImageIO.read(new ByteArrayInputStream(out.toByteArray()));
    }

    /** Element (y, x) is y. */
    private static ZarrArray ramp(ZarrGroup group, String name, int side) {
        ZarrArray array =
                group.createArray(name, ArraySpec.of("uint16", side, side).withChunkShape(30, 30), IfExists.REFUSE);
        short[] values = new short[side * side];
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) (i / side);
        }
        array.write(array.domain(), values, 0);
        return array;
    }

    @Test
    void samples_areEachStepthElement() {
        ZarrArray array = ramp(group("{}"), "a", 100);
        double[] samples = Samples.read(array, Box.of(new long[] {5, 3}, new long[] {71, 50}), 0, 1, 7);
        double[] expected = new double[11 * 8];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = 5 + 7 * (i / 8);
        }
        assertArrayEquals(expected, samples);
    }

    /** Missing elements are transparent, and change no contrast. */
    @Test
    void missingElements_areNotDrawn() {
        Json.Obj attributes = Json.object().with("_FillValue", Json.of(-9));
        ArraySpec spec = ArraySpec.of("int16", 4).withChunkShape(2).withAttributes(attributes);
        ZarrArray array = group("{}").createArray("m", spec, IfExists.REFUSE);
        array.write(array.domain(), new short[] {-9, 3, 0, 5}, 0);
        double[] samples = Samples.read(array, array.domain(), -1, 0, 1);
        assertArrayEquals(new double[] {Double.NaN, 3, 0, 5}, samples);
        assertArrayEquals(new double[] {0, 5}, Samples.contrast(samples));
    }

    @Test
    void plane_getsBrighterWithItsValues() throws IOException {
        BufferedImage image = draw(Preview.of(ramp(group("{}"), "a", 100), 50));
        assertEquals(50, image.getWidth());
        assertEquals(50, image.getHeight());
        assertEquals(0xff000000, image.getRGB(10, 0));
        assertEquals(0xffffffff, image.getRGB(10, 49));
        int middle = image.getRGB(10, 25) & 0xff;
        assertTrue(middle > 110 && middle < 150, "gray " + middle);
    }

    @Test
    void volume_isAMontage() throws IOException {
        ZarrArray array = group("{}")
                .createArray("v", ArraySpec.of("float32", 4, 20, 30).withChunkShape(1, 20, 30), IfExists.REFUSE);
        float[] values = new float[4 * 600];
        for (int i = 0; i < values.length; i++) {
            values[i] = i < 600 ? Float.NaN : i / 600;
        }
        array.write(array.domain(), values, 0);
        BufferedImage image = draw(Preview.of(array, 60));
        assertEquals(64, image.getWidth());
        assertEquals(44, image.getHeight());
        assertEquals(0, image.getRGB(5, 5) >>> 24, "NaN is transparent");
        assertEquals(0xff000000, image.getRGB(40, 5));
        assertEquals(0xffffffff, image.getRGB(40, 30));
        assertEquals(0, image.getRGB(31, 5) >>> 24, "the gap");
    }

    @Test
    void pyramid_isDrawnFromTheCoarsestLevelThatFits() {
        String attributes = "{\"ome\":{\"version\":\"0.5\",\"multiscales\":[{\"datasets\":["
                + "{\"path\":\"0\"},{\"path\":\"1\"},{\"path\":\"2\"}]}]}}";
        ZarrGroup image = group(attributes);
        ramp(image, "0", 256);
        ramp(image, "1", 128);
        ramp(image, "2", 64);
        assertEquals(128, Preview.of(image, 100).array().shape()[0]);
        assertEquals(256, Preview.of(image, 512).array().shape()[0]);
        assertThrows(UnsupportedException.class, () -> Preview.of(group("{\"multiscales\":[1]}"), 100));
        for (String path : List.of("", "../a", "/a", "a//b", "..", "a/")) {
            String hostile = "{\"multiscales\":[{\"datasets\":[{\"path\":\"" + path + "\"}]}]}";
            assertThrows(MetadataException.class, () -> Preview.of(group(hostile), 100), path);
        }
    }

    @Test
    void labels_haveColoursOfTheirOwn() throws IOException {
        ZarrArray array = group("{}")
                .createArray(
                        "l",
                        ArraySpec.of("uint32", 2, 2)
                                .withAttributes(Json.object().with("image-label", Json.object())),
                        IfExists.REFUSE);
        array.write(array.domain(), new int[] {0, 1, 2, 2}, 0);
        BufferedImage image = draw(Preview.of(array));
        assertEquals(0, image.getRGB(0, 0) >>> 24);
        assertFalse(image.getRGB(1, 0) == image.getRGB(0, 1), "labels 1 and 2 differ");
        assertEquals(image.getRGB(0, 1), image.getRGB(1, 1));
    }

    @Test
    void colours_areDrawnAsTheyAre() throws IOException {
        ZarrArray array = group("{}").createArray("c", ArraySpec.of("uint8", 1, 2, 3), IfExists.REFUSE);
        array.write(array.domain(), new byte[] {1, 2, 3, (byte) 200, 5, 6}, 0);
        BufferedImage image = draw(Preview.of(array));
        assertEquals(0xff010203, image.getRGB(0, 0));
        assertEquals(0xffc80506, image.getRGB(1, 0));
        ZarrArray text = group("{}").createArray("t", ArraySpec.of("string", 2, 2), IfExists.REFUSE);
        assertThrows(UnsupportedException.class, () -> draw(Preview.of(text)));
    }

    @Test
    void report_namesWhatToImproveAndNeedsNoOtherFile() {
        ZarrGroup group = group("{\"title\":\"<script>alert(1)</script>\"}");
        ZarrArray array = group.createArray(
                "plain",
                ArraySpec.of("float64", 512, 512)
                        .withChunkShape(16, 16)
                        .withCodecs(Codecs.bytesLittleEndian())
                        .withAttributes(Json.object().with("x", Json.of("<img src=http://evil>"))),
                IfExists.REFUSE);
        double[] values = new double[512 * 512];
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.sin(i);
        }
        array.write(array.domain(), values, 0);
        group.createArray("text", ArraySpec.of("string", 3), IfExists.REFUSE);
        String page = Report.of(group, "typed.zarr");
        for (String advice : new String[] {
            "Make the chunks larger, compress it",
            "Consolidate the metadata",
            "shardkit consolidate typed.zarr<",
            // the layout that `advise` has; fewer than a million chunks need no shards. One copy does both
            "shardkit copy typed.zarr/plain typed-plain-copy.zarr --chunk-shape 128,256 --shard-shape none --codecs zstd:3<"
        }) {
            assertTrue(page.contains(advice), advice);
        }
        assertFalse(page.contains(group.location()), "only the name that was given");
        assertFalse(page.contains("into shards"), page);
        assertTrue(page.contains("data:image/png;base64,"));
        assertFalse(page.contains("<img src=http"), "text is escaped");
        assertFalse(page.contains("<script"));
        assertFalse(page.matches("(?s).*(src|href)=\"(?!data:).*"), "no outside resource");
    }

    /** A group's consolidated metadata keep the layout of an array below it from changing alone. */
    @Test
    void report_ofConsolidatedTree_namesTheCommandsAround() {
        ZarrGroup group = group("{}");
        ZarrArray array = group.createGroup("inner", Json.object(), IfExists.REFUSE)
                .createArray("plain", ArraySpec.of("float64", 512, 512).withChunkShape(16, 16), IfExists.REFUSE);
        array.write(Box.of(new long[] {0, 0}, new long[] {1, 1}), new double[] {1}, 0);
        String page = Report.of(group.consolidate(), "typed.zarr");
        String command = "shardkit consolidate --remove typed.zarr && shardkit aggregate typed.zarr/inner/plain"
                + " --chunk-shape 128,256 --shard-shape none && shardkit consolidate typed.zarr<";
        assertTrue(page.replace("&amp;", "&").contains(command), page);
    }

    @Test
    void heatMap_countsUnusedBytes() {
        ZarrArray array = group("{}")
                .createArray(
                        "s", ArraySpec.of("int32", 8, 8).withShardShape(4, 8).withChunkShape(2, 2), IfExists.REFUSE);
        array.write(Box.of(new long[] {0, 0}, new long[] {2, 2}), new int[] {1, 2, 3, 4}, 0);
        HeatMap map = HeatMap.of(array);
        assertEquals(2, map.stored().size());
        assertEquals(1, map.stored().get(0).shard().orElseThrow().stored());
        assertEquals(8, map.stored().get(0).shard().orElseThrow().innerChunks());
        assertEquals(0, map.stored().get(1).size());
        String page = map.page();
        assertTrue(page.contains("not stored") && page.contains("<svg"));
    }
}
