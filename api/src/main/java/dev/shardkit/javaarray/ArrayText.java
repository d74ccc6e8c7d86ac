package dev.shardkit.javaarray;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Field;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.Shapes;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;

/**
 * Formats the elements of an array as text in nested brackets, as NumPy does. For an array of more than 1,000 elements,
 * the text contains only the first and last three elements of each dimension.
 */
public final class ArrayText {
    /** The largest number of elements of an array that is printed completely. */
    private static final int MAX_ELEMENTS = 1000;
    /** The number of positions that are printed at each end of a dimension, if the array is too large. */
    private static final long EDGE_ELEMENTS = 3;

    private final DataType type;
    private final long[] shape;
    private final Object array;
    private final boolean isComplete;

    /** Formats all elements of {@code array}. */
    public ArrayText(DataType type, long[] shape, Object array) {
        this.type = type;
        this.shape = shape;
        this.array = array;
        this.isComplete = Shapes.count(shape) <= MAX_ELEMENTS;
    }

    @Override
    public String toString() {
        List<String> texts = new ArrayList<>();
        collect(0, 0, texts);
        int width = texts.stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder();
        print(0, texts.listIterator(), width, text);
        return text.toString();
    }

    /** Returns whether position {@code i} of dimension {@code d} is left out. */
    private boolean isSkipped(int d, long i) {
        return !isComplete && shape[d] > 2 * EDGE_ELEMENTS && i >= EDGE_ELEMENTS && i < shape[d] - EDGE_ELEMENTS;
    }

    /**
     * Collects the texts of the printed elements of one part of the array. One position in each dimension before
     * {@code d} selects the part.
     *
     * @param first the number of the part among all such parts, in C order
     */
    private void collect(int d, long first, List<String> texts) {
        if (d == shape.length) {
            texts.add(element((int) first));
            return;
        }
        for (long i = 0; i < shape[d]; i = isSkipped(d, i + 1) ? shape[d] - EDGE_ELEMENTS : i + 1) {
            collect(d + 1, first * shape[d] + i, texts);
        }
    }

    /** Prints a part of the array, as {@link #collect} has collected it, aligned to {@code width} characters. */
    private void print(int d, java.util.Iterator<String> texts, int width, StringBuilder out) {
        if (d == shape.length) {
            String text = texts.next();
            out.append(" ".repeat(width - text.length())).append(text);
            return;
        }
        boolean last = d == shape.length - 1;
        String separator = last ? " " : "\n".repeat(shape.length - 1 - d) + " ".repeat(d + 1);
        out.append('[');
        for (long i = 0; i < shape[d]; ) {
            out.append(i > 0 ? separator : "");
            print(d + 1, texts, width, out);
            boolean skips = isSkipped(d, i + 1);
            if (skips) {
                out.append(separator).append("...");
            }
            i = skips ? shape[d] - EDGE_ELEMENTS : i + 1;
        }
        out.append(']');
    }

    private String element(int i) {
        return type.fields().isEmpty() ? element(type, array, i) : record((byte[]) array, i);
    }

    /** Returns the text of record {@code i}: the texts of its fields in parentheses. */
    private String record(byte[] records, int i) {
        int size = type.elementSize().orElseThrow();
        byte[] recordBytes = Arrays.copyOfRange(records, i * size, (i + 1) * size);
        StringJoiner fields = new StringJoiner(", ", "(", ")");
        for (Field field : type.fields()) {
            Object value = RecordFields.get(type, new long[0], recordBytes, field);
            fields.add(new ArrayText(field.type(), new long[0], value).element(0));
        }
        return fields.toString();
    }

    private static String element(DataType type, Object array, int i) {
        if (NumberArrays.isReal(type)) {
            return NumberArrays.text(type, array, i);
        } else if (array instanceof String[] strings) {
            return "'" + strings[i] + "'";
        } else if (array instanceof byte[][] bytes) {
            return "0x" + HexFormat.of().formatHex(bytes[i]);
        }
        int words = JavaArrayAdapters.wordsPerElement(type);
        if (words == 2 && type.number().isPresent()) { // a complex number
            String imaginary = part(type, array, 2 * i + 1);
            return part(type, array, 2 * i) + (imaginary.startsWith("-") ? "" : "+") + imaginary + "j";
        } else if (array instanceof byte[] bytes) {
            return "0x" + HexFormat.of().formatHex(bytes, i * words, (i + 1) * words);
        }
        return String.valueOf(Array.get(array, i));
    }

    /** Returns the text of a real or an imaginary part. */
    private static String part(DataType type, Object array, int word) {
        Number bits = (Number) Array.get(array, word);
        // smaller floats are carried as their bits
        boolean isValue = array instanceof float[] || array instanceof double[];
        FloatingFormat format = (FloatingFormat) type.number().orElseThrow();
        return isValue ? bits.toString() : String.valueOf((float) format.value(bits.longValue()));
    }
}
