package dev.shardkit.maintenance;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.error.Place;
import java.util.List;
import java.util.Optional;

/**
 * One thing that {@link Verification} found. Immutable and thread-safe.
 *
 * @param severity whether it is wrong or only worth knowing
 * @param kind what it is about
 * @param node the path of the array or group in its store
 * @param place the stored object and the inner chunks on the way down from it; empty if it is about the node
 * @param bytes which bytes of the stored object, where that can be said
 * @param expected what should be there
 * @param found what is there
 */
public record Finding(
        Severity severity,
        Kind kind,
        String node,
        Optional<Place> place,
        Optional<Extent> bytes,
        String expected,
        String found) {
    /** Whether something is wrong. */
    public enum Severity {
        /** Data is lost, wrong or out of reach. */
        ERROR,
        /** Legal, and reads are not affected. */
        NOTE
    }

    /** What a finding is about. */
    public enum Kind {
        /** A document that breaks the specification. */
        METADATA,
        /** What no plug-in of this program can check. */
        UNSUPPORTED,
        /** The store could not give an object. */
        UNREADABLE,
        /** A change in place that a killed writer left unfinished; the next write or {@link Repair} ends it. */
        CUT_SHORT,
        /** A file that a killed writer left, and that no reader sees. */
        LEFTOVER,
        /** A shard index that cannot be decoded. */
        INDEX,
        /** Where the last index that is valid ends, in a shard whose own is not. */
        LAST_INDEX,
        /** An index entry that cannot be. */
        ENTRY,
        /** Inner chunks with bytes in common. */
        OVERLAP,
        /** Bytes before the first inner chunk that no entry names: a foreign header, perhaps. */
        LEADING_BYTES,
        /** Bytes between inner chunks that no entry names. */
        GAP,
        /** Bytes behind the last inner chunk that no entry names: a foreign footer, perhaps. */
        TRAILING_BYTES,
        /** A chunk or inner chunk that does not decode. */
        CHUNK,
        /** A checksum that does not match. */
        CHECKSUM,
        /** An object below the array that is none of its chunks. */
        FOREIGN_OBJECT,
        /** Findings of one shard that were too many to be told one by one. */
        MORE
    }

    /** The key of the stored object, if it is about one. */
    public Optional<String> key() {
        return place.flatMap(Place::key);
    }

    /** The cells of the inner chunks, outermost level first; empty if it is about the object as a whole. */
    public List<long[]> innerChunks() {
        return place.map(Place::innerChunks).orElse(List.of());
    }

    @Override
    public String toString() {
        return severity.name().toLowerCase(java.util.Locale.ROOT) + " " + node + (node.isEmpty() ? "" : " ")
                + place.map(p -> p + " ").orElse("")
                + bytes.map(b -> "bytes " + b.offset() + " to " + (b.offset() + b.size()) + ": ")
                        .orElse("")
                + "expected " + expected + ", found " + found;
    }
}
