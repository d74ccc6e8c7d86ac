package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * What has to happen to a stored object (or to the slice of one that an inner chunk is). Describes, does nothing: the
 * engine carries it out by what the store can do. Immutable and thread-safe.
 */
public sealed interface Edit {
    /** Nothing but the fill value is left: the object goes. */
    record Absent() implements Edit {}

    /** Nothing changes. */
    record Keep() implements Edit {}

    /**
     * The object's content becomes these pieces, one after the other.
     *
     * @param instead why this is no patch, if the policy asked for one and there was something to patch
     */
    record Replace(List<Piece> pieces, Optional<String> instead) implements Edit {
        /** Takes a copy of {@code pieces}. */
        public Replace {
            pieces = List.copyOf(pieces);
        }

        /** The content that was asked for. */
        public Replace(List<Piece> pieces) {
            this(pieces, Optional.empty());
        }

        /** The new size in bytes. */
        public long size() {
            return sum(pieces);
        }
    }

    /**
     * The object is changed where it lies. Until the first of {@code overwritten} is written the object is what it was,
     * if bytes behind its end mean nothing to readers (an index at the start); once all are, it is what it becomes.
     *
     * @param oldSize where {@code appended} begins: the object's size now (a longer object is cut there first)
     * @param appended goes behind the old end, one after the other; pieces moved come from before it
     * @param overwritten what changes before the old end, done after all else; no two have a byte in common
     * @param recovery how a patch that was cut short is found and ended
     * @param strategy what is done: {@link WritePolicy.Strategy#IN_PLACE} or {@link WritePolicy.Strategy#APPEND}
     * @param instead why this is not the strategy that the policy asked for, if it is not
     */
    record Patch(
            long oldSize,
            List<Piece> appended,
            List<Write> overwritten,
            Recovery recovery,
            WritePolicy.Strategy strategy,
            Optional<String> instead)
            implements Edit {
        /** Takes copies of the lists. */
        public Patch {
            appended = List.copyOf(appended);
            overwritten = List.copyOf(overwritten);
        }

        /** The new size in bytes. */
        public long size() {
            return Math.addExact(oldSize, sum(appended));
        }

        /** How many bytes are written. */
        public long written() {
            long bytes = sum(appended);
            for (Write w : overwritten) {
                bytes += w.bytes().size();
            }
            return bytes;
        }
    }

    /** Bytes that take the place of those at {@code offset}. */
    record Write(long offset, Bytes bytes) {}

    /** How a patch that was cut short by a crash is found and ended. */
    enum Recovery {
        /** The store keeps a journal while it is under way: what is overwritten, or the size to go back to. */
        JOURNAL,
        /** Nothing is overwritten, and the object ends with a checksummed index: the last one that is valid counts. */
        LAST_INDEX
    }

    /** The object's content becomes {@code bytes}. */
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
