package dev.shardkit.reference;

import dev.shardkit.spi.plan.Bytes;
import java.util.List;
import java.util.OptionalLong;

/** What a document says of one key. Immutable. */
sealed interface Reference {
    /** All of a target. */
    record Whole(int target) implements Reference {}

    /** Bytes that are in the document, or in targets, one behind the other. */
    record Pieces(List<Piece> pieces) implements Reference {
        long size() {
            long size = 0;
            for (Piece piece : pieces) {
                size += piece.size();
            }
            return size;
        }
    }

    /** One of them. */
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

    /** Bytes of a target, by its number. */
    record Part(int target, long offset, long size, OptionalLong objectSize) implements Piece {}
}
