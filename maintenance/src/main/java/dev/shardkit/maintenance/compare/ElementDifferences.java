package dev.shardkit.maintenance.compare;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Counts the elements that differ between two arrays of one shape and data type, and keeps the first ones in C order.
 * Not thread-safe.
 */
final class ElementDifferences {
    private static final long MAX_BYTES = 32L << 20;
    private static final int VARIABLE_ELEMENT_BYTES = 128;

    private final UnchangedArrayReads left;
    private final UnchangedArrayReads right;
    private final int maxReported;
    private final TreeMap<long[], Found> firstDifferences = new TreeMap<>(Arrays::compare);
    private long count;
    private long compared;

    /**
     * An element that differs.
     *
     * @param position its index in each dimension, separated by commas
     */
    record Found(String position, Json left, Json right) {}

    ElementDifferences(UnchangedArrayReads left, UnchangedArrayReads right, int maxReported) {
        this.left = left;
        this.right = right;
        this.maxReported = maxReported;
    }

    /** Returns how many elements to compare at once, for the memory of this JVM. */
    static long batchElements(ZarrArray array) {
        long bytes = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / 16);
        return Math.max(1, bytes / Math.max(1, array.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES)));
    }

    /** Compares the elements of {@code box}. */
    void compare(Box box) {
        Elements a = read(left, box);
        Elements b = read(right, box);
        if (a instanceof Elements.Fixed one && b instanceof Elements.Fixed other) {
            compareFixed(box, one, other);
        } else {
            byte[][] one = ((Elements.Variable) a).values();
            byte[][] other = ((Elements.Variable) b).values();
            for (int i = 0; i < one.length; i++) {
                if (!Arrays.equals(one[i], other[i])) {
                    add(box, i, one[i], other[i]);
                }
            }
        }
        compared += box.count();
    }

    /**
     * Counts the elements of {@code box} as compared: neither array stores a chunk there, and the fill values are
     * equal.
     */
    void skip(Box box) {
        compared += box.count();
    }

    private static Elements read(UnchangedArrayReads reads, Box box) {
        ZarrArray array = reads.array();
        DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), box.shape()));
        reads.read(box, chunk.target());
        return chunk.elements();
    }

    private void compareFixed(Box box, Elements.Fixed a, Elements.Fixed b) {
        int size = a.elementSize();
        ByteBuffer one = a.bytes().duplicate().rewind();
        ByteBuffer other = b.bytes().duplicate().rewind();
        for (int at = one.mismatch(other); at >= 0; at = one.mismatch(other)) {
            int i = (one.position() + at) / size;
            add(box, i, bytes(one, i, size), bytes(other, i, size));
            one.position((i + 1) * size);
            other.position((i + 1) * size);
        }
    }

    private static byte[] bytes(ByteBuffer from, int i, int size) {
        byte[] bytes = new byte[size];
        from.get(i * size, bytes);
        return bytes;
    }

    private void add(Box box, int i, byte[] a, byte[] b) {
        count++;
        if (maxReported == 0) {
            return;
        }
        long[] index = box.at(i);
        if (firstDifferences.size() == maxReported) {
            if (Arrays.compare(index, firstDifferences.lastKey()) > 0) {
                return;
            }
            firstDifferences.pollLastEntry();
        }
        String position = Arrays.stream(index).mapToObj(String::valueOf).collect(Collectors.joining(","));
        firstDifferences.put(index, new Found(position, json(a), json(b)));
    }

    private Json json(byte[] element) {
        // FillValue is the type in which a data type takes a single element.
        return left.array().dataType().show(FillValue.of(element));
    }

    long count() {
        return count;
    }

    long compared() {
        return compared;
    }

    /** Returns the first differences in C order. */
    List<Found> firstDifferences() {
        return List.copyOf(firstDifferences.values());
    }
}
