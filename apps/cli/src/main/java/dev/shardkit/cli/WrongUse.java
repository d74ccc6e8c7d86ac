package dev.shardkit.cli;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import java.util.function.Supplier;

/** The command line is wrong; there is no error in the data or a store: exit status 2. */
public final class WrongUse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongUse(String message) {
        super(message);
    }

    private WrongUse(ZarrException cause) {
        super(cause.fact(), cause);
    }

    /**
     * Returns the result of {@code call}. Reports refused metadata as wrong usage, because it comes from the command
     * line.
     */
    static <T> T unless(Supplier<T> call) {
        try {
            return call.get();
        } catch (MetadataException | UnsupportedException e) {
            throw new WrongUse(e);
        }
    }
}
