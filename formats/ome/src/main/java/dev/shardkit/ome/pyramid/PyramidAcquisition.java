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
 * <p>A frame is accepted when level 0 accepts it. A failure of a coarser level is thrown by the next call, which first
 * repeats what is missing. Levels are stored in the background; after a crash, the next acquisition completes them.
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
    /** What coarser levels lack, in the order of the calls. Guarded by itself. */
    private final Set<Missing> missing = new LinkedHashSet<>();
    /** How often a coarser level may have changed, so that it may take what it has refused. Guarded by the set. */
    private long progress;
    /** How many changes coarser levels had not taken when they were closed. Guarded by the set. */
    private int lost;
    /** Whether level 0 is closed, or its close has begun. */
    private volatile boolean isClosing;

    /** Says when the acquisition may use memory. */
    interface Admission {
        /** Always. */
        Admission NONE = new Admission() {
            @Override
            public void enter() {}

            @Override
            public void leave() {}
        };

        /** Waits until a call may use memory. */
        void enter();

        /** Ends a call. */
        void leave();
    }

    /** A change of level 0 that coarser levels lack. */
    private abstract static class Missing {
        /** Whether level 0 has it. Guarded by the set. */
        private boolean isAccepted;
        /** The thread that passes it on now. Guarded by the set. */
        private @Nullable Thread taker;
        /** The {@link #progress} at which it was taken last; -1 if it never was. Guarded by the set. */
        private long triedAt = -1;

        /** Returns whether the change may only be passed when the coarser levels can take no change before it. */
        abstract boolean isBarrier();

        /** Passes it to the coarser levels. Returns whether they have it now. */
        abstract boolean pass();

        /** Returns the first level that lacks the change. Called by the thread that has taken it. */
        abstract int level();

        /**
         * Records that level 0 failed to make the change. Called before any thread can take it. Returns whether the
         * change is missing all the same, because level 0 may have made a part of it.
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
                    // for any other reason, the level has the frame already, or it was given up there
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
     * A call of {@link PyramidAcquisition#complete} or {@link PyramidAcquisition#completeBegun}, which gives up frames.
     * It is passed after the frames before it, because a level refuses frames that it has given up. But frames that
     * level 0 accepted because of this call may stand before it. They lie beyond the windows of the coarser levels
     * until it is passed.
     */
    private final class MissingCompletion extends Missing {
        private final Consumer<Acquisition> completion;
        private final boolean isOfAllStreams;
        /** The first level that lacks the call. */
        private int level = 1;

        /** Creates a call; it completes all streams, or only those that have received frames. */
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

        /** Some streams of level 0 may have completed, so the others and the coarser levels follow. */
        @Override
        boolean recordFailure(Throwable failure) {
            level = 0;
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

    /** Returns the acquisitions of the levels, the finest first, for their state. Do not write to them. */
    public List<Acquisition> levels() {
        return levels;
    }

    /**
     * Accepts a frame and copies it.
     *
     * @throws FrameOrderException if the frame came before, or lies beyond the window
     * @throws IllegalArgumentException if an index is missing, or the shape or the data type is another
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
     * Gives up frames that have not come, in all levels; see {@link Acquisition#complete}. If this fails, some streams
     * may have given up their frames; the next call repeats it for the others.
     */
    public void complete(long end) {
        change(new MissingCompletion(level -> level.complete(end), true), finest -> finest.complete(end));
    }

    /** Gives up the missing frames of slices that have received a frame; see {@link Acquisition#completeBegun}. */
    public void completeBegun() {
        change(new MissingCompletion(Acquisition::completeBegun, false), Acquisition::completeBegun);
    }

    /** Makes a change in level 0, then in the others. */
    private void change(Missing change, Consumer<Acquisition> finest) {
        admission.enter();
        try {
            passMissing();
            synchronized (missing) {
                missing.add(change); // before level 0 has it, so that a later complete() is listed behind it
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

    /** Lets threads pass a change to the coarser levels, or drops it. */
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
     * Reserves the first change that this thread can pass; null if there is none. A barrier that is not the first
     * change comes after all frames, and only if the coarser levels, as they are now, have refused each change before
     * it.
     */
    private @Nullable Missing take() {
        synchronized (missing) {
            Missing found = null;
            boolean isFirst = true;
            boolean isRefusedBefore = true; // all changes before
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

    /** Ends the reservation of a change. {@code isProgress} says that the coarser levels may have changed. */
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

    /** Passes the changes that level 0 has to the coarser levels, and waits for those that other threads pass. */
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

    /** Waits while another thread passes one of the changes. Returns whether there was one, which may have failed. */
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

    /** Waits until level 0, which is closed, has accepted or refused all changes. */
    private void awaitAcceptance() {
        synchronized (missing) {
            while (missing.stream().anyMatch(change -> !change.isAccepted)) {
                InterruptibleWait.forChange(missing);
            }
        }
    }

    /** Returns the index before which all frames have come or were given up; see {@link Acquisition#position()}. */
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
     * @throws IllegalStateException if a coarser level does not take a frame. All levels are closed then, and the next
     *     call does nothing
     */
    @Override
    public void close() {
        try {
            passAll();
        } finally { // what level 0 has accepted is stored, whatever the coarser levels do
            isClosing = true;
            levels.get(0).close(); // from now on, no frame is accepted
        }
        awaitAcceptance();
        passAll();
        synchronized (missing) { // level 0 accepts nothing more, so no level will ever take these
            lost += missing.size();
            missing.clear();
        }
        levels.forEach(Acquisition::close);
        surplus.end();
        refuseLost();
    }

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
