package dev.shardkit;

import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds where a stream of slices ends that an interrupted run wrote: behind the last slice with an element other than
 * the fill value. Elements that were never written read as the fill value, so trailing slices that hold only this value
 * count as not written.
 */
final class StoredSlices {
    private StoredSlices() {}

    /**
     * Returns the index in dimension {@code along} behind the last slice of {@code region} with an element other than
     * the fill value. Returns the region's origin if there is no such slice. Reads from the end, one inner chunk at a
     * time.
     */
    static long end(ZarrArray array, Box region, int along) {
        if (region.isEmpty()) {
            return region.origin(along);
        }
        for (Box shardLayer : layers(array, region, along, 0)) {
            for (Box chunkLayer : layers(
                    array, region.intersect(shardLayer), along, array.presence().levels())) {
                long end = endOfLayer(array, region.intersect(chunkLayer), along);
                if (end > chunkLayer.origin(along)) {
                    return end;
                }
            }
        }
        return region.origin(along);
    }

    /**
     * Returns the parts of a region in which chunks of a level exist, from the last part to the first.
     *
     * @param level 0 for stored chunks, {@code levels()} for inner chunks
     */
    private static List<Box> layers(ZarrArray array, Box region, int along, int level) {
        TreeMap<Long, Long> ends = new TreeMap<>();
        for (PresentChunk chunk : array.presence(region).atLevel(level)) {
            ends.put(chunk.box().origin(along), chunk.box().end(along));
        }
        List<Box> layers = new ArrayList<>();
        for (Map.Entry<Long, Long> layer : ends.descendingMap().entrySet()) {
            layers.add(
                    Boxes.cut(region, along, layer.getKey(), layer.getValue()).intersect(region));
        }
        return layers;
    }

    private static long endOfLayer(ZarrArray array, Box layer, int along) {
        long end = layer.origin(along);
        for (PresentChunk chunk : array.presence(layer)) {
            end = Math.max(end, endOfChunk(array, chunk.box().intersect(layer), along));
            if (end == layer.end(along)) {
                break;
            }
        }
        return end;
    }

    private static long endOfChunk(ZarrArray array, Box chunk, int along) {
        DataType type = array.dataType();
        int size = type.carrier().wordSize();
        NdArray read = array.read(chunk);
        ByteBuffer elements =
                ByteBuffer.allocate(Math.toIntExact(chunk.count() * size)).order(ByteOrder.LITTLE_ENDIAN);
        long[] strides = Shapes.strides(chunk.shape());
        JavaArrayAdapters.feed(type, chunk.shape(), read.array(), 0)
                .get(chunk.atZero(), Elements.Fixed.in(type, elements), 0, strides);
        ByteBuffer fill = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        long[] one = {1};
        ElementCopy.fill(array.fillValue(), Elements.Fixed.in(type, fill), 0, one, one);
        long last = -1;
        for (int i = 0; i < chunk.count(); i++) {
            long slice = i / strides[along] % chunk.shape(along);
            if (slice > last && !elements.slice(i * size, size).equals(fill)) {
                last = slice;
            }
        }
        return chunk.origin(along) + last + 1;
    }
}
