package dev.shardkit.cf;

/**
 * A note on metadata of a dataset that contradicts the conventions and is therefore ignored.
 *
 * @param variable the name of the variable; empty for the whole dataset
 * @param message what was expected and found
 */
public record CfNote(String variable, String message) {
    @Override
    public String toString() {
        return variable.isEmpty() ? message : variable + ": " + message;
    }
}
