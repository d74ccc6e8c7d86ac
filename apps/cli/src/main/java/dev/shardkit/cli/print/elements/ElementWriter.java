package dev.shardkit.cli.print.elements;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrView;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.files.Slabs;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Prints elements in one of the formats of {@link ElementFormat}. Takes them in C order, in any number of pieces. Not
 * thread-safe.
 */
public abstract sealed class ElementWriter {
    final OutputStream out;

    private ElementWriter(OutputStream out) {
        this.out = out;
    }

    /** Returns a writer that prints elements of this shape in {@code format}. */
    private static ElementWriter of(ElementFormat format, long[] shape, OutputStream out) {
        return switch (format) {
            case TEXT -> new Text(out);
            case JSON -> new Nested(shape, out);
            case RAW -> new Raw(out);
        };
    }

    /** Prints the elements of a region. */
    public static void print(
            ElementFormat format,
            ZarrArray array,
            Box region,
            Optional<DecodeTimesOption.Decoder> times,
            OutputStream out)
            throws IOException {
        refuseRawTimes(format, times);
        ElementWriter writer = of(format, region.shape(), out);
        Slabs.read(array, region, elements -> writer.write(new StoredElements(array.dataType(), times, elements)));
        writer.finish();
    }

    /** Prints the elements of a view of the array. */
    public static void print(
            ElementFormat format,
            ZarrArray array,
            ZarrView view,
            Optional<DecodeTimesOption.Decoder> times,
            OutputStream out)
            throws IOException {
        print(format, array, view, view.shape(), times, out);
    }

    /**
     * Prints the elements of a view of the array.
     *
     * @param shape the shape that is printed: that of the view without some dimensions of length 1
     */
    public static void print(
            ElementFormat format,
            ZarrArray array,
            ZarrView view,
            long[] shape,
            Optional<DecodeTimesOption.Decoder> times,
            OutputStream out)
            throws IOException {
        refuseRawTimes(format, times);
        ElementWriter writer = of(format, shape, out);
        Slabs.read(array, view, elements -> writer.write(new StoredElements(array.dataType(), times, elements)));
        writer.finish();
    }

    /**
     * Prints the decoded elements of a view of a variable. Elements that the CF conventions do not decode are printed
     * as they are stored.
     *
     * @param view a view of the variable's array, with all its dimensions and all characters of texts
     * @param shape the shape that is printed: that of the variable's view without some dimensions of length 1
     */
    public static void printPhysical(
            ElementFormat format, CfVariable variable, ZarrView view, long[] shape, OutputStream out)
            throws IOException {
        if (variable.kind() == CfKind.OTHER) { // such as records and complex numbers
            print(format, variable.array(), view, shape, Optional.empty(), out);
            return;
        }
        ElementWriter writer = of(format, shape, out);
        for (Slabs slabs = Slabs.create(variable.array(), Box.of(view.shape())); slabs.hasNext(); ) {
            writer.write(new PhysicalElements(
                    variable.decode(view.region(slabs.next()).read())));
        }
        writer.finish();
    }

    private static void refuseRawTimes(ElementFormat format, Optional<DecodeTimesOption.Decoder> times) {
        if (format == ElementFormat.RAW && times.isPresent()) {
            throw new UsageException("--decode-times prints text: it cannot be used with --format raw");
        }
    }

    /** Prints the next elements. */
    abstract void write(PrintedElements elements) throws IOException;

    /** Prints the end of the output. */
    void finish() throws IOException {}

    /** Prints one element a line. */
    private static final class Text extends ElementWriter {
        Text(OutputStream out) {
            super(out);
        }

        @Override
        void write(PrintedElements elements) throws IOException {
            for (int i = 0; i < elements.count(); i++) {
                out.write(elements.text(i).getBytes(StandardCharsets.UTF_8));
                out.write('\n');
            }
        }
    }

    /** Prints nested JSON lists, one row a line. */
    private static final class Nested extends ElementWriter {
        private static final byte[] SEPARATOR = {',', ' '};
        private static final byte[] NOTHING = {};

        private final long[] shape;
        private final long[] position;

        Nested(long[] shape, OutputStream out) {
            super(out);
            this.shape = shape;
            this.position = new long[shape.length];
        }

        @Override
        void write(PrintedElements elements) throws IOException {
            for (int i = 0; i < elements.count(); i++) {
                openLists();
                out.write(elements.json(i).toString().getBytes(StandardCharsets.UTF_8));
                closeLists();
            }
        }

        /** Prints the opening brackets of lists that begin with the next element. */
        private void openLists() throws IOException {
            // A list of dimension d begins if the indices of this dimension and of all later ones are 0.
            int d = shape.length;
            while (d > 0 && position[d - 1] == 0) {
                d--;
            }
            for (; d < shape.length; d++) {
                out.write('[');
            }
        }

        /** Advances the position. Prints the closing brackets of lists that end, then the separator, if any follows. */
        private void closeLists() throws IOException {
            int d = shape.length - 1;
            while (d >= 0 && ++position[d] == shape[d]) {
                position[d--] = 0;
                out.write(']');
            }
            if (d == shape.length - 1) { // no list ended; d < 0 if the array has no dimensions
                out.write(d < 0 ? NOTHING : SEPARATOR);
            } else if (d >= 0) { // another list follows, on a line of its own
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

    /** Prints the bytes of elements. */
    private static final class Raw extends ElementWriter {
        Raw(OutputStream out) {
            super(out);
        }

        @Override
        void write(PrintedElements elements) throws IOException {
            elements.writeTo(out);
        }
    }
}
