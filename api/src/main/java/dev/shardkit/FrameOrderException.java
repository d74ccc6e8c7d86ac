package dev.shardkit;

/**
 * A frame of an {@link Acquisition} came twice, or too early for its window. It was not accepted, and the acquisition
 * goes on.
 */
public final class FrameOrderException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** The place of the frame. */
    private final Reason reason;

    FrameOrderException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Why a frame was refused. */
    public enum Reason {
        /** The frame came before, or {@link Acquisition#complete} gave it up. */
        COMPLETE,
        /** The frame lies behind the window: earlier frames of its stream have not come. */
        BEYOND_WINDOW
    }

    /** Returns why the frame was refused. */
    public Reason reason() {
        return reason;
    }
}
