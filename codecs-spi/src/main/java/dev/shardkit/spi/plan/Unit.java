package dev.shardkit.spi.plan;

/** The value of a plan that is run for what it does: nothing to tell but that it is done. */
public enum Unit {
    /** The one value. */
    UNIT
}
