package dev.shardkit.session;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Snapshot;
import java.util.Optional;

/** Whether nodes are there. Without state, so thread-safe. */
public final class StoredNodes {
    private StoredNodes() {}

    /** Whether there is a node at {@code path}, of whatever form, good or bad. */
    public static boolean exists(Session session, String path) {
        String key = Session.key(path, NodePath.DOCUMENT);
        boolean own = !session.isNear()
                ? far(session, key)
                : session.store(path, s -> {
                    Optional<Snapshot> document = s.open(key);
                    if (document.isPresent()) {
                        document.get().close();
                    }
                    return document.isPresent();
                });
        if (own || session.registry().nodeFormats().isEmpty()) {
            return own;
        }
        try {
            return session.call(() -> session.find(path), path)
                    .filter(found -> isThere(session, found))
                    .isPresent();
        } catch (MetadataException | UnsupportedException e) {
            return true;
        }
    }

    /** Whether a far store has an object under {@code key}. */
    private static boolean far(Session session, String key) {
        return session.call(
                () -> Source.stored(key)
                        .read(new ByteRange.Suffix(1), (answer, scratch) -> answer instanceof Answer.Found),
                "");
    }

    /** Whether a group that is only implied has anything below it; where the store cannot list, it is believed. */
    public static boolean isThere(Session session, FoundNode node) {
        if (!node.isImplied()) {
            return true;
        }
        boolean[] any = new boolean[1];
        try {
            session.list(node.foreign().orElseThrow().children().prefix(), entry -> any[0] = true);
        } catch (UnsupportedException e) {
            return true;
        }
        return any[0];
    }
}
