package dev.shardkit;

import dev.shardkit.javaarray.RecordFields;
import dev.shardkit.region.read.RegionReads;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Field;
import java.util.concurrent.CompletableFuture;

/**
 * Reads one field of an array of records ({@code struct}). Records are stored whole, so reading a field reads the whole
 * records of the region. A field cannot be written alone: {@link NdArray#withField} replaces its values in memory, and
 * the caller writes the whole records. Immutable and thread-safe; a nested record has fields of its own
 * ({@link NdArray#field}).
 */
public final class ZarrField {
    private final ZarrArray array;
    private final RegionReads reads;
    private final Field field;

    ZarrField(ZarrArray array, RegionReads reads, String name) {
        this.array = array;
        this.reads = reads;
        this.field = RecordFields.find(array.dataType(), name);
    }

    /** Returns the name. */
    public String name() {
        return field.name();
    }

    /** Returns the data type of the field. */
    public DataType dataType() {
        return field.type();
    }

    /** Returns the shape of the array. */
    public long[] shape() {
        return array.shape();
    }

    /** Reads the field of all records; throws as {@link ZarrArray#read()} does. */
    public NdArray read() {
        return read(array.domain());
    }

    /** Reads the field of the records in a region; throws as {@link ZarrArray#read(Box)} does. */
    public NdArray read(Box region) {
        return reads.read(array.check(region), this::values);
    }

    /**
     * Reads the field of the records in a region; the result fails as that of {@link ZarrArray#readAsync(Box)}.
     * Cancelling it stops the read.
     */
    public CompletableFuture<NdArray> readAsync(Box region) {
        return reads.start(array.check(region), this::values);
    }

    private NdArray values(Box region, Object records) {
        return NdArray.of(array.dataType(), region.shape(), records).field(field.name());
    }

    @Override
    public String toString() {
        return field.name() + ": " + field.type().name() + " of " + array;
    }
}
