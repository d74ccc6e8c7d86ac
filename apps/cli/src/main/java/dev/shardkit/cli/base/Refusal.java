package dev.shardkit.cli.base;

/** What is stored does not allow the command, which is right by itself: exit status 1. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Refusal(String message) {
        super(message);
    }
}
