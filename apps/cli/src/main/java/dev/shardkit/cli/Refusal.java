package dev.shardkit.cli;

/** What is stored does not allow the command, which is right by itself: exit status 1. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String message) {
        super(message);
    }
}
