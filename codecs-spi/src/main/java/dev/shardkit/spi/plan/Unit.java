package dev.shardkit.spi.plan;

/** The result of a plan that is run for its side effects only. */
public enum Unit {
    /** The only value. */
    UNIT
}
