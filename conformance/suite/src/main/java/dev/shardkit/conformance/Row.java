package dev.shardkit.conformance;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One test case of the fixtures, a row of a manifest: an array (or a group) and the expected result. Immutable.
 *
 * @param id the unique name, {@code group/name}
 * @param kind the kind of the row
 * @param folder the node's folder; for rows that are not read from a folder, the folder of the manifests
 * @param expected the expected values; empty for malformed rows and for rows that the Python programs judge
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
        /** A group, on which libraries are tested, but not tools. */
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

        /** Returns whether the row passes only with values, never with a refusal. */
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
     * The expected refusal of a malformed array.
     *
     * @param classes the names of the error classes of shardkit that match, the best one first
     * @param stage the step in which the array is refused
     * @param part a box whose read must also fail
     * @param faults the kinds of fault that match, in the words of the batch protocol; empty if all match
     */
    public record Refusal(List<String> classes, Stage stage, Optional<List<SelectionRange>> part, Set<String> faults) {}

    /** The step in which a malformed array must be refused. */
    public enum Stage {
        /** When it is opened. */
        OPEN,
        /** When it is read. */
        READ,
        /** Either, depending on the reader's limits. */
        EITHER
    }

    /** Returns whether the specification allows a reader to accept this malformed array. */
    public boolean isChoice() {
        return tags.contains("choice");
    }

    /** Returns whether the array should be read under a memory limit, because it claims large sizes. */
    public boolean isHostile() {
        return tags.contains("hostile");
    }

    /** Returns the reason why tools are not run on this row; empty if they are. */
    Optional<String> unasked() {
        return switch (kind) {
            case ARRAY, MALFORMED, WRITE, UPDATE, PARTIAL, FAULT -> Optional.empty();
            case GROUP -> Optional.of("a group: for libraries, not for tools");
            case DRAFT -> Optional.of("the 2022 draft is not part of Zarr v3");
        };
    }
}
