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
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** Reads the table of variables block by block. */
final class VariableReader extends ArrowReader {
    private static final long MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1000;

    private final CfTable table;
    private final Schema schema;
    private final Iterator<CfRows> blocks;
    private final Map<Integer, Map<Long, Integer>> codes = new HashMap<>();
    private long bytes;

    VariableReader(BufferAllocator allocator, CfTable table, Schema schema, int batch) {
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
        List<CfFlags.Flag> all = flags.flags();
        dictionary.allocateNew();
        for (int i = 0; i < all.size(); i++) {
            dictionary.setSafe(i, all.get(i).meaning().getBytes(StandardCharsets.UTF_8));
            indices.putIfAbsent(all.get(i).value().orElseThrow(), i);
        }
        dictionary.setValueCount(all.size());
        return indices;
    }

    @Override
    public boolean loadNextBatch() throws java.io.IOException {
        prepareLoadNextBatch();
        if (!blocks.hasNext()) {
            return false;
        }
        CfRows rows = blocks.next();
        for (int c = 0; c < rows.columns().size(); c++) {
            FieldVector vector = getVectorSchemaRoot().getVector(c);
            vector.setInitialCapacity(rows.count());
            vector.allocateNew();
            load(rows, c, vector);
            vector.setValueCount(rows.count());
            bytes += vector.getBufferSize();
        }
        getVectorSchemaRoot().setRowCount(rows.count());
        return true;
    }

    private void load(CfRows rows, int c, FieldVector vector) {
        Setter setter = setter(rows.columns().get(c), rows.values(c), c, vector);
        boolean[] missing = rows.values(c).missing();
        for (int row = 0; row < rows.count(); row++) {
            int i = rows.index(c, row);
            if (missing[i] || !setter.set(row, i)) {
                vector.setNull(row);
            }
        }
    }

    /** Sets a row to the i-th element; returns false if it is null. */
    private interface Setter {
        boolean set(int row, int i);
    }

    private Setter setter(CfColumn column, CfValues values, int c, FieldVector vector) {
        if (codes.containsKey(c)) {
            double[] numbers = values.doubles();
            return (row, i) -> {
                Integer index = codes.get(c).get((long) numbers[i]);
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
                spans.setSafe(row, micros(values.durations().get(i).orElseThrow()));
                return true;
            };
        } else if (vector instanceof VarCharVector texts) {
            return (row, i) -> {
                String text = values.kind() == CfKind.TIME
                        ? values.times().get(i).orElseThrow().toString()
                        : values.values().strings()[i];
                texts.setSafe(row, text.getBytes(StandardCharsets.UTF_8));
                return true;
            };
        }
        return number(values.values().array(), vector);
    }

    private static Setter number(Object array, FieldVector vector) {
        if (vector instanceof BitVector bits) {
            return (row, i) -> set(() -> bits.setSafe(row, ((boolean[]) array)[i] ? 1 : 0));
        } else if (vector instanceof Float8Vector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((double[]) array)[i]));
        } else if (vector instanceof Float4Vector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((float[]) array)[i]));
        } else if (vector instanceof Float2Vector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((short[]) array)[i]));
        } else if (vector instanceof TinyIntVector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((byte[]) array)[i]));
        } else if (vector instanceof UInt1Vector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((byte[]) array)[i]));
        } else if (vector instanceof SmallIntVector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((short[]) array)[i]));
        } else if (vector instanceof UInt2Vector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((short[]) array)[i]));
        } else if (vector instanceof IntVector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((int[]) array)[i]));
        } else if (vector instanceof UInt4Vector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((int[]) array)[i]));
        } else if (vector instanceof UInt8Vector numbers) {
            return (row, i) -> set(() -> numbers.setSafe(row, ((long[]) array)[i]));
        }
        return (row, i) -> set(() -> ((BigIntVector) vector).setSafe(row, Array.getLong(array, i)));
    }

    private static boolean set(Runnable action) {
        action.run();
        return true;
    }

    /**
     * Returns the microseconds since 1970, rounded.
     *
     * @throws UnsupportedException if {@code java.time} does not have the moment
     */
    private static long micros(CfColumn column, CfDateTime time) {
        LocalDateTime local = time.toLocalDateTime()
                .orElseThrow(() -> new UnsupportedException("column " + column.name() + ": expected moments since 1582,"
                        + " which Arrow's timestamps have, found " + time));
        return micros(Duration.ofSeconds(local.toEpochSecond(ZoneOffset.UTC), local.getNano()));
    }

    private static long micros(Duration span) {
        Duration rounded = span.plusNanos(NANOS_OF_MICRO / 2);
        return Math.addExact(Math.multiplyExact(rounded.getSeconds(), MICROS), rounded.getNano() / NANOS_OF_MICRO);
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
