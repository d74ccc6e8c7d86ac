package dev.shardkit.arrow;

import dev.shardkit.cf.CfColumn;
import dev.shardkit.cf.CfDateTime;
import dev.shardkit.cf.CfFlags;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfRows;
import dev.shardkit.cf.CfTable;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.error.UnsupportedException;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Reads the table of variables of the CF conventions block by block. A block is one batch, or several if its texts have
 * too many bytes.
 */
final class VariableTableReader extends ArrowReader {
    private static final long MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1000;
    /** The texts of a batch have at most this many bytes, because a label is repeated in each row. */
    private static final long MAX_TEXT_BYTES = 1 << 26;

    private final CfTable table;
    private final Schema schema;
    private final Iterator<CfRows> blocks;
    /**
     * The dictionary index of each code, by the number of the column. Columns of codes (flag_values in CF) become
     * dictionary columns: the dictionary has the meanings, and rows have indices.
     */
    private final Map<Integer, Map<Long, Integer>> codes = new HashMap<>();

    private Optional<Block> block = Optional.empty();
    private long bytes;

    /**
     * A block of rows.
     *
     * @param texts the texts of the elements, by the number of their column
     * @param next the first row of the next batch
     */
    private record Block(CfRows rows, Map<Integer, byte[][]> texts, int next) {}

    VariableTableReader(BufferAllocator allocator, CfTable table, Schema schema, int batch) {
        super(allocator);
        this.table = table;
        this.schema = schema;
        this.blocks = table.blocks(batch);
    }

    @Override
    protected void initialize() throws java.io.IOException {
        super.initialize();
        for (int c = 0; c < table.columns().size(); c++) {
            Optional<CfFlags> flags = table.columns().get(c).variable().flatMap(CfVariable::codes);
            if (flags.isPresent()) {
                codes.put(c, meanings(flags.get(), (VarCharVector)
                        dictionaries.get((long) c).getVector()));
            }
        }
    }

    /** Fills a dictionary; returns the index of the meaning of each code. */
    private static Map<Long, Integer> meanings(CfFlags flags, VarCharVector dictionary) {
        Map<Long, Integer> indices = new HashMap<>();
        Map<String, Integer> meanings = new HashMap<>(); // a dictionary has each value once
        dictionary.allocateNew();
        for (CfFlags.Flag flag : flags.flags()) {
            int next = meanings.size();
            int index = meanings.computeIfAbsent(flag.meaning(), meaning -> next);
            if (index == next) {
                dictionary.setSafe(index, flag.meaning().getBytes(StandardCharsets.UTF_8));
            }
            indices.putIfAbsent(flag.value().orElseThrow(), index);
        }
        dictionary.setValueCount(meanings.size());
        return indices;
    }

    @Override
    public boolean loadNextBatch() throws java.io.IOException {
        prepareLoadNextBatch();
        if (block.isEmpty()) {
            if (!blocks.hasNext()) {
                return false;
            }
            CfRows rows = blocks.next();
            block = Optional.of(new Block(rows, texts(rows), 0));
        }
        Block current = block.get();
        int end = end(current);
        for (int c = 0; c < table.columns().size(); c++) {
            FieldVector vector = getVectorSchemaRoot().getVector(c);
            vector.setInitialCapacity(end - current.next());
            vector.allocateNew();
            load(current, end, c, vector);
            vector.setValueCount(end - current.next());
            bytes += vector.getBufferSize();
        }
        getVectorSchemaRoot().setRowCount(end - current.next());
        block = end == current.rows().count()
                ? Optional.empty()
                : Optional.of(new Block(current.rows(), current.texts(), end));
        return true;
    }

    /** Returns the texts of the elements of each column that has texts. */
    private Map<Integer, byte[][]> texts(CfRows rows) throws java.io.IOException {
        Map<Integer, byte[][]> texts = new HashMap<>();
        for (int c = 0; c < rows.columns().size(); c++) {
            CfValues values = rows.values(c);
            if (getVectorSchemaRoot().getVector(c) instanceof VarCharVector) {
                boolean[] missing = values.missing();
                byte[][] all = new byte[missing.length][0];
                for (int i = 0; i < all.length; i++) {
                    if (!missing[i]) {
                        all[i] = text(values, i).getBytes(StandardCharsets.UTF_8);
                    }
                }
                texts.put(c, all);
            }
        }
        return texts;
    }

    private static String text(CfValues values, int i) {
        return values.kind() == CfKind.TIME
                ? values.times().get(i).orElseThrow().toString()
                : values.values().strings()[i];
    }

    /** Returns the end of the next batch: that of the block, or earlier if the texts have too many bytes. */
    private static int end(Block block) {
        int end = block.next();
        for (long size = 0; end < block.rows().count(); end++) {
            for (Map.Entry<Integer, byte[][]> column : block.texts().entrySet()) {
                size += column.getValue()[block.rows().index(column.getKey(), end)].length;
            }
            if (size > MAX_TEXT_BYTES && end > block.next()) {
                break;
            }
        }
        return end;
    }

    /** Loads the rows of a batch into a vector. Several rows may have the same element, as with coordinates. */
    private void load(Block block, int end, int c, FieldVector vector) {
        CfValues values = block.rows().values(c);
        Setter setter = vector instanceof VarCharVector texts && !codes.containsKey(c)
                ? (row, i) -> always(() -> texts.setSafe(row, block.texts().get(c)[i]))
                : setter(block.rows().columns().get(c), values, c, vector);
        boolean[] missing = values.missing();
        for (int row = block.next(); row < end; row++) {
            int i = block.rows().index(c, row);
            if (missing[i] || !setter.set(row - block.next(), i)) {
                vector.setNull(row - block.next());
            }
        }
    }

    /** Sets a row to the i-th element; returns false if it is null. */
    private interface Setter {
        boolean set(int row, int i);
    }

    /** Returns the setter of a vector for codes, moments, time spans and other numbers. */
    private Setter setter(CfColumn column, CfValues values, int c, FieldVector vector) {
        if (codes.containsKey(c)) {
            return (row, i) -> {
                OptionalLong code = values.integer(i);
                Integer index = code.isPresent() ? codes.get(c).get(code.getAsLong()) : null;
                if (index != null) {
                    ((IntVector) vector).setSafe(row, index);
                }
                return index != null;
            };
        } else if (vector instanceof TimeStampMicroVector moments) {
            return (row, i) -> {
                moments.setSafe(row, micros(column, values.times().get(i).orElseThrow()));
                return true;
            };
        } else if (vector instanceof DurationVector spans) {
            return (row, i) -> {
                spans.setSafe(row, micros(column, values.durations().get(i).orElseThrow()));
                return true;
            };
        }
        return number(values.values().array(), vector);
    }

    /** Returns a setter that copies booleans or numbers from a Java array to a vector of the same type. */
    private static Setter number(Object array, FieldVector vector) {
        if (vector instanceof BitVector bits) {
            return (row, i) -> always(() -> bits.setSafe(row, ((boolean[]) array)[i] ? 1 : 0));
        } else if (vector instanceof Float8Vector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((double[]) array)[i]));
        } else if (vector instanceof Float4Vector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((float[]) array)[i]));
        } else if (vector instanceof Float2Vector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((short[]) array)[i]));
        } else if (vector instanceof TinyIntVector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((byte[]) array)[i]));
        } else if (vector instanceof UInt1Vector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((byte[]) array)[i]));
        } else if (vector instanceof SmallIntVector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((short[]) array)[i]));
        } else if (vector instanceof UInt2Vector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((short[]) array)[i]));
        } else if (vector instanceof IntVector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((int[]) array)[i]));
        } else if (vector instanceof UInt4Vector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((int[]) array)[i]));
        } else if (vector instanceof UInt8Vector numbers) {
            return (row, i) -> always(() -> numbers.setSafe(row, ((long[]) array)[i]));
        }
        return (row, i) -> always(() -> ((BigIntVector) vector).setSafe(row, Array.getLong(array, i)));
    }

    /** Runs an action that sets a value, and returns true, because the value is not null. */
    private static boolean always(Runnable action) {
        action.run();
        return true;
    }

    /**
     * Returns the microseconds since 1970, rounded.
     *
     * @throws UnsupportedException if {@code java.time} does not have the moment, or 64 bits its microseconds
     */
    private static long micros(CfColumn column, CfDateTime time) {
        LocalDateTime local = time.toLocalDateTime()
                .orElseThrow(() -> new UnsupportedException("column " + column.name() + ": expected moments since 1582,"
                        + " which Arrow's timestamps have, found " + time));
        return micros(column, Duration.ofSeconds(local.toEpochSecond(ZoneOffset.UTC), local.getNano()));
    }

    private static long micros(CfColumn column, Duration span) {
        try {
            Duration rounded = span.plusNanos(NANOS_OF_MICRO / 2);
            return Math.addExact(Math.multiplyExact(rounded.getSeconds(), MICROS), rounded.getNano() / NANOS_OF_MICRO);
        } catch (ArithmeticException e) {
            throw new UnsupportedException("column " + column.name() + ": expected microseconds of 64 bits, which"
                    + " Arrow's timestamps and durations have, found the seconds " + span.getSeconds());
        }
    }

    /** Returns the number of bytes of the vectors so far. */
    @Override
    public long bytesRead() {
        return bytes;
    }

    /** Closes nothing, because the caller owns the dataset. */
    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
        return schema;
    }
}
