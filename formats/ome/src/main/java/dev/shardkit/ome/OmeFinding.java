package dev.shardkit.ome;

/**
 * A place where metadata or arrays do not follow the specification.
 *
 * @param node the location of the group or array
 * @param member the member of the metadata, such as {@code multiscales[0].axes}
 */
public record OmeFinding(Severity severity, String node, String member, String expected, String found) {
    /** How bad it is. */
    public enum Severity {
        /** The specification forbids it ("MUST"). */
        ERROR,
        /** The specification advises against it ("SHOULD"), or programs cannot make sense of it. */
        WARNING
    }

    /** Returns a sentence. */
    @Override
    public String toString() {
        return node + ": " + (member.isEmpty() ? "" : member + ": ") + "expected " + expected + ", found " + found;
    }
}
