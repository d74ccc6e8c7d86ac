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
 * Finds out whether a server honours conditions on puts; some servers ignore them and overwrite. Amazon S3 honours
 * them. Any other bucket is probed once in this process, by three puts and a delete of a test object, which listings
 * leave out. The puts do not race, so the probe does not notice a server that checks conditions but not atomically.
 *
 * @param origin the bucket
 * @param changes puts and deletes
 */
record ConditionProbe(S3Origin origin, CloudWrites changes) {
    private static final Set<Condition.Kind> ALL = Set.copyOf(EnumSet.allOf(Condition.Kind.class));
    /** The results of earlier probes of this process, by bucket and server. */
    private static final Map<String, Set<Condition.Kind>> KNOWN = new ConcurrentHashMap<>();
    /** A version that no object has; {@code s:} is the prefix of versions that are ETags. */
    private static final Condition UNKNOWN_VERSION = Condition.version("s:\"00000000000000000000000000000000\"");

    private static final Bytes VALUE = Bytes.of(new byte[] {'?'});

    /**
     * Returns the conditions that the server honours. The first call waits for the probe.
     *
     * @throws StoreException if the probe fails, for example because the bucket is read-only
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
            if (!isStored(put(key, Condition.ABSENT))) {
                throw new StoreException("testing whether " + origin.describe()
                        + " honours conditions: expected no object " + key + ", found one");
            }
            if (isStored(put(key, Condition.ABSENT))) {
                honoured.remove(Condition.Kind.ABSENT);
            }
            if (isStored(put(key, UNKNOWN_VERSION))) {
                honoured.remove(Condition.Kind.VERSION);
            }
            return Set.copyOf(honoured);
        } catch (UnsupportedException e) { // the server answers 501 to puts with conditions
            return Set.of(Condition.Kind.ANY);
        } finally {
            remove(key);
        }
    }

    /**
     * Returns whether a put stored the object. After a lost response, {@link CloudWrites} compares the write id in the
     * stored object. An unknown outcome without a failed request means that the id is of another put, so this one was
     * refused.
     */
    private static boolean isStored(WriteResult outcome) {
        if (outcome instanceof WriteResult.Unknown unknown && unknown.cause() instanceof ZarrException failure) {
            throw failure; // no response to any attempt
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
