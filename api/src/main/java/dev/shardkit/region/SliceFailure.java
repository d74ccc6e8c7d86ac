package dev.shardkit.region;

/**
 * A failed write of slices, which left a gap in the array. Later calls are refused until the caller has received the
 * failure. Immutable.
 *
 * @param cause why the slices were not written
 * @param last the number of the last call that is refused because of the gap
 */
public record SliceFailure(Throwable cause, long last) {
    private static final long NOT_TOLD = Long.MAX_VALUE;

    /** Returns a failure that no call has reported yet. It refuses all calls. */
    public static SliceFailure untold(Throwable cause) {
        return new SliceFailure(cause, NOT_TOLD);
    }

    /** Returns this failure after a call has reported it to the caller. It refuses calls up to {@code call}. */
    public SliceFailure told(long call) {
        return new SliceFailure(cause, call);
    }

    /** Returns whether call number {@code call} is refused. */
    public boolean concerns(long call) {
        return call <= last;
    }

    /** Returns whether a call has reported the failure. */
    public boolean isTold() {
        return last != NOT_TOLD;
    }

    /** Returns the exception for a refused call. */
    public IllegalStateException refusal(String what) {
        return new IllegalStateException(what + ": an earlier one was not written (" + cause + ")", cause);
    }
}
