package dev.shardkit.store.remote.exchange;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.Optional;

/** Masks secrets in messages and causes of exceptions. Stateless. */
public final class Secrets {
    /** The minimum length of a text that is masked. Masking shorter ones would make messages unreadable. */
    private static final int SHORTEST = 3;

    private Secrets() {}

    /** Returns the scheme, host and port of a URL without user information. Its path and query may be secret. */
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
        for (Throwable next = cause; next != null && depth < 20; next = next.getCause(), depth++) {
            String text = String.valueOf(next);
            secret |= !clean(text, secrets).equals(text);
        }
        if (!secret) {
            return cause;
        }
        IOException clean = new IOException(describe(cause, secrets));
        clean.setStackTrace(cause.getStackTrace());
        return clean;
    }

    /** Describes a failure without secrets: usual ones of connections in words, others by their class and message. */
    public static String describe(Throwable cause, Collection<String> secrets) {
        return ConnectionFailureText.of(cause)
                .map(words -> clean(words, secrets))
                .orElseGet(() -> cause.getClass().getSimpleName()
                        + Optional.ofNullable(cause.getMessage())
                                .map(message -> ": " + clean(message, secrets))
                                .orElse(""));
    }
}
