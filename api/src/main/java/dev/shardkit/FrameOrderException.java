package dev.shardkit;

/**
 * Thrown if a frame of an {@link Acquisition} arrives twice, or too early for its window. The frame is not accepted,
 * and the acquisition can still accept other frames.
 */
public final class FrameOrderException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** Why the frame was refused. */
    private final Reason reason;

    FrameOrderException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Why a frame was refused. */
    public enum Reason {
        /** The frame was received already, or {@link Acquisition#complete} has completed its slice without it. */
        COMPLETE,
        /** The frame is past the end of the window, because earlier frames of its stream are missing. */
        BEYOND_WINDOW
    }

    /** Returns why the frame was refused. */
    public Reason reason() {
        return reason;
    }
}
