package dev.shardkit.store.http;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;

/** Keeps what must not be seen out of messages and causes. */
final class Secrets {
    /** Shorter ones are no secrets, and would make a riddle of every message. */
    private static final int SHORTEST = 3;

    private Secrets() {}

    static String clean(String text, Collection<String> secrets) {
        String clean = text;
        for (String secret : secrets) {
            if (secret.length() >= SHORTEST) {
                clean = clean.replace(secret, "***");
            }
        }
        return clean;
    }

    /** The cause itself if nothing in it is secret; else one that says the same without. */
    static Throwable clean(Throwable cause, Collection<String> secrets) {
        boolean secret = false;
        int depth = 0;
        for (Throwable t = cause; t != null && depth < 20; t = t.getCause(), depth++) {
            String text = String.valueOf(t);
            secret |= !clean(text, secrets).equals(text);
        }
        if (!secret) {
            return cause;
        }
        IOException clean = new IOException(describe(cause, secrets));
        clean.setStackTrace(cause.getStackTrace());
        return clean;
    }

    /** The kind of failure, and its message if it has one. */
    static String describe(Throwable cause, Collection<String> secrets) {
        return cause.getClass().getSimpleName()
                + Optional.ofNullable(cause.getMessage())
                        .map(m -> ": " + clean(m, secrets))
                        .orElse("");
    }
}
