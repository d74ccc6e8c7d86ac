package dev.shardkit.cli.print.elements;

/** The formats in which elements are printed. */
public enum ElementFormat {
    /** Text, one element a line. */
    TEXT,
    /** Nested JSON lists. */
    JSON,
    /** Little-endian bytes. The size precedes each element of variable size. */
    RAW
}
