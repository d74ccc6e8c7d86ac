package dev.shardkit.session.location;

import dev.shardkit.spi.StoreKeys;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts locations in the pipeline syntax of other Zarr programs, {@code URL|zip:path|zarr3:path}, to the locations
 * of this library. Stateless.
 */
final class PipelineLocations {
    /** A step with its kind and its path. */
    private static final Pattern STEP = Pattern.compile("\\|([A-Za-z][A-Za-z0-9+.-]*):([^|]*)");
    /** All steps of a pipeline. */
    private static final Pattern STEPS = Pattern.compile("(" + STEP.pattern() + ")+");
    /** The begin of a step that marks a location as a pipeline. */
    private static final Pattern KNOWN = Pattern.compile("\\|(zip|zarr|zarr2|zarr3):");

    private PipelineLocations() {}

    /**
     * Returns the location {@code zip:URL!path} of a pipeline. Returns other locations unchanged.
     *
     * @param base returns the URL of the location before the first step
     */
    static String resolved(String location, UnaryOperator<String> base) {
        if (!KNOWN.matcher(location).find()) {
            return location;
        }
        int bar = location.indexOf('|');
        if (bar == 0 || !STEPS.matcher(location.substring(bar)).matches()) {
            throw error("a text with \"|\" of another form");
        }
        String converted = base.apply(location.substring(0, bar));
        boolean isNode = false;
        Matcher steps = STEP.matcher(location.substring(bar));
        while (steps.find()) {
            String kind = steps.group(1);
            String path = steps.group(2).replaceAll("^/+|/+$", "");
            if (isNode) {
                throw error("\"|" + kind + ":\" after a Zarr format, which must be last");
            } else if (kind.equals("zip")) {
                converted = "zip:" + converted + "!" + path;
            } else if (kind.equals("zarr") || kind.equals("zarr2") || kind.equals("zarr3")) {
                isNode = true;
                converted = StoreKeys.location(converted, path);
            } else {
                throw error("\"|" + kind + ":\"");
            }
        }
        return converted;
    }

    private static IllegalArgumentException error(String found) {
        return new IllegalArgumentException(
                "expected a location such as URL|zip:PATH|zarr3:PATH, in which zip: means an archive and zarr3: or"
                        + " zarr2: an array or group; found " + found);
    }
}
