package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * A change of a stored object, or of the slice of a shard that holds an inner chunk. An edit performs no I/O: the
 * engine carries it out with the capabilities of the store. Immutable and thread-safe.
 */
public sealed interface Edit {
    /** Deletes the object, since all elements equal the fill value. */
    record Delete() implements Edit {}

    /** Leaves the object as it is. */
    record Keep() implements Edit {}

    /**
     * Replaces the object's content by these pieces, concatenated.
     *
     * @param fallbackReason why this is not a patch, if the policy asked for one and an object exists
     * @param pieces the new content
     */
    record Replace(List<Piece> pieces, Optional<String> fallbackReason) implements Edit {
        /** Copies {@code pieces}. */
        public Replace {
            pieces = List.copyOf(pieces);
        }

        /** Creates a replacement that the policy asked for. */
        public Replace(List<Piece> pieces) {
            this(pieces, Optional.empty());
        }

        /** Returns the new size in bytes. */
        public long size() {
            return sum(pieces);
        }
    }

    /**
     * Changes the object in place: first appends, then overwrites. Readers of a shard whose index is at the start
     * ignore appended bytes: they see the old content until the first write of {@code overwritten}, and the new content
     * after the last one.
     *
     * @param oldSize the object's current size in bytes, where {@code appended} begins; a longer object is truncated to
     *     this size first
     * @param appended the pieces to append after the old end, in order; copied pieces come from before the old end
     * @param overwritten the writes before the old end, done last; they do not overlap
     * @param recovery how an interrupted patch is detected and completed or rolled back
     * @param strategy the strategy of this patch: {@link ShardWritePolicy.Strategy#IN_PLACE} or
     *     {@link ShardWritePolicy.Strategy#APPEND}
     * @param fallbackReason why this is not the strategy that the policy asked for; empty if it is
     */
    record Patch(
            long oldSize,
            List<Piece> appended,
            List<Write> overwritten,
            Recovery recovery,
            ShardWritePolicy.Strategy strategy,
            Optional<String> fallbackReason)
            implements Edit {
        /** Copies the lists. */
        public Patch {
            appended = List.copyOf(appended);
            overwritten = List.copyOf(overwritten);
        }

        /** Returns the new size in bytes. */
        public long size() {
            return Math.addExact(oldSize, sum(appended));
        }

        /** Returns the number of bytes to write. */
        public long written() {
            long bytes = sum(appended);
            for (Write w : overwritten) {
                bytes += w.bytes().size();
            }
            return bytes;
        }
    }

    /** Overwrites the bytes at {@code offset}. */
    record Write(long offset, Bytes bytes) {}

    /** How a patch that a crash interrupted is detected and completed or rolled back. */
    enum Recovery {
        /** The store keeps a journal during the patch: the overwritten bytes, or the old size to truncate to. */
        JOURNAL,
        /**
         * The patch overwrites nothing, and ends with an index that has a checksum. After a crash, the object is
         * truncated behind its last valid index.
         */
        LAST_INDEX
    }

    /** Creates an edit that replaces the object's content by {@code bytes}. */
    static Edit replace(Bytes bytes) {
        return new Replace(List.of(new Piece.Literal(bytes)));
    }

    private static long sum(List<Piece> pieces) {
        long size = 0;
        for (Piece p : pieces) {
            size = Math.addExact(size, p.size());
        }
        return size;
    }
}
