package dev.shardkit.maintenance.check;

import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.DataLocation;
import java.util.List;
import java.util.Optional;

/**
 * A finding of {@link Verification}: a fault or an oddity of a stored object or of a node. Immutable and thread-safe.
 *
 * @param severity the severity: an error or a note
 * @param kind the kind of the finding
 * @param node the path of the array or group in its store
 * @param location the stored object and the nested inner chunks; empty if the finding concerns the node
 * @param bytes the affected bytes of the stored object, if known
 * @param expected what should be stored
 * @param found what is stored
 */
public record Finding(
        Severity severity,
        Kind kind,
        String node,
        Optional<DataLocation> location,
        Optional<Extent> bytes,
        String expected,
        String found) {
    /** The severity of a finding. */
    public enum Severity {
        /** Data is lost, wrong or unreachable. */
        ERROR,
        /** The data is legal and can be read. */
        NOTE
    }

    /** The kind of a finding. */
    public enum Kind {
        /** A document that violates the specification. */
        METADATA,
        /** Data that no available plug-in can check. */
        UNSUPPORTED,
        /** An object that the store failed to read. */
        UNREADABLE,
        /** A change in place that was interrupted. The next write or {@link Repair} completes it or rolls it back. */
        CUT_SHORT,
        /** A temporary file of an interrupted write, which readers ignore. */
        LEFTOVER,
        /** A shard index that cannot be decoded. */
        INDEX,
        /**
         * The end of the last valid index in a shard whose end is invalid. {@link Repair} can truncate the shard there.
         */
        LAST_INDEX,
        /** An invalid index entry. */
        ENTRY,
        /** Inner chunks that share bytes. */
        OVERLAP,
        /** Unused bytes before the first inner chunk, such as a foreign header. */
        LEADING_BYTES,
        /** Unused bytes between inner chunks. */
        GAP,
        /** Unused bytes after the last inner chunk, such as a foreign footer. */
        TRAILING_BYTES,
        /** A chunk or inner chunk that does not decode. */
        CHUNK,
        /** A checksum that does not match. */
        CHECKSUM,
        /** An object below the array that is not one of its chunks. */
        FOREIGN_OBJECT,
        /**
         * A stored chunk that no reader finds: outside the grid, or with a key in the other chunk key encoding. An
         * append or a change of layout that failed may have left it; {@link Repair#droppingStrays} deletes it.
         */
        STRAY_CHUNK,
        /** A node that readers do not find from the root, because a folder above it is not a group. */
        HIDDEN_NODE,
        /** A group with work that was interrupted, such as a pyramid or a copy. Rerunning the command resumes it. */
        UNFINISHED,
        /** The number of further findings of one shard, which are not listed. */
        MORE
    }

    /** Returns the key of the stored object, if the finding concerns one. */
    public Optional<String> key() {
        return location.flatMap(DataLocation::key);
    }

    /**
     * Returns the cells of the nested inner chunks, outermost level first; empty if the finding concerns the whole
     * object.
     */
    public List<long[]> innerChunks() {
        return location.map(DataLocation::innerChunks).orElse(List.of());
    }

    @Override
    public String toString() {
        return severity.name().toLowerCase(java.util.Locale.ROOT) + " " + node + (node.isEmpty() ? "" : " ")
                + location.map(p -> p + " ").orElse("")
                + bytes.map(b -> "bytes " + b.offset() + " to " + (b.offset() + b.size()) + ": ")
                        .orElse("")
                + "expected " + expected + ", found " + found;
    }
}
