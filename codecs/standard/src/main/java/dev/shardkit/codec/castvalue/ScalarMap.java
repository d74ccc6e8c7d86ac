package dev.shardkit.codec.castvalue;

import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * One direction of {@code scalar_map} in the metadata: maps scalars to other scalars, before any rounding. Scalars are
 * compared as numbers: both zeros are equal, and so are all NaN. Immutable and thread-safe.
 */
final class ScalarMap {
    /** The mapped scalars in ascending order: integers, or the bits of doubles. */
    private final long[] keys;
    /** The counterpart of each key, in the same form. */
    private final long[] values;

    private ScalarMap(Map<Long, Long> map) {
        this.keys = map.keySet().stream().mapToLong(k -> k).toArray();
        this.values = map.values().stream().mapToLong(v -> v).toArray();
    }

    /** Reads the pairs of {@code list}; if keys are equal, the first one counts. */
    static ScalarMap parse(Json.Arr list, String description, DataType source, DataType target) {
        Map<Long, Long> map = new TreeMap<>();
        for (int i = 0; i < list.items().size(); i++) {
            Json.Arr pair = (Json.Arr) list.items().get(i);
            map.putIfAbsent(
                    scalar(description + "/" + i + "/0", source, pair.items().get(0)),
                    scalar(description + "/" + i + "/1", target, pair.items().get(1)));
        }
        return new ScalarMap(map);
    }

    static ScalarMap none() {
        return new ScalarMap(Map.of());
    }

    /** Returns an integer, or the bits of a double. */
    private static long scalar(String description, DataType type, Json json) {
        // the specification's example uses this spelling
        Json value = json.equals(Json.of("+Infinity")) ? Json.of("Infinity") : json;
        byte[] bytes = StoredNumbers.scalar(description, type, value).bytes();
        ByteBuffer word = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        NumberFormat format = type.number().orElseThrow();
        return format instanceof IntegerFormat w
                ? StoredNumbers.load(w, bytes.length, word, 1)[0]
                : Double.doubleToLongBits(StoredNumbers.load((FloatingFormat) format, bytes.length, word, 1)[0]);
    }

    boolean isEmpty() {
        return keys.length == 0;
    }

    /** Returns the index of the entry for an integer; negative if it is not mapped. */
    int find(long value) {
        return keys.length == 0 ? -1 : Arrays.binarySearch(keys, value);
    }

    /** Returns the index of the entry for a floating-point number; negative if it is not mapped. */
    int find(double value) {
        if (keys.length == 0) {
            return -1;
        }
        int position = Arrays.binarySearch(keys, Double.doubleToLongBits(value));
        return position < 0 && value == 0 ? Arrays.binarySearch(keys, Double.doubleToLongBits(-value)) : position;
    }

    long wholeAt(int index) {
        return values[index];
    }

    double floatingAt(int index) {
        return Double.longBitsToDouble(values[index]);
    }
}
