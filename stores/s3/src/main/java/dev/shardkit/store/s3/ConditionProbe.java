package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloud.CloudWrites;
import dev.shardkit.store.cloud.PrefixDelete;
import dev.shardkit.store.cloud.WriteIds;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Determines whether a server honours conditions on puts: some ignore them and overwrite. Amazon's does. Any other
 * server is asked once in this process, by three puts and a delete of an object of its own that listings leave out.
 * Requests that race are not tried, so a server that checks conditions but not atomically passes.
 *
 * @param origin the bucket
 * @param changes puts and deletes
 */
record ConditionProbe(S3Origin origin, CloudWrites changes) {
    private static final Set<Condition.Kind> ALL = Set.copyOf(EnumSet.allOf(Condition.Kind.class));
    private static final Map<String, Set<Condition.Kind>> KNOWN = new ConcurrentHashMap<>();
    /** An ETag that no object has. */
    private static final Condition OTHER = Condition.version("s:\"00000000000000000000000000000000\"");

    private static final Bytes VALUE = Bytes.of(new byte[] {'?'});

    /**
     * Returns the conditions that the server honours. Waits for its answers the first time.
     *
     * @throws StoreException if it cannot be asked, for example because the bucket is read-only
     */
    Set<Condition.Kind> honoured() {
        if (origin.bucket().isAmazon()) {
            return ALL;
        }
        Set<Condition.Kind> cached = KNOWN.get(locationKey());
        if (cached != null) {
            return cached;
        }
        Set<Condition.Kind> probed = probe("__probe-" + UUID.randomUUID());
        KNOWN.put(locationKey(), probed);
        return probed;
    }

    private String locationKey() {
        return origin.location().container() + " at " + origin.location().server();
    }

    private Set<Condition.Kind> probe(String key) {
        Set<Condition.Kind> honoured = EnumSet.allOf(Condition.Kind.class);
        try {
            if (!isMade(put(key, Condition.ABSENT))) {
                throw new StoreException("testing whether " + origin.describe()
                        + " honours conditions: expected no object " + key + ", found one");
            }
            if (isMade(put(key, Condition.ABSENT))) {
                honoured.remove(Condition.Kind.ABSENT);
            }
            if (isMade(put(key, OTHER))) {
                honoured.remove(Condition.Kind.VERSION);
            }
            return Set.copyOf(honoured);
        } catch (UnsupportedException e) {
            return Set.of(Condition.Kind.ANY);
        } finally {
            remove(key);
        }
    }

    /** Returns whether a put was made. One whose answer was lost, and whose retry was refused, was not. */
    private static boolean isMade(WriteResult outcome) {
        if (outcome instanceof WriteResult.Unknown unknown && unknown.why() instanceof ZarrException failure) {
            throw failure; // no answer at all
        }
        return outcome instanceof WriteResult.Done;
    }

    private void remove(String key) {
        try {
            PrefixDelete.awaitChange(changes.delete(key, Condition.ANY), "deleting the probe of conditions");
        } catch (ZarrException e) {
            return; // a bucket may forbid deletes
        }
    }

    private WriteResult put(String key, Condition condition) {
        return PrefixDelete.awaitChange(
                changes.put(key, VALUE, condition, WriteIds.alone()),
                "testing whether the server supports conditional puts");
    }
}
