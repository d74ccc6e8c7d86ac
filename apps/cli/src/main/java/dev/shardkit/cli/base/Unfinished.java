package dev.shardkit.cli.base;

import dev.shardkit.maintenance.copy.Destination;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.Optional;

/** Says what a failed command has left at its target, and what to do with it. */
public final class Unfinished {
    private Unfinished() {}

    /** Adds to the failure that the target holds an unfinished node, if it does. */
    public static ZarrException hint(ZarrException failure, Store target, String url) {
        Optional<String> what;
        try {
            what = Destination.unfinished(target);
        } catch (ZarrException e) {
            return failure;
        }
        return what.filter(text -> !failure.getMessage().contains(text))
                .<ZarrException>map(text -> new StoreException(
                        failure.getMessage() + ". " + url + " holds " + text
                                + ": rerun the command to resume, or remove it by shardkit rm " + url,
                        failure))
                .orElse(failure);
    }
}
