package dev.shardkit.store;

import java.util.Optional;

/** The result of a put or a delete. Immutable. */
public sealed interface WriteResult {
    /** The change was made; the version of the new object is unknown. */
    WriteResult DONE = new Done(Optional.empty());
    /** The condition did not hold; nothing was changed. */
    WriteResult NOT_MET = new NotMet();
    /** There was no object to delete. */
    WriteResult NOTHING = new Nothing();

    /**
     * The change was made.
     *
     * @param version the version of the new object, if known
     */
    record Done(Optional<String> version) implements WriteResult {}

    /** The condition did not hold; nothing was changed. */
    record NotMet() implements WriteResult {}

    /** There was no object to delete. */
    record Nothing() implements WriteResult {}

    /**
     * The answer was lost. The change may have been made, or not, or a request that is still on its way may make it
     * later.
     *
     * @param cause the failure
     */
    record Unknown(Throwable cause) implements WriteResult {}
}
