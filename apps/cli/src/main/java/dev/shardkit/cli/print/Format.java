package dev.shardkit.cli.print;

/** The forms in which elements are printed. */
public enum Format {
    /** One element a line. */
    TEXT,
    /** Nested lists. */
    JSON,
    /** Little-endian bytes; elements of variable size follow their size. */
    RAW
}
