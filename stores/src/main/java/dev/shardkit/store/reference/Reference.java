package dev.shardkit.store.reference;

import dev.shardkit.spi.plan.Bytes;
import java.util.List;
import java.util.OptionalLong;

/** The reference of one key: it says where the key's value is. Targets are objects, given by number. Immutable. */
sealed interface Reference {
    /** A whole target. */
    record Whole(int target) implements Reference {}

    /** A value that is computed from ranges of a target. */
    record Made(int target, SynthesizedValue value) implements Reference {}

    /** A value that is the concatenation of pieces. */
    record Pieces(List<Piece> pieces) implements Reference {
        long size() {
            long size = 0;
            for (Piece piece : pieces) {
                size += piece.size();
            }
            return size;
        }
    }

    /** A piece of a value. */
    sealed interface Piece {
        long size();
    }

    /** Bytes of the document. */
    record Inline(Bytes bytes) implements Piece {
        @Override
        public long size() {
            return bytes.size();
        }
    }

    /**
     * A byte range of a target.
     *
     * @param objectSize the expected size of the target, if the document has it
     */
    record Part(int target, long offset, long size, OptionalLong objectSize) implements Piece {}
}
