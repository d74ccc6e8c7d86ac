package dev.shardkit.ome.pyramid;

import dev.shardkit.engine.threads.InterruptibleWait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many fields of a plate have memory for frames; used by {@link PlateRecording}. If all places are taken, a
 * field that gets a frame takes the place of the least recently used field, whose frames are stored and whose memory is
 * freed. If there are more fields than places, the last free place triggers this in the background, so that a place is
 * free again when the next field comes.
 *
 * <p>A call that needs a place stores the other field on its own thread, even if the background is about to do so: the
 * executor may have no other thread than the caller's. The state is guarded by the monitor of this object, which is not
 * held while a field is stored.
 */
final class OpenFields {
    /**
     * The minimum number of places with which one is freed in advance. With fewer places, the fields of several cameras
     * would take them from one another.
     */
    private static final int MIN_FREE_PLACES = 4;

    private final int places;
    private final boolean hasMoreFields;
    /** The fields with memory, the least recently used first. */
    private final Map<Member, Place> open = new LinkedHashMap<>();

    /** A field of the plate. */
    interface Member {
        /** Stores its frames and frees its memory, on the caller's thread. Repeated calls have no further effect. */
        void suspend();

        /**
         * Asynchronous form of {@link #suspend}. Frames that a coarser level has refused before are passed to it during
         * the call, not in the background.
         */
        CompletableFuture<?> suspendAsync();
    }

    /** The memory of a field. Ends when the memory is freed; if that fails, the field gets a new place. */
    private static final class Place {
        private final Member field;
        /** The number of calls of the field in progress. */
        private int calls;
        /** Whether the field is being stored to free the place. Never becomes false again. */
        private boolean isLeaving;

        Place(Member field) {
            this.field = field;
        }
    }

    /**
     * Creates the places.
     *
     * @param places the number of places
     * @param fields the number of fields of the plate
     */
    OpenFields(int places, int fields) {
        this.places = places;
        this.hasMoreFields = fields > places;
    }

    /**
     * Begins a call of a field. If all places are taken, frees one by storing another field; waits while all other
     * fields have calls.
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
                end(leaving, isStored); // after an error, too, because other threads wait for the place
            }
        }
        Place next = nextToLeave();
        if (next != null) {
            suspendInBackground(next);
        }
    }

    /**
     * Begins a call if the field has a place or a place is free. Otherwise chooses a field without calls, and waits
     * until there is one.
     *
     * @param failed the fields that could not be stored; they are tried again when no other field is left
     * @return the place of the field to store; null if the call has begun
     */
    private synchronized @Nullable Place enterOrChoose(Member field, List<Member> failed) {
        while (true) {
            Place own = open.remove(field);
            if (own == null && open.size() < places) {
                own = new Place(field);
            }
            if (own != null) {
                open.put(field, own); // as the most recently used
                if (own.isLeaving) { // the field is being stored: the call can begin after that
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

    /**
     * Returns a place without calls: one that is leaving already, or else the least recently used one. Null if all have
     * calls or are in {@code failed}.
     */
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

    /**
     * Records that a field could not be stored. Returns whether the call may go on: with its own place, or another
     * field.
     */
    private synchronized boolean mayRetry(Member entering, Member leaving, List<Member> failed) {
        if (leaving == entering) {
            return true; // the field keeps its memory, so its call can begin
        }
        failed.add(leaving);
        return !failed.containsAll(open.keySet());
    }

    /** Chooses a field to store in advance, if the last free place was taken; otherwise returns null. */
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

    /** Stores a field in the background. If this fails, the next call of the field stores the frames or throws. */
    private void suspendInBackground(Place leaving) {
        CompletableFuture<?> suspended;
        try {
            suspended = leaving.field.suspendAsync();
        } catch (Throwable e) { // errors, too, because other threads wait for the place
            System.getLogger(OpenFields.class.getName()).log(System.Logger.Level.DEBUG, "a field keeps its memory", e);
            end(leaving, false);
            return;
        }
        suspended.whenComplete((done, failure) -> end(leaving, failure == null));
    }

    /**
     * Ends the attempt to store a field: frees the place, or if it failed, gives the field a new one. No-op if another
     * thread has ended it.
     */
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

    /** Frees the place of a field that has freed its memory on its own. */
    synchronized void left(Member field) {
        Place place = open.get(field);
        if (place != null && place.calls == 0 && !place.isLeaving) {
            open.remove(field);
            notifyAll();
        }
    }
}
