package dev.shardkit.spi.array;

/** How much of a box a {@link Feed} has elements for. */
public enum Coverage {
    /** None of it. */
    NONE,
    /** Some of it, or it would take long to tell; what is stored has to be read to complete it. */
    SOME,
    /** All of it. */
    ALL,
    /** All of it, and every element is the fill value of what is written. */
    FILL
}
