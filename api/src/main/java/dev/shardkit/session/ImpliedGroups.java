package dev.shardkit.session;

import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Decides whether a group without a metadata document exists. In formats such as N5, each folder is a group. Such a
 * group exists if the store contains anything below its path. Stateless.
 */
public final class ImpliedGroups {
    private ImpliedGroups() {}

    /**
     * Returns whether a node that was looked up exists. A node with a document always does. If the store does not
     * support listing, a group without a document counts as existing.
     */
    public static boolean isThere(FoundNode node, Session session) {
        FoundNode.Foreign foreign = node.foreign();
        if (foreign == null || !node.isImplied()) {
            return true;
        }
        boolean[] hasEntry = new boolean[1];
        try {
            session.list(foreign.children().prefix(), entry -> hasEntry[0] = true);
        } catch (UnsupportedException e) {
            return true;
        }
        return hasEntry[0];
    }

    /**
     * Returns the node that was looked up; empty if it does not exist ({@link #isThere}). Changes nothing in the store.
     * Lists the store on another thread, because that may block.
     */
    public static CompletableFuture<Optional<FoundNode>> existing(Optional<FoundNode> found, Session session) {
        return found.filter(FoundNode::isImplied).isEmpty()
                ? CompletableFuture.completedFuture(found)
                : session.async(() -> found.filter(node -> isThere(node, session)));
    }
}
