package dev.shardkit.cli.print.elements;

import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfValues;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Decoded elements of a variable (CF conventions): numbers after scale and offset, booleans, texts, and times and time
 * spans in the form of ISO 8601. Missing numbers are NaN, missing times and time spans NaT; in JSON, both are null.
 */
final class PhysicalElements implements PrintedElements {
    private final CfValues values;
    private final boolean[] missing;
    private final List<Optional<Duration>> durations;

    PhysicalElements(CfValues values) {
        this.values = values;
        this.missing = values.missing();
        this.durations = values.durations();
    }

    @Override
    public int count() {
        return values.count();
    }

    @Override
    public String text(int i) {
        Optional<String> moment = moment(i);
        if (moment.isPresent()) {
            return moment.get();
        } else if (values.kind() == CfKind.TIME || values.kind() == CfKind.DURATION) {
            return "NaT";
        }
        String json = missing[i] ? "NaN" : shown(i).toString();
        // Infinities are strings in JSON, so they have quotes, which only texts keep.
        return values.kind() == CfKind.TEXT ? json : json.replace("\"", "");
    }

    /** Returns the text of a time or a time span; empty if it is missing or of another kind. */
    private Optional<String> moment(int i) {
        return values.times().get(i).map(Object::toString).or(() -> durations
                .get(i)
                .map(Object::toString));
    }

    @Override
    public Json json(int i) {
        Optional<String> moment = moment(i);
        // A time or a time span without text is missing.
        boolean isNull = missing[i] || values.kind() == CfKind.TIME || values.kind() == CfKind.DURATION;
        if (moment.isPresent()) {
            return Json.of(moment.get());
        }
        return isNull ? new Json.Null() : shown(i);
    }

    /** Returns an element that is neither missing nor a time or a time span. */
    private Json shown(int i) {
        return values.values().dataType().show(FillValue.of(bytes(i)));
    }

    /** Returns the little-endian bytes of a number or boolean, or the UTF-8 bytes of a text. */
    private byte[] bytes(int i) {
        Object array = values.values().array();
        ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (array instanceof String[] texts) {
            return texts[i].getBytes(StandardCharsets.UTF_8);
        } else if (array instanceof double[] numbers) {
            word.putDouble(numbers[i]);
        } else if (array instanceof float[] numbers) {
            word.putFloat(numbers[i]);
        } else if (array instanceof boolean[] flags) {
            word.put((byte) (flags[i] ? 1 : 0));
        } else {
            word.putLong(Array.getLong(array, i));
        }
        byte[] bytes = new byte[values.values().dataType().elementSize().orElseThrow()];
        word.get(0, bytes);
        return bytes;
    }

    /** Writes the elements. Missing numbers are NaN; times and time spans are the stored numbers in their units. */
    @Override
    public void writeTo(OutputStream out) throws IOException {
        for (int i = 0; i < count(); i++) {
            byte[] bytes = bytes(i);
            if (values.kind() == CfKind.TEXT) {
                out.write(ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(0, bytes.length)
                        .array());
            }
            out.write(bytes);
        }
    }
}
