package dev.shardkit.store;

import java.util.Optional;

/** What became of a change of an object. Immutable. */
public sealed interface Outcome {
    /** It was made, and the store does not tell the version. */
    Outcome DONE = new Done(Optional.empty());
    /** The condition did not hold; nothing was changed. */
    Outcome NOT_MET = new NotMet();
    /** There was nothing to delete. */
    Outcome NOTHING = new Nothing();

    /**
     * It was made.
     *
     * @param version of the new object, if the store tells it
     */
    record Done(Optional<String> version) implements Outcome {}

    /** The condition did not hold; nothing was changed. */
    record NotMet() implements Outcome {}

    /** There was nothing to delete. */
    record Nothing() implements Outcome {}

    /**
     * The answer was lost: the change was made or not, or may be made yet by a request that is still on its way.
     *
     * @param why what happened
     */
    record Unknown(Throwable why) implements Outcome {}
}
