package dev.shardkit.maintenance;

import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.DataLocation;
import java.util.Optional;

/**
 * One step of a {@link Repair}: something that was changed, would be changed, or was left unchanged. Immutable.
 *
 * @param kind the kind of the step
 * @param array the path of the array
 * @param location the stored object, and the inner chunk if the step concerns one
 * @param bytes the bytes of the object that are lost or damaged, if known
 * @param reason a description of the fault
 */
public record RepairStep(
        Kind kind, String array, Optional<DataLocation> location, Optional<Extent> bytes, String reason) {
    /** The kind of a step. */
    public enum Kind {
        /** Completes or rolls back an interrupted change in place. */
        END_CHANGE,
        /** Truncates a shard after its last valid index, which removes the bytes of an interrupted append. */
        CUT,
        /** Rebuilds the damaged index of a shard from the entries whose inner chunks decode. */
        REBUILD_INDEX,
        /** Removes the index entry of a damaged inner chunk, and its bytes with it. */
        DROP_INNER_CHUNK,
        /** Deletes a damaged chunk of an array without shards. */
        DROP_CHUNK,
        /** Deletes a shard whose index is lost, or the damaged inner shard of a nested shard, with all inner chunks. */
        DROP_SHARD,
        /** Deletes the temporary file of an unfinished write. */
        REMOVE_TEMPORARY,
        /**
         * Changes nothing: reports a stray chunk, which no reader finds. Only {@link Repair#droppingStrays} deletes it.
         */
        STRAY,
        /** Deletes a stray chunk. */
        DROP_STRAY,
        /** Changes nothing: a fault remains, for the given reason. */
        LEFT
    }
}
