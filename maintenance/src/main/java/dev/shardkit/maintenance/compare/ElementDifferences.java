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
 * Compares two arrays of the same shape and data type: counts the elements that differ, and keeps the first ones in C
 * order. Not thread-safe.
 */
final class ElementDifferences {
    /** The largest number of bytes of each array that are compared at once. */
    private static final long MAX_BYTES = 32L << 20;
    /** The assumed size of an element of variable size. */
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

    /** Returns the number of elements to compare at once, so that both arrays use a small part of the heap. */
    static long batchElements(ZarrArray array) {
        long bytes = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / 16);
        return Math.max(1, bytes / Math.max(1, array.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES)));
    }

    /** Compares the elements of {@code box}. */
    void compare(Box box) {
        Elements leftElements = read(left, box);
        Elements rightElements = read(right, box);
        if (leftElements instanceof Elements.Fixed leftFixed && rightElements instanceof Elements.Fixed rightFixed) {
            compareFixed(box, leftFixed, rightFixed);
        } else {
            byte[][] leftValues = ((Elements.Variable) leftElements).values();
            byte[][] rightValues = ((Elements.Variable) rightElements).values();
            for (int i = 0; i < leftValues.length; i++) {
                if (!Arrays.equals(leftValues[i], rightValues[i])) {
                    add(box, i, leftValues[i], rightValues[i]);
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

    /** Finds each byte that differs, counts its element, and continues after this element. */
    private void compareFixed(Box box, Elements.Fixed leftElements, Elements.Fixed rightElements) {
        int size = leftElements.elementSize();
        ByteBuffer leftBytes = leftElements.bytes().duplicate().rewind();
        ByteBuffer rightBytes = rightElements.bytes().duplicate().rewind();
        for (int at = leftBytes.mismatch(rightBytes); at >= 0; at = leftBytes.mismatch(rightBytes)) {
            int i = (leftBytes.position() + at) / size;
            add(box, i, bytes(leftBytes, i, size), bytes(rightBytes, i, size));
            leftBytes.position((i + 1) * size);
            rightBytes.position((i + 1) * size);
        }
    }

    private static byte[] bytes(ByteBuffer from, int i, int size) {
        byte[] bytes = new byte[size];
        from.get(i * size, bytes);
        return bytes;
    }

    /** Counts a difference at position {@code i} of the box, and keeps it if it is one of the first. */
    private void add(Box box, int i, byte[] leftElement, byte[] rightElement) {
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
        firstDifferences.put(index, new Found(position, json(leftElement), json(rightElement)));
    }

    private Json json(byte[] element) {
        // A data type formats single elements as fill values.
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
