package dev.shardkit.benchmarks.lab;

import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32;

/** Converts Java arrays of the lab's data types to and from little-endian bytes. */
final class ElementBytes {
    /** The size of the buffer through which elements are converted, in bytes. */
    private static final int BLOCK = 1 << 20;

    private ElementBytes() {}

    /**
     * Adds the little-endian bytes of {@code array}, a {@code byte[]}, {@code short[]} or {@code float[]}, to
     * {@code crc}.
     */
    static void update(CRC32 crc, Object array) {
        if (array instanceof byte[] bytes) {
            crc.update(bytes);
            return;
        }
        int length = Array.getLength(array);
        int size = array instanceof short[] ? Short.BYTES : Float.BYTES;
        int step = Math.min(BLOCK / size, Math.max(1, length));
        ByteBuffer block = ByteBuffer.allocate(step * size).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < length; at += step) {
            int count = Math.min(step, length - at);
            if (array instanceof short[] shorts) {
                block.asShortBuffer().put(shorts, at, count);
            } else {
                block.asFloatBuffer().put((float[]) array, at, count);
            }
            crc.update(block.array(), 0, count * size);
        }
    }

    /** Reads the first {@code count} elements of a file without header, and returns them as a Java array. */
    static Object load(Path file, String dtype, int count) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            switch (dtype) {
                case "uint8": {
                    byte[] bytes = new byte[count];
                    map(channel, count).get(bytes);
                    return bytes;
                }
                case "uint16": {
                    short[] shorts = new short[count];
                    map(channel, (long) count * Short.BYTES).asShortBuffer().get(shorts);
                    return shorts;
                }
                case "float32": {
                    float[] floats = new float[count];
                    map(channel, (long) count * Float.BYTES).asFloatBuffer().get(floats);
                    return floats;
                }
                default:
                    throw new IllegalArgumentException("data type " + dtype + "; known: uint8, uint16, float32");
            }
        }
    }

    private static ByteBuffer map(FileChannel channel, long bytes) throws IOException {
        return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
