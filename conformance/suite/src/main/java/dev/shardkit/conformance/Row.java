package dev.shardkit.conformance;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One row of a manifest: an array (or a group) and what must come out of it. Immutable.
 *
 * @param id unique, {@code group/name}
 * @param kind what it is
 * @param folder the node's folder
 * @param expected what must come out; empty for malformed rows
 * @param refusal what a malformed row must be refused with; empty for sound ones
 * @param selection the only box to read, of arrays too large to be read whole
 * @param tags what the row needs
 * @param special what the row is there for
 */
public record Row(
        String id,
        Kind kind,
        Path folder,
        Optional<Expected> expected,
        Optional<Refusal> refusal,
        Optional<List<Span>> selection,
        Set<String> tags,
        String special) {
    /** What a row is. */
    public enum Kind {
        /** A sound array. */
        ARRAY,
        /** A group, for libraries rather than tools. */
        GROUP,
        /** An array of the 2022 draft. */
        DRAFT,
        /** An array that must be refused. */
        MALFORMED
    }

    /** How expected values are written down. */
    public enum Format {
        /** Little-endian elements in C order. */
        RAW,
        /** Variable-length elements in JSON. */
        JSON,
        /** The tree below a group in JSON. */
        HIERARCHY
    }

    /**
     * What must come out.
     *
     * @param file the file with the values
     * @param format their form
     * @param sha256 the file's SHA-256 in hexadecimal digits; empty where the manifest does not say
     */
    public record Expected(Path file, Format format, Optional<String> sha256) {}

    /**
     * How shardkit refuses a malformed array.
     *
     * @param classes names of error classes that fit, the best one first
     * @param stage when
     * @param part a box whose read must fail too
     * @param faults the kinds of fault that fit, in the words of the batch protocol; empty: any
     */
    public record Refusal(List<String> classes, Stage stage, Optional<List<Span>> part, Set<String> faults) {}

    /** When a malformed array must be refused. */
    public enum Stage {
        /** When it is opened. */
        OPEN,
        /** When it is read. */
        READ,
        /** As the limits of the reader have it. */
        EITHER
    }

    /** Whether the specification leaves a reader free to accept this malformed row. */
    public boolean isChoice() {
        return tags.contains("choice");
    }

    /** Whether it should be read under a memory limit. */
    public boolean isHostile() {
        return tags.contains("hostile");
    }

    /** Whether a tool is asked about it, or the reason why not. */
    Optional<String> unasked() {
        return switch (kind) {
            case ARRAY, MALFORMED -> Optional.empty();
            case GROUP -> Optional.of("a group: for libraries, not for tools");
            case DRAFT -> Optional.of("the draft of 2022: no part of Zarr v3");
        };
    }
}
