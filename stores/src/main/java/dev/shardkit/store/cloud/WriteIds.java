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
 * Identifies a put, so that its writer recognizes it in the store if the answer was lost: the id of the put, and those
 * of the writes before it, newest first. The object's user metadata hold them, separated by commas. So a writer finds
 * its id even if others have replaced the object since, as long as they use {@link CloudWrites#once} and there were
 * fewer than {@value #MAX} of them. The limit keeps the metadata below the 2 KB of S3; it exceeds the number of writes
 * within the few retries of a request. Writers that know no ids drop them: then the outcome is unknown. Immutable.
 *
 * @param own the id of the put
 * @param before the ids of earlier writes, newest first; empty if the object does not carry them
 */
public record WriteIds(String own, List<String> before) {
    /** The maximum number of ids of an object. */
    static final int MAX = 64;

    /** The id for the state before the first put, in which the object is absent. */
    private static final String ABSENT = "-";

    private static final int RANDOM_BYTES = 9;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,40}");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The outcome of a put whose answer was lost. */
    public enum Fate {
        /** The object contains the change, perhaps with later ones. */
        MADE,
        /** The object was replaced by writers that had not seen the change; its condition will never hold. */
        NOT_MADE,
        /** The object is unchanged, so the put can be sent again. */
        OPEN,
        /** Writers that keep no ids, or too many writers, have replaced the object, or it was deleted. */
        UNKNOWN
    }

    /** Copies the list. */
    public WriteIds {
        before = List.copyOf(before);
    }

    /** Returns a new id without a history, for a put that may be repeated. */
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

    /** Returns whether the object carries the ids of earlier writes. */
    boolean haveHistory() {
        return !before.isEmpty();
    }

    /** Returns the value of the object's user metadata. */
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
            return current.filter(n -> n.isOf(this)).isPresent() ? Fate.MADE : Fate.UNKNOWN;
        }
        String base = before.get(0);
        List<String> ids = current.map(Carried::ids).orElse(List.of(ABSENT));
        if (ids.contains(own)) {
            return Fate.MADE;
        } else if (ids.get(0).equals(base)) {
            return Fate.OPEN;
        }
        return ids.contains(base) ? Fate.NOT_MADE : Fate.UNKNOWN;
    }

    /**
     * The ids of a stored object. That of another writer's object is made from its version.
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
