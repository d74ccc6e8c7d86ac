package dev.shardkit.maintenance.copy;

import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.base.StateDigest;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * What the mark of a {@link PartedCopy} holds: a digest of its source and settings, so that another copy does not
 * resume it. Used by one thread at a time.
 */
final class PartedState {
    private final Store target;
    private Bytes value;
    private Bytes before = Bytes.EMPTY;
    private boolean hasObjects;

    PartedState(Store target, Bytes value) {
        this.target = target;
        this.value = value;
    }

    Bytes value() {
        return value;
    }

    /** Makes the state depend on {@code more} too. */
    void add(Bytes more) {
        StateDigest digest = new StateDigest();
        digest.add(value.toArray());
        digest.add(more.toArray());
        value = digest.bytes();
    }

    /**
     * Makes the state depend on the versions of the source's objects. The objects of a remote source are not listed, so
     * the copy of such a source gets a state that no other copy finds. Later calls change nothing.
     */
    void addObjects(Copy copy, ZarrOptions options) {
        if (hasObjects) {
            return;
        }
        hasObjects = true;
        Bytes objects = CopyState.of(copy.source, copy.recut, options, copy::children);
        add(objects.size() > 0 ? objects : Bytes.of(UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII)));
    }

    /** Lets {@link #accept} accept a target with this mark. */
    void after(Bytes mark) {
        before = mark;
    }

    /** Whether the target is marked as an unfinished copy with this state. */
    boolean isMarked() {
        return Destination.of(target).holds(value);
    }

    /** Whether the target has this mark, or the one before it, which it replaces. */
    boolean accept(Durability durability) {
        Destination destination = Destination.of(target);
        if (destination.holds(before)) {
            destination.begin(value, durability);
        }
        return destination.holds(value);
    }
}
