package dev.shardkit.cli.print;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrView;
import dev.shardkit.files.Slabs;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** Prints elements. They arrive in C order, little-endian, in any number of pieces. Not thread-safe. */
public abstract sealed class ElementWriter {
    final OutputStream out;

    private ElementWriter(OutputStream out) {
        this.out = out;
    }

    /** Returns a writer that prints the elements of a region of {@code shape} in {@code format}. */
    private static ElementWriter of(
            Format format, ZarrArray array, long[] shape, Optional<TimeText.Decoder> times, OutputStream out) {
        return switch (format) {
            case TEXT -> new Text(array.dataType(), times, out);
            case JSON -> new Nested(array.dataType(), times, shape, out);
            case RAW -> {
                if (times.isPresent()) {
                    throw new UsageException("--decode-times prints text: it cannot be used with --format raw");
                }
                yield new Raw(out);
            }
        };
    }

    /** Prints the elements of a region. */
    public static void print(
            Format format, ZarrArray array, Box region, Optional<TimeText.Decoder> times, OutputStream out)
            throws IOException {
        ElementWriter writer = of(format, array, region.shape(), times, out);
        Slabs.read(array, region, writer::write);
        writer.finish();
    }

    /** Prints the elements of a view of the array. */
    public static void print(
            Format format, ZarrArray array, ZarrView view, Optional<TimeText.Decoder> times, OutputStream out)
            throws IOException {
        ElementWriter writer = of(format, array, view.shape(), times, out);
        Slabs.read(array, view, writer::write);
        writer.finish();
    }

    /** Prints the next elements. */
    abstract void write(Elements elements) throws IOException;

    /** Prints the end of the output. */
    void finish() throws IOException {}

    /** Returns the JSON form of element {@code index}. */
    private static byte[] toJson(DataType type, Optional<TimeText.Decoder> times, Elements elements, int index) {
        byte[] bytes;
        if (elements instanceof Elements.Variable variable) {
            bytes = variable.values()[index];
        } else {
            Elements.Fixed fixed = (Elements.Fixed) elements;
            bytes = new byte[fixed.elementSize()];
            fixed.bytes().get(index * fixed.elementSize(), bytes);
        }
        Json json = times.isPresent() ? times.get().toJson(bytes) : type.show(FillValue.of(bytes));
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Prints one element a line. Only text has quotes: NaN and infinities do not. */
    private static final class Text extends ElementWriter {
        private static final Pattern QUOTED_NUMBER = Pattern.compile("\"([A-Za-z0-9+.-]+)\"");

        private final DataType type;
        private final Optional<TimeText.Decoder> times;
        private final boolean isString;

        Text(DataType type, Optional<TimeText.Decoder> times, OutputStream out) {
            super(out);
            this.type = type;
            this.times = times;
            boolean isRecord = !type.fields().isEmpty();
            boolean isFixedText = type.carrier() == Carrier.UTF32 || type.name().equals("null_terminated_bytes");
            this.isString = isRecord || type.carrier().isVariable() || isFixedText;
        }

        @Override
        void write(Elements elements) throws IOException {
            for (int i = 0; i < elements.count(); i++) {
                byte[] json = toJson(type, times, elements, i);
                out.write(
                        isString || !contains(json, '"')
                                ? json
                                : times.isPresent() ? withoutQuotes(json) : unquoteNumber(json));
                out.write('\n');
            }
        }

        private static boolean contains(byte[] bytes, char c) {
            for (byte b : bytes) {
                if (b == c) {
                    return true;
                }
            }
            return false;
        }

        private static byte[] withoutQuotes(byte[] json) {
            return Arrays.copyOfRange(json, 1, json.length - 1);
        }

        private static byte[] unquoteNumber(byte[] json) {
            String text = new String(json, StandardCharsets.UTF_8);
            return QUOTED_NUMBER.matcher(text).replaceAll("$1").getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Prints nested JSON lists, one row a line. */
    private static final class Nested extends ElementWriter {
        private static final byte[] SEPARATOR = {',', ' '};
        private static final byte[] NOTHING = {};

        private final DataType type;
        private final Optional<TimeText.Decoder> times;
        private final long[] shape;
        private final long[] position;

        Nested(DataType type, Optional<TimeText.Decoder> times, long[] shape, OutputStream out) {
            super(out);
            this.type = type;
            this.times = times;
            this.shape = shape;
            this.position = new long[shape.length];
        }

        @Override
        void write(Elements elements) throws IOException {
            for (int i = 0; i < elements.count(); i++) {
                openLists();
                out.write(toJson(type, times, elements, i));
                closeLists();
            }
        }

        /** Prints the opening brackets of lists that begin with the next element. */
        private void openLists() throws IOException {
            int d = shape.length;
            while (d > 0 && position[d - 1] == 0) {
                d--;
            }
            for (; d < shape.length; d++) {
                out.write('[');
            }
        }

        /** Prints the closing brackets of lists that end with the last element, or a separator. */
        private void closeLists() throws IOException {
            int d = shape.length - 1;
            while (d >= 0 && ++position[d] == shape[d]) {
                position[d--] = 0;
                out.write(']');
            }
            if (d == shape.length - 1) {
                out.write(d < 0 ? NOTHING : SEPARATOR);
            } else if (d >= 0) {
                out.write((",\n" + " ".repeat(d + 1)).getBytes(StandardCharsets.UTF_8));
            }
        }

        @Override
        void finish() throws IOException {
            if (Box.of(shape).isEmpty()) {
                printEmptyLists(0);
            }
            out.write('\n');
        }

        /** Prints the lists of a shape without elements. */
        private void printEmptyLists(int d) throws IOException {
            out.write('[');
            for (long i = 0; i < shape[d]; i++) {
                out.write(i > 0 ? SEPARATOR : NOTHING);
                printEmptyLists(d + 1);
            }
            out.write(']');
        }
    }

    private static final class Raw extends ElementWriter {
        private static final int PIECE_SIZE = 1 << 16;

        private final byte[] piece = new byte[PIECE_SIZE];

        Raw(OutputStream out) {
            super(out);
        }

        @Override
        void write(Elements elements) throws IOException {
            if (elements instanceof Elements.Variable variable) {
                ByteBuffer size = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
                for (byte[] value : variable.values()) {
                    out.write(size.putInt(0, value.length).array());
                    out.write(value);
                }
                return;
            }
            ByteBuffer bytes = ((Elements.Fixed) elements).bytes().duplicate().rewind();
            while (bytes.hasRemaining()) {
                int length = Math.min(PIECE_SIZE, bytes.remaining());
                bytes.get(piece, 0, length);
                out.write(piece, 0, length);
            }
        }
    }
}
