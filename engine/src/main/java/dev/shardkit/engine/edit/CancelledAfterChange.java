package dev.shardkit.engine.edit;

import java.util.concurrent.CancellationException;

/**
 * The call was cancelled or interrupted, but all its changes are made: they could not be stopped any more. A caller
 * that would make a change twice must not repeat the call.
 */
public final class CancelledAfterChange extends CancellationException {
    private static final long serialVersionUID = 1L;

    CancelledAfterChange(CancellationException reason) {
        super(reason.getMessage());
        initCause(reason);
    }
}
