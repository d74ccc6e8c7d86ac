package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Explains why one of AWS's sources of credentials failed. AWS's messages may quote the output of a process or a
 * server, which may be secret. So an explanation contains only those parts of a message that are known to be safe.
 */
final class MissingCredentials {
    /** The maximum number of characters of AWS's message that are shown. */
    private static final int LONGEST = 120;

    /** The maximum number of causes to look at; causes may form a cycle. */
    private static final int MAX_CAUSES = 10;

    /** AWS's message if the module for a kind of credentials is not on the class path. */
    private static final Pattern MODULE = Pattern.compile("'(sts|sso|ssooidc|signin)' service module");

    private static final Pattern EXIT = Pattern.compile("^Command returned non-zero exit value \\((-?[0-9]{1,10})\\)");
    private static final Pattern EMPTY = Pattern.compile("^(AccessKeyId|SecretAccessKey) cannot be empty");

    private MissingCredentials() {}

    /**
     * Returns the explanation of a failure: the missing jar, or the first sentence of its message and the first known
     * reason among its causes.
     */
    static String of(RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        if (e instanceof StoreException) {
            return message;
        }
        Matcher module = MODULE.matcher(message);
        if (module.find()) {
            return "the class path lacks software.amazon.awssdk:" + module.group(1);
        } else if (message.startsWith("Unable to load an HTTP implementation")) {
            return "the class path lacks an HTTP client of AWS, such as software.amazon.awssdk:url-connection-client";
        }
        StringBuilder text = new StringBuilder(firstSentence(e, message.replaceAll("[^ -~]", " ")));
        Throwable cause = e;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            Optional<String> reason = reasonOf(cause);
            if (reason.isPresent()) {
                return text.append(": ").append(reason.get()).toString();
            }
            cause = cause.getCause();
        }
        return text.toString();
    }

    private static String firstSentence(RuntimeException e, String message) {
        if (e instanceof UncheckedIOException || e instanceof DateTimeException) { // the message quotes the input
            return e.getClass().getSimpleName();
        }
        // A sentence ends with a period after a letter or quote, or with a colon; quoted input follows a colon.
        String first = message.split("(?<=[a-zA-Z'])\\.( |$)|: ", 2)[0];
        return first.length() > LONGEST ? first.substring(0, LONGEST) + "..." : first;
    }

    private static Optional<String> reasonOf(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        Matcher exit = EXIT.matcher(message);
        if (exit.find()) {
            return Optional.of("the exit code is " + exit.group(1));
        }
        Matcher empty = EMPTY.matcher(message);
        if (empty.find()) {
            return Optional.of("the answer has no " + empty.group(1));
        }
        if (message.startsWith("Unsupported credential version")) {
            return Optional.of("the answer has another Version than 1");
        }
        if (message.startsWith("Read limit exceeded")) {
            return Optional.of("the answer is too long");
        }
        if (message.startsWith("Process did not return a JSON object")
                || cause.getClass().getSimpleName().startsWith("Json")) {
            return Optional.of("the answer is not a JSON object");
        }
        return cause instanceof DateTimeException ? Optional.of("the Expiration is not a time") : Optional.empty();
    }
}
