package dev.shardkit.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.files.npy.NpyHeader;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportTest {
    @TempDir
    Path folder;

    private final MemoryStore store = MemoryStore.create();

    private ZarrArray array(ArraySpec spec, Object values) {
        ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.OVERWRITE, ZarrOptions.defaults());
        array.write(array.domain(), values, 0);
        return array;
    }

    private static short[] counting(int n) {
        short[] values = new short[n];
        for (int i = 0; i < n; i++) {
            values[i] = (short) (i * 257 + i);
        }
        return values;
    }

    private static byte[] export(Export export, FileFormat format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        export.to(out, format);
        return out.toByteArray();
    }

    @Test
    void npy_hasHeaderAndElements() throws IOException {
        ZarrArray array = array(ArraySpec.of("uint16", 3, 4).withChunkShape(2, 3), counting(12));
        byte[] file = export(Export.of(array).within(Box.of(new long[] {1, 0}, new long[] {2, 4})), FileFormat.NPY);
        String header = new String(file, 10, 118, StandardCharsets.US_ASCII);
        assertEquals("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 4), }", header.strip());
        assertEquals(128 + 16, file.length);
        ByteBuffer elements = ByteBuffer.wrap(file, 128, 16).slice().order(ByteOrder.LITTLE_ENDIAN);
        assertEquals((short) (4 * 258), elements.getShort(0));
        NpyHeader read = NpyHeader.read(new ByteArrayInputStream(file));
        assertArrayEquals(new long[] {2, 4}, read.shape());
        assertEquals(128, read.size());
    }

    @Test
    void npz_holdsTheArraysOfAGroup() throws IOException {
        ZarrGroup group = Zarr.createGroup(store, "g", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        group.createArray("one", ArraySpec.of("int8", 2), IfExists.REFUSE);
        group.createArray("deep/two", ArraySpec.of("float64"), IfExists.REFUSE);
        List<String> names = new ArrayList<>();
        try (ZipInputStream zip =
                new ZipInputStream(new ByteArrayInputStream(export(Export.of(group), FileFormat.NPZ)))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName() + " " + zip.readAllBytes().length);
            }
        }
        assertEquals(List.of("deep/two.npy 136", "one.npy 130"), names);
        assertThrows(UnsupportedException.class, () -> export(Export.of(group), FileFormat.NPY));
        group.createArray("text", ArraySpec.of("string", 2), IfExists.REFUSE);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThrows(UnsupportedException.class, () -> Export.of(group).to(out, FileFormat.NPZ));
        assertEquals(0, out.size(), "nothing is written before the check");
        List<String> leftOut = new ArrayList<>();
        export(Export.of(group).withLeftOut((path, why) -> leftOut.add(path)), FileFormat.NPZ);
        assertEquals(List.of("text"), leftOut);
    }

    @Test
    void csv_hasRows() throws IOException {
        ZarrArray numbers = array(ArraySpec.of("float32", 2, 2), new float[] {1.5f, Float.NaN, -1e10f, 3});
        assertEquals("1.5,NaN\n-10000000000.0,3.0\n", text(export(Export.of(numbers), FileFormat.CSV)));
        ZarrArray text = array(ArraySpec.of("string", 3), new String[] {"a,b", "say \"x\"", "é"});
        assertEquals("\"a,b\"\n\"say \"\"x\"\"\"\né\n", text(export(Export.of(text), FileFormat.CSV)));
        ZarrArray complex = array(ArraySpec.of("complex64", 1), new float[2]);
        assertThrows(UnsupportedException.class, () -> export(Export.of(complex), FileFormat.CSV));
        ZarrArray plane = array(ArraySpec.of("int8", 2, 1, 2), new byte[] {1, 2, 3, 4});
        assertEquals("1,2\n3,4\n", text(export(Export.of(plane), FileFormat.CSV)));
        ZarrArray cube = array(ArraySpec.of("int8", 2, 2, 2), new byte[8]);
        assertThrows(IllegalArgumentException.class, () -> export(Export.of(cube), FileFormat.CSV));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void png_hasExactValues() throws IOException {
        ZarrArray gray = array(ArraySpec.of("uint16", 1, 5, 7).withChunkShape(1, 2, 3), counting(35));
        Raster samples = ImageIO.read(new ByteArrayInputStream(export(Export.of(gray), FileFormat.PNG)))
                .getRaster();
        assertEquals(7, samples.getWidth());
        for (int i = 0; i < 35; i++) {
            assertEquals(258 * i, samples.getSample(i % 7, i / 7, 0));
        }
        byte[] colours = new byte[2 * 3 * 4];
        for (int i = 0; i < colours.length; i++) {
            colours[i] = (byte) (11 * i);
        }
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(
                export(Export.of(array(ArraySpec.of("uint8", 2, 3, 4), colours)), FileFormat.PNG)));
        for (int i = 0; i < colours.length; i++) {
            assertEquals(11 * i & 0xff, image.getRaster().getSample(i / 4 % 3, i / 12, i % 4));
        }
        ZarrArray volume = array(ArraySpec.of("uint8", 2, 3, 5), new byte[30]);
        assertThrows(IllegalArgumentException.class, () -> export(Export.of(volume), FileFormat.PNG));
    }

    @Test
    void tiffTiles_areReadByTheJdk() throws IOException {
        short[] values = new short[2 * 37 * 50];
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) i;
        }
        ZarrArray volume = array(ArraySpec.of("uint16", 2, 37, 50), values);
        File file = folder.resolve("tiles.tif").toFile();
        Export.of(volume).withTiles(32).to(file.toPath(), FileFormat.TIFF);
        ImageReader reader = ImageIO.getImageReadersByFormatName("tiff").next();
        try (ImageInputStream in = ImageIO.createImageInputStream(file)) {
            reader.setInput(in);
            assertEquals(2, reader.getNumImages(true));
            assertEquals(32, reader.getTileWidth(1));
            for (int page = 0; page < 2; page++) {
                Raster pixels = reader.read(page).getRaster();
                for (int i = 0; i < 37 * 50; i++) {
                    assertEquals(37 * 50 * page + i, pixels.getSample(i % 50, i / 50, 0));
                }
            }
        } finally {
            reader.dispose();
        }
        assertThrows(IllegalArgumentException.class, () -> Export.of(volume).withTiles(20));
    }

    @Test
    void tiff_hasPagesThatTheJdkReads() throws IOException {
        ZarrArray volume = array(ArraySpec.of("uint16", 3, 300, 500).withChunkShape(2, 64, 64), counting(450_000));
        File file = folder.resolve("v.tif").toFile();
        Export.of(volume).to(file.toPath(), FileFormat.TIFF);
        ImageReader reader = ImageIO.getImageReadersByFormatName("tiff").next();
        try (ImageInputStream in = ImageIO.createImageInputStream(file)) {
            reader.setInput(in);
            assertEquals(3, reader.getNumImages(true));
            for (int page = 0; page < 3; page++) {
                Raster samples = reader.read(page).getRaster();
                for (int at : new int[] {0, 499, 149_999, 74_321}) {
                    int expected = 258 * (page * 150_000 + at) & 0xffff;
                    assertEquals(expected, samples.getSample(at % 500, at / 500, 0));
                }
            }
        }
        reader.dispose();
    }

    @Test
    void failure_keepsTheOldFile() throws IOException {
        ZarrArray array = array(ArraySpec.of("uint16", 3, 4).withChunkShape(2, 3), counting(12));
        store.put("a/c/1/1", Content.of(Bytes.of(new byte[] {1, 2, 3})), Durability.NONE);
        Path file = Files.writeString(folder.resolve("old.npy"), "old");
        assertThrows(CorruptDataException.class, () -> Export.of(array).to(file, FileFormat.NPY));
        assertEquals("old", Files.readString(file));
        try (var files = Files.list(folder)) {
            assertEquals(1, files.count(), "no temporary file is left");
        }
    }

    @Test
    void formats_areKnownByTheEndOfTheName() {
        assertEquals(FileFormat.TIFF, FileFormat.forFileName("a.B.TIF").orElseThrow());
        assertEquals(FileFormat.NPZ, FileFormat.forFileName("x.npz").orElseThrow());
        assertFalse(FileFormat.forFileName("npy").isPresent());
        assertTrue(FileFormat.forFileName("-").isEmpty());
    }
}
