package dev.shardkit.cf;

/**
 * Something in a dataset that contradicts the conventions. It is ignored when the dataset is read.
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
