package dev.shardkit.session;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Groups without a document of their own, which exist if there is anything below them. Stateless. */
public final class ImpliedGroups {
    private ImpliedGroups() {}

    /** Checks whether a found node exists. If the store cannot list, a group without a document is taken to exist. */
    public static boolean isThere(FoundNode node, Session session) {
        FoundNode.Foreign foreign = node.foreign();
        if (foreign == null || !node.isImplied()) {
            return true;
        }
        boolean[] any = new boolean[1];
        try {
            session.list(foreign.children().prefix(), entry -> any[0] = true);
        } catch (UnsupportedException e) {
            return true;
        }
        return any[0];
    }

    /** Drops a group that does not exist, see {@link #isThere}. Finding that out lists the store, which may block. */
    public static CompletableFuture<Optional<FoundNode>> existing(Optional<FoundNode> found, Session session) {
        return found.filter(FoundNode::isImplied).isEmpty()
                ? CompletableFuture.completedFuture(found)
                : session.async(() -> found.filter(node -> isThere(node, session)));
    }
}
