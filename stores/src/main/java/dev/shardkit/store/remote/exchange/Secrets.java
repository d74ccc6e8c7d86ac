package dev.shardkit.store.remote.exchange;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.Optional;

/** Removes secrets from messages and causes of exceptions. */
public final class Secrets {
    /** Shorter texts are not treated as secrets, because masking them would make messages unreadable. */
    private static final int SHORTEST = 3;

    private Secrets() {}

    /** Returns the scheme, host and port of a URL that has no user information. Its path and query may be secret. */
    public static String host(URI uri) {
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    /** Returns the text with masked secrets. */
    public static String clean(String text, Collection<String> secrets) {
        String clean = text;
        for (String secret : secrets) {
            if (secret.length() >= SHORTEST) {
                clean = clean.replace(secret, "***");
            }
        }
        return clean;
    }

    /** Returns the cause itself if it contains no secret; otherwise a copy with masked secrets. */
    public static Throwable clean(Throwable cause, Collection<String> secrets) {
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

    /** Returns what failed, without secrets: usual failures in words, others as their kind and message. */
    public static String describe(Throwable cause, Collection<String> secrets) {
        return ConnectionFailureText.of(cause)
                .map(words -> clean(words, secrets))
                .orElseGet(() -> cause.getClass().getSimpleName()
                        + Optional.ofNullable(cause.getMessage())
                                .map(m -> ": " + clean(m, secrets))
                                .orElse(""));
    }
}
