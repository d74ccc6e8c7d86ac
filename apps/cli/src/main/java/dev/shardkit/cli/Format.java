package dev.shardkit.cli;

/** The forms in which elements are printed. */
enum Format {
    /** One element a line. */
    TEXT,
    /** Nested lists. */
    JSON,
    /** Little-endian bytes; elements of variable size follow their size. */
    RAW
}
