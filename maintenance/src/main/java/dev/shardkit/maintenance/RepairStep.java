package dev.shardkit.maintenance;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.error.Place;
import java.util.Optional;

/**
 * One thing that a repair does, or would do. Immutable.
 *
 * @param kind what it does
 * @param array the path of the array
 * @param place the object, and the inner chunk
 * @param bytes which bytes of the object are lost
 * @param reason what was found
 */
public record RepairStep(Kind kind, String array, Optional<Place> place, Optional<Extent> bytes, String reason) {
    /** What a step does. */
    public enum Kind {
        /** Completes or rolls back an interrupted change in place. */
        END_CHANGE,
        /** Removes the bytes behind the last valid index. */
        CUT,
        /** Removes the index entry of a damaged inner chunk, and its bytes with it. */
        DROP_INNER_CHUNK,
        /** Deletes a damaged chunk that lies in no shard. */
        DROP_CHUNK,
        /** Deletes a shard whose index is lost, with all its inner chunks. */
        DROP_SHARD,
        /** Deletes the temporary file of an unfinished write. */
        REMOVE_TEMPORARY,
        /** Changes nothing: this remains wrong. */
        LEFT
    }
}
