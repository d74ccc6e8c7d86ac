package dev.shardkit.ome.metadata;

import java.util.Optional;

/** A version of the specification of OME-Zarr. */
public enum OmeVersion {
    /** Version 0.4: attributes of groups of Zarr v2. */
    V0_4("0.4"),
    /** Version 0.5: the attribute {@code ome} of groups of Zarr v3. */
    V0_5("0.5"),
    /** Version 0.6, as of its first release candidate. */
    V0_6("0.6rc0");

    private final String text;

    OmeVersion(String text) {
        this.text = text;
    }

    /** Returns the version as metadata spells it. */
    public String text() {
        return text;
    }

    /**
     * Parses a version as metadata spells it; empty if the version is unknown. All versions that begin with 0.6 count
     * as 0.6.
     */
    public static Optional<OmeVersion> of(String text) {
        for (OmeVersion version : values()) {
            if (version.text.equals(text)) {
                return Optional.of(version);
            }
        }
        return text.startsWith("0.6") ? Optional.of(V0_6) : Optional.empty();
    }
}
