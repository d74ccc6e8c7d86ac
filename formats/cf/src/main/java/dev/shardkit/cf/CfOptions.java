package dev.shardkit.cf;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The options with which a {@link CfDataset} decodes its variables. Immutable. */
public final class CfOptions {
    /** What happens to elements outside {@code valid_range}, {@code valid_min} and {@code valid_max}. */
    public enum ValidRange {
        /** These elements are ordinary values, as in xarray. */
        KEEP,
        /** These elements are missing, as the conventions say (section 2.5.1). */
        MASK
    }

    private static final CfOptions DEFAULTS = new CfOptions(ValidRange.KEEP, Optional.empty());

    private final ValidRange validRange;
    private final Optional<List<String>> variables;

    private CfOptions(ValidRange validRange, Optional<List<String>> variables) {
        this.validRange = validRange;
        this.variables = variables;
    }

    /** Returns the default options, which decode the same values as xarray. */
    public static CfOptions defaults() {
        return DEFAULTS;
    }

    /** Returns options with another treatment of elements outside the valid range. */
    public CfOptions withValidRange(ValidRange treatment) {
        return new CfOptions(treatment, variables);
    }

    /**
     * Returns options that limit a dataset to these arrays of its group. Its store need not support listing then. Other
     * arrays are not opened, so name the coordinates and bounds too.
     */
    public CfOptions withVariables(Collection<String> names) {
        return new CfOptions(validRange, Optional.of(List.copyOf(names)));
    }

    /** Returns the names of the arrays that a dataset has; empty for all arrays of its group. */
    public Optional<List<String>> variables() {
        return variables;
    }

    /** Returns what happens to elements outside the valid range. */
    public ValidRange validRange() {
        return validRange;
    }
}
