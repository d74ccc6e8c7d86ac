package dev.shardkit.ome.validation;

/**
 * A violation of the OME-Zarr specification that a validation found in metadata or arrays.
 *
 * @param severity the severity
 * @param node the location of the group or array
 * @param member the member of the metadata, such as {@code multiscales[0].axes}
 * @param expected the value that the specification requires
 * @param found the value in the metadata or array
 */
public record OmeFinding(Severity severity, String node, String member, String expected, String found) {
    /** The severity of a finding. */
    public enum Severity {
        /** The specification forbids this ("MUST"). */
        ERROR,
        /** The specification advises against this ("SHOULD"), or programs cannot interpret it. */
        WARNING
    }

    /** Returns the finding as a line of text. */
    @Override
    public String toString() {
        return node + ": " + (member.isEmpty() ? "" : member + ": ") + "expected " + expected + ", found " + found;
    }
}
