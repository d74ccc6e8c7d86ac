package dev.shardkit.region;

/**
 * A failed write of slices that left a gap. Immutable.
 *
 * @param cause why the slices were not written
 * @param last the number of the last call that is refused because of the gap
 */
public record SliceFailure(Throwable cause, long last) {
    private static final long NOT_TOLD = Long.MAX_VALUE;

    /** Returns a failure that no caller knows yet. It concerns all calls. */
    public static SliceFailure untold(Throwable cause) {
        return new SliceFailure(cause, NOT_TOLD);
    }

    /** Returns this failure after a caller was told. It concerns calls up to {@code call}. */
    public SliceFailure told(long call) {
        return new SliceFailure(cause, call);
    }

    /** Checks whether call number {@code call} is refused. */
    public boolean concerns(long call) {
        return call <= last;
    }

    /** Checks whether a caller knows of the failure. */
    public boolean isTold() {
        return last != NOT_TOLD;
    }

    /** Returns the exception for a refused call. */
    public IllegalStateException refusal(String what) {
        return new IllegalStateException(what + ": an earlier one was not written (" + cause + ")", cause);
    }
}
