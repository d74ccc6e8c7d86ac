package dev.shardkit.cf;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** How variables are decoded. Immutable. */
public final class CfOptions {
    /** What happens to elements outside {@code valid_range}, {@code valid_min} and {@code valid_max}. */
    public enum ValidRange {
        /** Such elements are values like others, as in xarray. */
        KEEP,
        /** Such elements are missing, as the conventions say (section 2.5.1). */
        MASK
    }

    private static final CfOptions DEFAULTS = new CfOptions(ValidRange.KEEP, Optional.empty());

    private final ValidRange validRange;
    private final Optional<List<String>> variables;

    private CfOptions(ValidRange validRange, Optional<List<String>> variables) {
        this.validRange = validRange;
        this.variables = variables;
    }

    /** Returns the options by which values are those of xarray. */
    public static CfOptions defaults() {
        return DEFAULTS;
    }

    /** Returns options with another treatment of elements outside the valid range. */
    public CfOptions withValidRange(ValidRange treatment) {
        return new CfOptions(treatment, variables);
    }

    /**
     * Returns options by which a dataset has only these arrays of its group, and needs no list of them. Other arrays
     * are not opened: name coordinates and bounds, too.
     */
    public CfOptions withVariables(Collection<String> names) {
        return new CfOptions(validRange, Optional.of(List.copyOf(names)));
    }

    /** Returns the arrays that a dataset has; empty for all of its group. */
    public Optional<List<String>> variables() {
        return variables;
    }

    /** Returns what happens to elements outside the valid range. */
    public ValidRange validRange() {
        return validRange;
    }
}
