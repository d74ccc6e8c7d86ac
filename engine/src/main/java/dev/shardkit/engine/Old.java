package dev.shardkit.engine;

import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.util.Optional;

/** An object of a near store before its change; empty if there is none. */
record Old(Optional<Snapshot> snapshot) implements AutoCloseable {
    Pins.Seen version() {
        return snapshot.isPresent() ? Pins.Seen.of(snapshot.map(Snapshot::version)) : Pins.Seen.ABSENT;
    }

    @Override
    public void close() {
        try {
            if (snapshot.isPresent()) {
                snapshot.get().close();
            }
        } catch (IOException | RuntimeException e) {
            // the change has succeeded, or has failed with a more useful error
            System.getLogger("dev.shardkit.engine").log(System.Logger.Level.DEBUG, "closing an object failed", e);
        }
    }
}
