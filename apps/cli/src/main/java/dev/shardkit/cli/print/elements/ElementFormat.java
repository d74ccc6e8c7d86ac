package dev.shardkit.cli.print.elements;

/** The formats in which {@code read} and {@code head} print elements. */
public enum ElementFormat {
    /** Text, one element a line. */
    TEXT,
    /** Nested JSON lists. */
    JSON,
    /** Little-endian bytes. The size, an unsigned integer of 4 bytes, precedes each element of variable size. */
    RAW
}
