package dev.shardkit.store.cloud;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The id of a put and the ids of the writes before it. They let a writer whose response was lost find out whether its
 * put was made.
 *
 * <p>The object's user metadata hold the ids, newest first, separated by commas. A writer finds its id even if others
 * have replaced the object since, as long as they use {@link CloudWrites#once} and there were fewer than {@value #MAX}
 * of them. This limit keeps the metadata below S3's limit of 2 KB, and it exceeds the number of writes during the few
 * retries of a request. Other writers drop the ids; then the outcome is unknown. Immutable.
 *
 * @param own the id of the put
 * @param before the ids of earlier writes, newest first; empty if the object does not carry them
 */
public record WriteIds(String own, List<String> before) {
    /** The maximum number of ids of an object. */
    static final int MAX = 64;

    /** The id for the state before the first put, in which the object is absent. */
    private static final String ABSENT = "-";

    /** The number of random bytes of an id: enough to be unique, and 12 characters in base64. */
    private static final int RANDOM_BYTES = 9;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,40}");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The outcome of a put whose response was lost. */
    public enum Fate {
        /** The put was made. Later writes may have replaced the object, but they carry its id. */
        MADE,
        /** Other writers have replaced the object, so the put was not made, and its condition will never hold. */
        NOT_MADE,
        /** The object is still the one that the put was to replace, so the put can be sent again. */
        OPEN,
        /** The object was deleted, or replaced by writers that keep no ids or by too many writers. */
        UNKNOWN
    }

    /** Copies the list. */
    public WriteIds {
        before = List.copyOf(before);
    }

    /** Returns a new id without earlier ids, for a put that need not be made exactly once. */
    public static WriteIds alone() {
        return new WriteIds(random(), List.of());
    }

    /** Returns a new id for a put that creates the object. */
    public static WriteIds first() {
        return new WriteIds(random(), List.of(ABSENT));
    }

    /** Returns a new id for a put that replaces an object. */
    public static WriteIds after(Carried replaced) {
        return new WriteIds(random(), replaced.ids());
    }

    private static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().encodeToString(bytes);
    }

    /** Returns whether there are ids of earlier writes. */
    boolean haveHistory() {
        return !before.isEmpty();
    }

    /** Returns the value of the object's user metadata: at most {@value #MAX} ids, separated by commas. */
    public String text() {
        return String.join(
                ",", Stream.concat(Stream.of(own), before.stream()).limit(MAX).toList());
    }

    /**
     * Returns the outcome of a put with these ids.
     *
     * @param current the ids of the stored object; empty if there is none
     */
    Fate fate(Optional<Carried> current) {
        if (before.isEmpty()) {
            return current.filter(stored -> stored.isOf(this)).isPresent() ? Fate.MADE : Fate.UNKNOWN;
        }
        String base = before.get(0); // the state that this put was to replace
        List<String> ids = current.map(Carried::ids).orElse(List.of(ABSENT));
        if (ids.contains(own)) {
            return Fate.MADE;
        } else if (ids.get(0).equals(base)) {
            return Fate.OPEN;
        }
        return ids.contains(base) ? Fate.NOT_MADE : Fate.UNKNOWN;
    }

    /**
     * The ids of a stored object. If its writer keeps no ids, the object's only id is a hash of its version.
     *
     * @param ids newest first; not empty
     */
    record Carried(List<String> ids) {
        /** Parses the ids in user metadata. Ignores text that is no id. */
        static Carried of(Optional<String> stored, Optional<String> version) {
            List<String> ids = stored.stream()
                    .flatMap(text -> Arrays.stream(text.split(",", MAX + 1)))
                    .map(String::strip)
                    .filter(id -> ID.matcher(id).matches())
                    .limit(MAX)
                    .toList();
            return new Carried(ids.isEmpty() ? List.of(ofVersion(version.orElse(""))) : ids);
        }

        private static String ofVersion(String version) {
            try {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(version.getBytes(StandardCharsets.UTF_8));
                return "v" + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash, RANDOM_BYTES));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        /** Returns whether the last write was the put with these ids. */
        boolean isOf(WriteIds put) {
            return ids.get(0).equals(put.own());
        }
    }
}
