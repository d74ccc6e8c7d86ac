package dev.shardkit.cli.base;

import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.Optional;

/** Adds advice to a failure that left an unfinished node at the target. */
public final class UnfinishedNodeAdvice {
    private UnfinishedNodeAdvice() {}

    /**
     * Adds to the failure that the target holds an unfinished node, and what to do with it. Returns other failures
     * unchanged.
     */
    public static ZarrException addAdvice(ZarrException failure, Store target, String url) {
        Optional<String> description;
        try {
            description = Destination.unfinished(target);
        } catch (ZarrException e) {
            return failure;
        }
        return description
                .filter(text -> !failure.getMessage().contains(text))
                .<ZarrException>map(text -> new StoreException(
                        failure.getMessage() + ". " + url + " holds " + text
                                + ": rerun the command to resume, or remove it by shardkit rm " + url,
                        failure))
                .orElse(failure);
    }
}
