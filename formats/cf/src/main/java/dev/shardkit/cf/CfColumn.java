package dev.shardkit.cf;

import java.util.Optional;

/**
 * A column of a {@link CfTable}.
 *
 * @param name the name of the dimension or variable
 * @param role what the column holds
 * @param variable the variable with the elements; empty for indices of a dimension without coordinate
 */
public record CfColumn(String name, Role role, Optional<CfVariable> variable) {
    /** What a column holds. */
    public enum Role {
        /** The labels of a dimension, or its indices if it has no coordinate. */
        DIMENSION,
        /** Another coordinate. */
        COORDINATE,
        /** The values of a variable. */
        VALUE
    }

    /** Returns the kind of the elements. Indices are numbers. */
    public CfKind kind() {
        return variable.map(CfVariable::kind).orElse(CfKind.NUMBER);
    }
}
