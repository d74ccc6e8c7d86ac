package dev.shardkit.cf;

/** The role of a variable in a CF dataset. */
public enum CfRole {
    /** Values that coordinates describe. */
    DATA,
    /** The labels of the dimension of the same name. */
    COORDINATE,
    /** Other coordinates, which an attribute {@code coordinates} names; they may have several dimensions. */
    AUXILIARY,
    /** Boundaries of cells, which the attribute {@code bounds} or {@code climatology} of a coordinate names. */
    BOUNDS,
    /** A coordinate reference system, which an attribute {@code grid_mapping} names. */
    GRID_MAPPING
}
