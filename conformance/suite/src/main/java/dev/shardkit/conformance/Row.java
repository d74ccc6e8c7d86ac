package dev.shardkit.conformance;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One row: an array (or a group) and the expected result. Immutable.
 *
 * @param id unique, {@code group/name}
 * @param kind its kind
 * @param folder the node's folder; of rows that are not read from a folder, that of the manifests
 * @param expected the expected values; empty for malformed rows and for those that the Python programs judge
 * @param refusal the expected refusal of a malformed row; empty for valid ones
 * @param selection the only box to read, for arrays that are too large to read as a whole
 * @param tags the features that the row needs
 * @param special the purpose of the row
 */
public record Row(
        String id,
        Kind kind,
        Path folder,
        Optional<Expected> expected,
        Optional<Refusal> refusal,
        Optional<List<SelectionRange>> selection,
        Set<String> tags,
        String special) {
    /** The kind of a row. */
    public enum Kind {
        /** A valid array. */
        ARRAY,
        /** A group, which only libraries test, not tools. */
        GROUP,
        /** An array of the 2022 draft. */
        DRAFT,
        /** An array that must be refused. */
        MALFORMED,
        /** An array to write. */
        WRITE,
        /** A region of a stored array to change. */
        UPDATE,
        /** A box of an array to read over HTTP. */
        PARTIAL,
        /** A box to read while the server fails or its objects change: right values, or a refusal. */
        FAULT;

        /** Whether only values are a success, not a refusal. */
        public boolean isSound() {
            return this != MALFORMED && this != FAULT;
        }
    }

    /** The format of expected values. */
    public enum Format {
        /** Little-endian elements in C order. */
        RAW,
        /** Variable-length elements in JSON. */
        JSON,
        /** The tree below a group in JSON. */
        HIERARCHY
    }

    /**
     * The expected values.
     *
     * @param file the file with the values
     * @param format its format
     * @param sha256 the file's SHA-256 in hexadecimal digits; empty if the manifest has none
     */
    public record Expected(Path file, Format format, Optional<String> sha256) {}

    /**
     * How shardkit refuses a malformed array.
     *
     * @param classes the names of matching error classes, the best one first
     * @param stage when it is refused
     * @param part a box whose read must also fail
     * @param faults the matching kinds of fault, in the words of the batch protocol; empty: any
     */
    public record Refusal(List<String> classes, Stage stage, Optional<List<SelectionRange>> part, Set<String> faults) {}

    /** When a malformed array must be refused. */
    public enum Stage {
        /** When it is opened. */
        OPEN,
        /** When it is read. */
        READ,
        /** Either, depending on the reader's limits. */
        EITHER
    }

    /** Whether the specification allows a reader to accept this malformed row. */
    public boolean isChoice() {
        return tags.contains("choice");
    }

    /** Whether it should be read under a memory limit. */
    public boolean isHostile() {
        return tags.contains("hostile");
    }

    /** Returns the reason why a tool is not run on it; empty if it is. */
    Optional<String> unasked() {
        return switch (kind) {
            case ARRAY, MALFORMED, WRITE, UPDATE, PARTIAL, FAULT -> Optional.empty();
            case GROUP -> Optional.of("a group: for libraries, not for tools");
            case DRAFT -> Optional.of("the 2022 draft is not part of Zarr v3");
        };
    }
}
