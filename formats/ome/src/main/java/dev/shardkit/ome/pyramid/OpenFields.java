package dev.shardkit.ome.pyramid;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many fields of a plate have memory for frames. A field that gets a frame takes the place of the one that
 * got none for the longest time, which is stored and keeps no memory; if there are more fields than places, that is
 * done beforehand, in the background, so that a place is free when the next field comes. Guarded by its monitor, which
 * is not held while fields are stored.
 */
final class OpenFields {
    /** With fewer places, fields of several cameras would take them from one another. */
    private static final int MIN_FREE_PLACES = 4;

    private final int places;
    private final boolean hasMoreFields;
    /** The fields with memory and their states, the least recently used first. */
    private final Map<Member, State> open = new LinkedHashMap<>();
    /** Completes when a call or a field leaves. */
    private CompletableFuture<?> change = new CompletableFuture<>();

    /** A field. */
    interface Member {
        /** Stores its frames and frees its memory, without waiting. */
        CompletableFuture<?> suspend();
    }

    /** The state of a field with memory. */
    private static final class State {
        private int calls;
        private boolean isLeaving;
    }

    /**
     * Creates the places.
     *
     * @param fields the number of fields that may want one
     */
    OpenFields(int places, int fields) {
        this.places = places;
        this.hasMoreFields = fields > places;
    }

    /**
     * Begins a call of a field. Waits if all places are taken.
     *
     * @throws RuntimeException if no other field can be stored
     */
    void enter(Member field) {
        List<Member> failed = new ArrayList<>();
        while (!hasEntered(field)) {
            CompletableFuture<?> next = nextChange();
            Member oldest = leaving(field, failed);
            if (oldest == null) {
                if (!isFree(field)) {
                    next.join();
                }
                continue;
            }
            try {
                await(suspend(oldest));
            } catch (RuntimeException e) {
                failed.add(oldest);
                if (!mayRetry(failed)) {
                    throw e;
                }
            }
        }
        Member next = nextToLeave();
        if (next != null) {
            suspend(next);
        }
    }

    private synchronized boolean hasEntered(Member field) {
        State state = open.remove(field);
        if (state == null) {
            if (open.size() >= places) {
                return false;
            }
            state = new State();
        }
        open.put(field, state); // as the most recently used
        if (state.isLeaving) {
            return false;
        }
        state.calls++;
        return true;
    }

    private synchronized CompletableFuture<?> nextChange() {
        return change;
    }

    private synchronized boolean isFree(Member field) {
        State own = open.get(field);
        return own == null ? open.size() < places : !own.isLeaving;
    }

    /** Chooses a field that leaves; null if a place is free by now, a field leaves already, or none can leave. */
    private synchronized @Nullable Member leaving(Member field, List<Member> failed) {
        boolean isOneLeaving = open.values().stream().anyMatch(state -> state.isLeaving);
        return isOneLeaving || isFree(field) ? null : chosen(failed);
    }

    private @Nullable Member chosen(List<Member> failed) {
        for (Map.Entry<Member, State> next : open.entrySet()) {
            if (next.getValue().calls == 0 && !next.getValue().isLeaving && !failed.contains(next.getKey())) {
                next.getValue().isLeaving = true;
                return next.getKey();
            }
        }
        return null;
    }

    private synchronized boolean mayRetry(List<Member> failed) {
        return !failed.containsAll(open.keySet());
    }

    /** Chooses a field that leaves beforehand, if the last place was taken. */
    private synchronized @Nullable Member nextToLeave() {
        boolean isFull = hasMoreFields
                && places >= MIN_FREE_PLACES
                && open.size() >= places
                && open.values().stream().noneMatch(state -> state.isLeaving);
        return isFull ? chosen(List.of()) : null;
    }

    private CompletableFuture<?> suspend(Member field) {
        CompletableFuture<?> suspended;
        try {
            suspended = field.suspend();
        } catch (RuntimeException e) {
            suspended = CompletableFuture.failedFuture(e);
        }
        suspended.whenComplete((done, failure) -> hasLeft(field, failure == null));
        return suspended;
    }

    private void hasLeft(Member field, boolean isStored) {
        CompletableFuture<?> changed;
        synchronized (this) {
            State state = open.remove(field);
            if (!isStored && state != null) {
                state.isLeaving = false;
                open.put(field, state); // its next call stores the frames, or throws the failure
            }
            changed = change;
            change = new CompletableFuture<>();
        }
        changed.complete(null);
    }

    private static void await(CompletableFuture<?> suspended) {
        try {
            suspended.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Ends a call of a field. */
    void exit(Member field) {
        change(field, false);
    }

    /** A field has no memory any more. */
    void left(Member field) {
        change(field, true);
    }

    private void change(Member field, boolean hasLeft) {
        CompletableFuture<?> changed;
        synchronized (this) {
            State state = open.get(field);
            if (state != null && !hasLeft) {
                state.calls--;
            } else if (state != null && state.calls == 0 && !state.isLeaving) {
                open.remove(field);
            }
            changed = change;
            change = new CompletableFuture<>();
        }
        changed.complete(null);
    }
}
