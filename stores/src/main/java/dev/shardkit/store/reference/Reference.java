package dev.shardkit.store.reference;

import dev.shardkit.spi.plan.Bytes;
import java.util.List;
import java.util.OptionalLong;

/** The reference of one key. Immutable. */
sealed interface Reference {
    /** A whole target. */
    record Whole(int target) implements Reference {}

    /** A value that is computed from ranges of a target. */
    record Made(int target, SynthesizedValue value) implements Reference {}

    /** Concatenated bytes of the document or of targets. */
    record Pieces(List<Piece> pieces) implements Reference {
        long size() {
            long size = 0;
            for (Piece piece : pieces) {
                size += piece.size();
            }
            return size;
        }
    }

    /** One piece. */
    sealed interface Piece {
        long size();
    }

    /** Bytes in the document. */
    record Inline(Bytes bytes) implements Piece {
        @Override
        public long size() {
            return bytes.size();
        }
    }

    /** A byte range of a target, which is given by its number. */
    record Part(int target, long offset, long size, OptionalLong objectSize) implements Piece {}
}
