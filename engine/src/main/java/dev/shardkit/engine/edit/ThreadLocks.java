package dev.shardkit.engine.edit;

import java.util.ArrayList;
import java.util.List;

/**
 * The nodes in which the current thread holds a lock. A call that would wait for one of these locks is refused, because
 * the thread would wait for itself.
 */
final class ThreadLocks {
    private static final ThreadLocal<List<String>> HELD = ThreadLocal.withInitial(ArrayList::new);

    private ThreadLocks() {}

    /** Records a lock until the result is closed, on the same thread. */
    static Held in(String node) {
        HELD.get().add(node);
        return () -> {
            List<String> nodes = HELD.get();
            nodes.remove(nodes.lastIndexOf(node));
            if (nodes.isEmpty()) {
                HELD.remove();
            }
        };
    }

    /** A recorded lock. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Returns whether the current thread holds a lock of the node at {@code location} or of one below it. */
    static boolean areAtOrBelow(String location) {
        boolean isHeld = HELD.get().stream().anyMatch(node -> node.equals(location) || node.startsWith(location + "/"));
        if (HELD.get().isEmpty()) {
            HELD.remove(); // the look-up may have created the list
        }
        return isHeld;
    }
}
