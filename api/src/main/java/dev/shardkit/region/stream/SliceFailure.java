package dev.shardkit.region.stream;

/**
 * A failed write of slices, which left a gap in the array. Calls of the stream are numbered. Calls that the caller made
 * without knowing of the gap are refused, so that no slice lands at a wrong position. Immutable.
 *
 * @param cause why the slices were not written
 * @param last the number of the last call that is refused because of the gap
 */
public record SliceFailure(Throwable cause, long last) {
    private static final long UNREPORTED = Long.MAX_VALUE;

    /** Returns a failure that no call has reported yet. It refuses all calls. */
    public static SliceFailure unreported(Throwable cause) {
        return new SliceFailure(cause, UNREPORTED);
    }

    /** Returns this failure after a call has reported it to the caller. It refuses calls up to {@code call}. */
    public SliceFailure reported(long call) {
        return new SliceFailure(cause, call);
    }

    /** Returns whether call number {@code call} is refused. */
    public boolean refuses(long call) {
        return call <= last;
    }

    /** Returns whether a call has reported the failure. */
    public boolean isReported() {
        return last != UNREPORTED;
    }

    /** Returns the exception for a refused call. */
    public IllegalStateException refusal(String message) {
        return new IllegalStateException(message + ": an earlier one was not written (" + cause + ")", cause);
    }
}
