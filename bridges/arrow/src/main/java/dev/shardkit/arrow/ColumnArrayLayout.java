package dev.shardkit.arrow;

import dev.shardkit.ArraySpec;

/** Chooses the chunks, shards and codecs of the array that stores a column of an Arrow table. */
@FunctionalInterface
public interface ColumnArrayLayout {
    /** Inner chunks of 2^16 rows in shards of 2^20. */
    ColumnArrayLayout DEFAULT = (column, spec) -> spec.withChunkShape(1 << 16).withShardShape(1 << 20);

    /**
     * Returns the specification of an array, such as {@code spec.withChunkShape(1000).withFillValue(-1)}.
     *
     * @param column the name of the column
     * @param spec the data type and the attributes; the length is zero and grows
     */
    ArraySpec of(String column, ArraySpec spec);
}
