package dev.shardkit.engine.edit;

import java.util.ArrayList;
import java.util.List;

/** Remembers the nodes in which the current thread holds a lock, so that the thread never waits for itself. */
final class OwnLocks {
    private static final ThreadLocal<List<String>> HELD = ThreadLocal.withInitial(ArrayList::new);

    private OwnLocks() {}

    /** Records a lock until the result is closed, on the same thread. */
    static Held in(String node) {
        HELD.get().add(node);
        return () -> {
            List<String> held = HELD.get();
            held.remove(held.lastIndexOf(node));
            if (held.isEmpty()) {
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
        boolean found = HELD.get().stream().anyMatch(node -> node.equals(location) || node.startsWith(location + "/"));
        if (HELD.get().isEmpty()) {
            HELD.remove();
        }
        return found;
    }
}
