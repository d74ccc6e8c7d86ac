package dev.shardkit.ome.pyramid;

import dev.shardkit.Acquisition;
import dev.shardkit.FrameOrderException;
import dev.shardkit.NdArray;
import dev.shardkit.engine.threads.InterruptibleWait;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition whose frames go to all levels of an image: to level 0 and, reduced, to each coarser one
 * ({@link Pyramid#acquisition}, {@link PlateRecording#field}). Each level is an {@link Acquisition} of its own, which
 * takes frames in any order within the window.
 *
 * <p>A frame is accepted when level 0 accepts it. If a coarser level fails, the call succeeds all the same. The next
 * call first repeats the missing changes of coarser levels, and throws if that fails again. Levels are stored in the
 * background; after a crash, the next acquisition completes them.
 *
 * <p>Calls reduce the frame themselves: a frame of 8 MiB takes tens of milliseconds. Thread-safe: frames of different
 * streams are accepted and reduced side by side.
 */
public final class PyramidAcquisition implements AutoCloseable {
    private final List<Acquisition> levels;
    private final SliceReductions reductions;
    private final long[] frameShape;
    private final SurplusFrames surplus;
    private final Admission admission;
    /** The changes of level 0 that coarser levels lack, in the order of the calls. Guarded by itself. */
    private final Set<Missing> missing = new LinkedHashSet<>();
    /**
     * Counts the steps after which a coarser level may accept a change that it has refused before. Guarded by
     * {@link #missing}.
     */
    private long progress;
    /** How many changes the coarser levels still lacked when they were closed. Guarded by {@link #missing}. */
    private int lost;
    /** Whether level 0 is closed, or its close has begun. */
    private volatile boolean isClosing;

    /** Decides when the acquisition may use memory. {@link PlateRecording} shares memory among fields in this way. */
    interface Admission {
        /** Admits each call at once. */
        Admission NONE = new Admission() {
            @Override
            public void enter() {}

            @Override
            public void leave() {}
        };

        /** Waits until a call may use memory. */
        void enter();

        /** Ends a call that {@link #enter} has admitted. */
        void leave();
    }

    /** A change of level 0 that coarser levels lack. */
    private abstract static class Missing {
        /** Whether level 0 has the change. Guarded by the set {@code missing}. */
        private boolean isAccepted;
        /** The thread that is passing the change to the coarser levels; null if none is. Guarded by the set. */
        private @Nullable Thread taker;
        /** The value of {@link #progress} when a thread last took the change; -1 if none has. Guarded by the set. */
        private long triedAt = -1;

        /** Returns whether the change must wait until the coarser levels can accept none of the changes before it. */
        abstract boolean isBarrier();

        /** Passes the change to the coarser levels. Returns whether all of them have it now. */
        abstract boolean pass();

        /** Returns the first level that lacks the change. Called by the thread that has taken it. */
        abstract int level();

        /**
         * Records that level 0 failed to make the change. Called before any thread can take it. Returns whether the
         * change must be passed all the same, because level 0 may have made a part of it.
         */
        boolean recordFailure(Throwable failure) {
            return false;
        }
    }

    /** A frame that coarser levels lack. */
    private final class MissingFrame extends Missing {
        private final Map<String, Long> indices;
        private final List<ByteBuffer> reduced;
        /** The first level that lacks the frame. Used by the thread that has taken it. */
        private int level = 1;

        MissingFrame(Map<String, Long> indices, List<ByteBuffer> reduced) {
            this.indices = Map.copyOf(indices);
            this.reduced = reduced;
        }

        @Override
        boolean isBarrier() {
            return false;
        }

        @Override
        boolean pass() {
            surplus.begin(indices);
            for (; level < levels.size(); level++) {
                try {
                    levels.get(level).write(indices, reduced.get(level - 1));
                } catch (FrameOrderException e) {
                    // any other reason means that the level has the frame already or no longer waits for it
                    if (e.reason() == FrameOrderException.Reason.BEYOND_WINDOW) {
                        return false; // the window moves on when other threads have passed the frames before it
                    }
                }
            }
            return true;
        }

        @Override
        int level() {
            return level;
        }
    }

    /**
     * A call of {@link PyramidAcquisition#complete} or {@link PyramidAcquisition#completeBegun}, after which a level no
     * longer waits for missing frames and refuses them. So the call is passed after the frames before it in the list.
     * An exception are frames that level 0 accepted only because this call had moved its window: the coarser levels
     * refuse them until they have received the call, even if the frames stand before it.
     */
    private final class MissingCompletion extends Missing {
        private final Consumer<Acquisition> completion;
        private final boolean isOfAllStreams;
        /** The first level that lacks the call; 0 if level 0 failed to complete all its streams. */
        private int level = 1;

        /**
         * Creates a call.
         *
         * @param isOfAllStreams whether it completes all streams, or only those that have received frames
         */
        MissingCompletion(Consumer<Acquisition> completion, boolean isOfAllStreams) {
            this.completion = completion;
            this.isOfAllStreams = isOfAllStreams;
        }

        @Override
        boolean isBarrier() {
            return true;
        }

        @Override
        boolean pass() {
            if (level == 0) {
                repeatInLevel0();
            }
            if (isOfAllStreams) {
                surplus.beginAll();
            }
            for (; level < levels.size(); level++) {
                completion.accept(levels.get(level));
            }
            return true;
        }

        private void repeatInLevel0() {
            try {
                completion.accept(levels.get(0));
            } catch (IllegalStateException e) {
                if (!isClosing) {
                    throw e;
                } // otherwise, level 0 takes no more calls; the caller knows that this one failed
            }
            level = 1;
        }

        @Override
        int level() {
            return level;
        }

        /**
         * Plans to repeat the call in level 0, because some of its streams may have completed, and then in the others.
         */
        @Override
        boolean recordFailure(Throwable failure) {
            level = 0;
            // level 0 refuses the call if its argument is wrong, or if level 0 is closed; then no stream has completed
            boolean isRefused = failure instanceof IllegalArgumentException
                    || failure instanceof IllegalStateException && isClosing;
            return !isRefused;
        }
    }

    PyramidAcquisition(
            List<Acquisition> levels, SliceReductions reductions, SurplusFrames surplus, Admission admission) {
        this.levels = List.copyOf(levels);
        this.reductions = reductions;
        this.surplus = surplus;
        this.frameShape = Arrays.stream(reductions.shape(0)).filter(n -> n > 1).toArray();
        this.admission = admission;
    }

    /** Returns the acquisitions of the levels, the finest first, to query their state. Do not write to them. */
    public List<Acquisition> levels() {
        return levels;
    }

    /**
     * Accepts a frame and copies it.
     *
     * @throws FrameOrderException if the frame was accepted before, or lies beyond the window
     * @throws IllegalArgumentException if an index is missing, or the shape or the data type differs from that of a
     *     frame
     * @throws IndexOutOfBoundsException if an index lies outside the array
     * @see Acquisition#write(Map, NdArray)
     */
    public void write(Map<String, Long> indices, NdArray frame) {
        boolean isFrame = frame.dataType().equals(reductions.type())
                && Arrays.equals(Arrays.stream(frame.shape()).filter(n -> n > 1).toArray(), frameShape);
        List<ByteBuffer> reduced =
                isFrame && levels.size() > 1 ? reductions.coarser(reductions.buffer(frame)) : List.of();
        change(new MissingFrame(indices, reduced), finest -> finest.write(indices, frame)); // throws unless isFrame
    }

    /** Accepts a frame from a buffer and copies it; see {@link Acquisition#write(Map, ByteBuffer)}. */
    public void write(Map<String, Long> indices, ByteBuffer frame) {
        boolean isFrame = frame.remaining() == reductions.bytes(0);
        List<ByteBuffer> reduced = isFrame && levels.size() > 1 ? reductions.coarser(frame) : List.of();
        change(new MissingFrame(indices, reduced), finest -> finest.write(indices, frame)); // throws unless isFrame
    }

    /**
     * Stops waiting for frames before {@code end} that have not come, in all levels; see {@link Acquisition#complete}.
     * If this fails, it may have happened for some streams; the next call repeats it for the others.
     */
    public void complete(long end) {
        change(new MissingCompletion(level -> level.complete(end), true), finest -> finest.complete(end));
    }

    /**
     * Stops waiting for the missing frames of slices that have received a frame; see {@link Acquisition#completeBegun}.
     */
    public void completeBegun() {
        change(new MissingCompletion(Acquisition::completeBegun, false), Acquisition::completeBegun);
    }

    /**
     * Makes a change in level 0, then in the coarser levels. The call succeeds if level 0 has made the change.
     *
     * @param change passes the change to the coarser levels
     * @param finest makes the change in level 0
     */
    private void change(Missing change, Consumer<Acquisition> finest) {
        admission.enter();
        try {
            passMissing();
            synchronized (missing) {
                // added before level 0 has the change, so that complete() calls of other threads are listed behind it
                missing.add(change);
            }
            try {
                finest.accept(levels.get(0));
            } catch (RuntimeException | Error e) {
                decide(change, change.recordFailure(e));
                throw e;
            }
            decide(change, true);
            try {
                passMissing();
            } catch (RuntimeException e) {
                System.getLogger(PyramidAcquisition.class.getName())
                        .log(System.Logger.Level.DEBUG, "a coarser level is repeated by the next call", e);
            }
        } finally {
            admission.leave();
        }
    }

    /**
     * Records whether level 0 has accepted a change. Threads may then pass it to coarser levels; otherwise drops it.
     */
    private void decide(Missing change, boolean isAccepted) {
        synchronized (missing) {
            change.isAccepted = isAccepted;
            if (!isAccepted) {
                missing.remove(change);
            }
            missing.notifyAll();
        }
    }

    /**
     * Passes changes to the coarser levels, as far as they can be passed now. A change that could not be passed is
     * tried again after any thread has passed another one.
     */
    private void passMissing() {
        for (Missing next = take(); next != null; next = take()) {
            int before = next.level();
            boolean isPassed = false;
            boolean isFailed = true;
            try {
                isPassed = next.pass();
                isFailed = false;
            } finally {
                putBack(next, isPassed, isFailed || next.level() > before);
            }
        }
    }

    /**
     * Reserves the first change that this thread can pass, and returns it; null if there is none. Frames come before
     * barriers. A barrier is taken if it is the first change, or if the coarser levels in their present state have
     * refused each change before it.
     */
    private @Nullable Missing take() {
        synchronized (missing) {
            Missing found = null;
            boolean isFirst = true;
            boolean isRefusedBefore = true; // whether all changes before this one were refused
            for (Missing next : missing) {
                boolean isFree = next.isAccepted && next.taker == null;
                boolean isRefused = isFree && next.triedAt == progress;
                if (isFree && !isRefused) {
                    if (isFirst || !next.isBarrier()) {
                        found = next;
                        break;
                    }
                    if (isRefusedBefore && found == null) {
                        found = next;
                    }
                }
                isFirst = false;
                isRefusedBefore &= isRefused;
            }
            if (found != null) {
                found.taker = Thread.currentThread();
                found.triedAt = progress;
            }
            return found;
        }
    }

    /**
     * Ends the reservation of a change.
     *
     * @param isPassed whether all coarser levels have the change
     * @param isProgress whether coarser levels may have changed, so that refused changes are worth another attempt
     */
    private void putBack(Missing change, boolean isPassed, boolean isProgress) {
        synchronized (missing) {
            change.taker = null;
            progress += isProgress ? 1 : 0;
            if (isPassed) {
                missing.remove(change);
            }
            missing.notifyAll();
        }
    }

    /** Passes all changes that level 0 has to the coarser levels. Waits for changes that other threads are passing. */
    private void passAll() {
        Set<Missing> accepted;
        synchronized (missing) {
            accepted = new LinkedHashSet<>(missing);
            accepted.removeIf(change -> !change.isAccepted);
        }
        do {
            passMissing();
        } while (awaitOthers(accepted));
    }

    /**
     * Waits once if another thread is passing one of the changes. Returns whether it waited; the other thread may have
     * failed, so the caller tries again.
     */
    private boolean awaitOthers(Set<Missing> changes) {
        synchronized (missing) {
            boolean isTaken = changes.stream().anyMatch(this::isTakenByOthers);
            if (isTaken) {
                InterruptibleWait.forChange(missing);
            }
            return isTaken;
        }
    }

    private boolean isTakenByOthers(Missing change) {
        return change.taker != null && change.taker != Thread.currentThread();
    }

    /** Waits until calls that began before level 0 was closed have recorded whether it accepted their changes. */
    private void awaitAcceptance() {
        synchronized (missing) {
            while (missing.stream().anyMatch(change -> !change.isAccepted)) {
                InterruptibleWait.forChange(missing);
            }
        }
    }

    /** Returns the index before which the acquisition waits for no frames; see {@link Acquisition#position()}. */
    public long position() {
        return levels.get(0).position();
    }

    /** Returns the index before which all frames of one stream have come; see {@link Acquisition#position(Map)}. */
    public long position(Map<String, Long> indices) {
        return levels.get(0).position(indices);
    }

    /** Returns the index before which all frames are stored in all levels; see {@link Acquisition#committed()}. */
    public long committed() {
        return levels.stream().mapToLong(Acquisition::committed).min().orElseThrow();
    }

    /** Returns the index before which all frames of one stream are stored in all levels. */
    public long committed(Map<String, Long> indices) {
        return levels.stream()
                .mapToLong(level -> level.committed(indices))
                .min()
                .orElseThrow();
    }

    /** Stores the complete slices of all levels, the finest first; see {@link Acquisition#flush}. */
    public void flush() {
        passAll();
        levels.forEach(Acquisition::flush);
    }

    /** Stores the complete slices of all levels and frees their memory; see {@link Acquisition#suspend}. */
    public void suspend() {
        passAll();
        levels.forEach(Acquisition::suspend);
    }

    /** Asynchronous form of {@link #suspend}. */
    CompletableFuture<?> suspendAsync() {
        passMissing();
        return CompletableFuture.allOf(
                levels.stream().map(Acquisition::suspendAsync).toArray(CompletableFuture[]::new));
    }

    /**
     * Stores all frames of all levels and accepts no more. If this fails, it can be repeated.
     *
     * @throws IllegalStateException if a coarser level does not accept a frame. All levels are closed then, and the
     *     next call does nothing
     */
    @Override
    public void close() {
        try {
            passAll();
        } finally { // the frames that level 0 has accepted are stored even if coarser levels fail
            isClosing = true;
            levels.get(0).close(); // from now on, no frame is accepted
        }
        awaitAcceptance();
        passAll();
        synchronized (missing) {
            // level 0 is closed, so coarser levels that still refuse these changes will never accept them
            lost += missing.size();
            missing.clear();
        }
        levels.forEach(Acquisition::close);
        surplus.end();
        refuseLost();
    }

    /** Throws if coarser levels lacked changes when they were closed. Throws once, so that close can be repeated. */
    private void refuseLost() {
        synchronized (missing) {
            int count = lost;
            lost = 0;
            if (count > 0) {
                throw new IllegalStateException("coarser levels lack " + count
                        + " frames or completions, which they do not take; the next acquisition adds the frames");
            }
        }
    }
}
