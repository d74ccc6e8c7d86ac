package dev.shardkit.engine;

import dev.shardkit.store.StoreListener;
import java.util.ArrayList;
import java.util.List;

/**
 * The listener of calls of {@link Turns}. It remembers for each thread the turns whose calls run a listener there:
 * calls that the listener requests of them are calls from within a call. Thread-safe if the listener is.
 */
final class ListeningTurns extends ListenerCalls {
    /** The turns whose calls run a listener on this thread; told apart by identity. */
    private static final ThreadLocal<List<Object>> INSIDE = ThreadLocal.withInitial(List::of);

    private final Object turns;

    ListeningTurns(Object turns, StoreListener own) {
        super(own);
        this.turns = turns;
    }

    /** Whether this thread is in a listener of a call of {@code turns}. */
    static boolean isInside(Object turns) {
        return INSIDE.get().contains(turns);
    }

    @Override
    void make(Runnable call) {
        List<Object> before = INSIDE.get();
        List<Object> now = new ArrayList<>(before);
        now.add(turns);
        INSIDE.set(now);
        try {
            call.run();
        } finally {
            INSIDE.set(before);
        }
    }
}
