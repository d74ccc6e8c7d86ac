package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Data that other programs wrote, with its elements in a file beside it: {@code NAME.bin}, little-endian, C order. */
public final class Samples {
    private Samples() {}

    /** Unpacks a resource of this package. */
    public static void unpack(String resource, Path root) throws IOException {
        try (InputStream in = Samples.class.getResourceAsStream(resource);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = root.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.write(file, zip.readAllBytes());
                }
            }
        }
    }

    /** Returns the elements of an array or a region, little-endian. */
    public static byte[] bytes(NdArray values) {
        Object array = values.array();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int n = java.lang.reflect.Array.getLength(array);
        int size = values.dataType().elementSize().orElse(Long.BYTES);
        ByteBuffer word = ByteBuffer.allocate(Math.max(size, Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < n; i++) {
            word.clear();
            if (array instanceof byte[] b) {
                word.put(b[i]);
            } else if (array instanceof boolean[] b) {
                word.put((byte) (b[i] ? 1 : 0));
            } else if (array instanceof String[] s) {
                s[i].codePoints().forEach(word::putInt);
                while (word.position() < size) {
                    word.putInt(0);
                }
            } else if (array instanceof short[] s) {
                word.putShort(s[i]);
            } else if (array instanceof int[] s) {
                word.putInt(s[i]);
            } else if (array instanceof long[] s) {
                word.putLong(s[i]);
            } else if (array instanceof float[] s) {
                word.putFloat(s[i]);
            } else {
                word.putDouble(((double[]) array)[i]);
            }
            out.write(word.array(), 0, word.position());
        }
        return out.toByteArray();
    }

    /** Checks the elements of {@code region} against those of the whole array. */
    public static void check(ZarrArray array, Box region, byte[] whole, String what) {
        long[] shape = array.shape();
        int size = array.dataType().elementSize().orElseThrow();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (long i = 0; i < region.count(); i++) {
            expected.write(whole, Math.toIntExact(Shapes.ravel(region.at(i), shape)) * size, size);
        }
        assertArrayEquals(expected.toByteArray(), bytes(array.read(region)), what + " " + region);
    }

    /** Checks the whole array and some of its regions. */
    public static void check(ZarrArray array, byte[] whole, String what) {
        check(array, Box.of(array.shape()), whole, what);
        java.util.Random random = new java.util.Random(whole.length);
        for (int i = 0; i < 4; i++) {
            long[] origin = new long[array.shape().length];
            long[] shape = new long[origin.length];
            for (int d = 0; d < origin.length; d++) {
                origin[d] = random.nextInt((int) array.shape()[d]);
                shape[d] = 1 + random.nextInt((int) (array.shape()[d] - origin[d]));
            }
            check(array, Box.of(origin, shape), whole, what);
        }
    }
}
