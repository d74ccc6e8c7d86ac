package dev.shardkit.cf;

/** How variables are decoded. Immutable. */
public final class CfOptions {
    /** What happens to elements outside {@code valid_range}, {@code valid_min} and {@code valid_max}. */
    public enum ValidRange {
        /** They are values like others, as in xarray. */
        KEEP,
        /** They are missing, as the conventions say (section 2.5.1). */
        MASK
    }

    private static final CfOptions DEFAULTS = new CfOptions(ValidRange.KEEP);

    private final ValidRange validRange;

    private CfOptions(ValidRange validRange) {
        this.validRange = validRange;
    }

    /** Returns the options by which values are those of xarray. */
    public static CfOptions defaults() {
        return DEFAULTS;
    }

    /** Returns options with another treatment of elements outside the valid range. */
    public CfOptions withValidRange(ValidRange treatment) {
        return new CfOptions(treatment);
    }

    /** Returns what happens to elements outside the valid range. */
    public ValidRange validRange() {
        return validRange;
    }
}
