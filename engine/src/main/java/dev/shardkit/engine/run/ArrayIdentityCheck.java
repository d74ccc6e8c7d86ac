package dev.shardkit.engine.run;

import dev.shardkit.spi.error.CorruptDataException;

/**
 * Decides, at the end of a run that met corrupt data or an absent object, whether the run has read the array that was
 * opened: the array may have been moved, removed or replaced since then. Called on the thread that ends the run.
 */
public interface ArrayIdentityCheck {
    /** Accepts everything. */
    ArrayIdentityCheck NONE = new ArrayIdentityCheck() {
        @Override
        public RuntimeException judge(CorruptDataException failure) {
            return failure;
        }

        @Override
        public void confirmAbsence() {
            return; // absence is what the caller looks for
        }
    };

    /**
     * Returns the failure of the run: {@code failure}, another one, or an
     * {@link dev.shardkit.store.ObjectChangedException} to run the plan again.
     */
    RuntimeException judge(CorruptDataException failure);

    /**
     * Throws if the array no longer exists. Called once if a local store did not have an object that the run looked
     * for.
     */
    void confirmAbsence();
}
