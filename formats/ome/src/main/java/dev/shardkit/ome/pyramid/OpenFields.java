package dev.shardkit.ome.pyramid;

import dev.shardkit.engine.threads.InterruptibleWait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many fields of a plate have memory for frames. A field that gets a frame takes the place of the least
 * recently used one, which is stored and keeps no memory. If there are more fields than places, that is done
 * beforehand, in the background, so that a place is free when the next field comes.
 *
 * <p>A call that needs a place stores the other field itself, also one that is about to leave in the background: the
 * executor may have no other thread than the caller's. Guarded by its monitor, which is not held while fields are
 * stored.
 */
final class OpenFields {
    /** With fewer places, fields of several cameras would take them from one another. */
    private static final int MIN_FREE_PLACES = 4;

    private final int places;
    private final boolean hasMoreFields;
    /** The fields with memory, the least recently used first. */
    private final Map<Member, Place> open = new LinkedHashMap<>();

    /** A field. */
    interface Member {
        /** Stores its frames and frees its memory, on the caller's thread. Repeated calls have no further effect. */
        void suspend();

        /**
         * Asynchronous form of {@link #suspend}. The call itself passes frames on that a coarser level has refused
         * before.
         */
        CompletableFuture<?> suspendAsync();
    }

    /** The memory of a field, from the call that takes it until it is freed, or until that has failed. */
    private static final class Place {
        private final Member field;
        private int calls;
        /** Whether the field is being stored. It stays so: after a failure, the field gets a new place. */
        private boolean isLeaving;

        Place(Member field) {
            this.field = field;
        }
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
     * Begins a call of a field. If all places are taken, stores another field, or waits while all of them are used.
     *
     * @throws RuntimeException if no other field can be stored
     * @throws java.util.concurrent.CancellationException if the thread is interrupted while it waits; then no call has
     *     begun
     */
    void enter(Member field) {
        List<Member> failed = new ArrayList<>();
        for (Place leaving = enterOrChoose(field, failed); leaving != null; leaving = enterOrChoose(field, failed)) {
            boolean isStored = false;
            try {
                leaving.field.suspend();
                isStored = true;
            } catch (RuntimeException e) {
                if (InterruptibleWait.isInterrupted() || !mayRetry(field, leaving.field, failed)) {
                    throw e;
                }
            } finally {
                end(leaving, isStored); // also after an error: other threads wait for the place
            }
        }
        Place next = nextToLeave();
        if (next != null) {
            suspendInBackground(next);
        }
    }

    /**
     * Begins a call if the field has a place or one is free. Otherwise waits for another field that can leave, or
     * leaves already.
     *
     * @param failed the fields that could not be stored; they are tried again when no other one is left
     * @return the place of that field; null if the call has begun
     */
    private synchronized @Nullable Place enterOrChoose(Member field, List<Member> failed) {
        while (true) {
            Place own = open.remove(field);
            if (own == null && open.size() < places) {
                own = new Place(field);
            }
            if (own != null) {
                open.put(field, own); // as the most recently used
                if (own.isLeaving) {
                    return own;
                }
                own.calls++;
                return null;
            }
            Place chosen = leastUsed(failed);
            if (chosen != null) {
                chosen.isLeaving = true;
                return chosen;
            } else if (open.values().stream().allMatch(place -> place.calls == 0)) {
                failed.clear();
            } else {
                InterruptibleWait.forChange(this);
            }
        }
    }

    /** Returns the place that leaves already, or else the least recently used one without calls; null if none has. */
    private @Nullable Place leastUsed(List<Member> failed) {
        Place idle = null;
        for (Place place : open.values()) {
            if (place.calls == 0 && !failed.contains(place.field)) {
                if (place.isLeaving) {
                    return place;
                }
                idle = idle == null ? place : idle;
            }
        }
        return idle;
    }

    /** Notes that a field could not be stored. Returns whether it is the one that enters, or others may be tried. */
    private synchronized boolean mayRetry(Member entering, Member leaving, List<Member> failed) {
        if (leaving == entering) {
            return true; // it keeps its place
        }
        failed.add(leaving);
        return !failed.containsAll(open.keySet());
    }

    /** Chooses a field that leaves beforehand, if the last place was taken. */
    private synchronized @Nullable Place nextToLeave() {
        boolean isFull = hasMoreFields
                && places >= MIN_FREE_PLACES
                && open.size() >= places
                && open.values().stream().noneMatch(place -> place.isLeaving);
        Place next = isFull ? leastUsed(List.of()) : null;
        if (next != null) {
            next.isLeaving = true;
        }
        return next;
    }

    /** Stores a field in the background. After a failure, its next call stores the frames, or throws the failure. */
    private void suspendInBackground(Place leaving) {
        CompletableFuture<?> suspended;
        try {
            suspended = leaving.field.suspendAsync();
        } catch (Throwable e) { // also an error: other threads wait for the place
            System.getLogger(OpenFields.class.getName()).log(System.Logger.Level.DEBUG, "a field keeps its memory", e);
            end(leaving, false);
            return;
        }
        suspended.whenComplete((done, failure) -> end(leaving, failure == null));
    }

    /** Ends the departure of a field. No-op if another thread has ended it. */
    private synchronized void end(Place leaving, boolean isStored) {
        if (open.get(leaving.field) == leaving) {
            open.remove(leaving.field);
            if (!isStored) {
                open.put(leaving.field, new Place(leaving.field));
            }
            notifyAll();
        }
    }

    /** Ends a call of a field. */
    synchronized void exit(Member field) {
        Place place = open.get(field);
        if (place != null) {
            place.calls--;
            notifyAll();
        }
    }

    /** A field has no memory any more. */
    synchronized void left(Member field) {
        Place place = open.get(field);
        if (place != null && place.calls == 0 && !place.isLeaving) {
            open.remove(field);
            notifyAll();
        }
    }
}
