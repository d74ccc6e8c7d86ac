package dev.shardkit.engine.edit;

import dev.shardkit.engine.run.PinnedVersions;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The object of a local store before a change, opened for reading; null if there is no object. */
record OldObject(@Nullable ObjectSnapshot snapshot) implements AutoCloseable {
    PinnedVersions.Seen version() {
        return snapshot == null ? PinnedVersions.Seen.ABSENT : PinnedVersions.Seen.of(Optional.of(snapshot.version()));
    }

    @Override
    public void close() {
        try {
            if (snapshot != null) {
                snapshot.close();
            }
        } catch (IOException | RuntimeException e) {
            // the change has succeeded, or has failed with a more useful error
            System.getLogger("dev.shardkit.engine").log(System.Logger.Level.DEBUG, "closing an object failed", e);
        }
    }
}
