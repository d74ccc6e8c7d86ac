package dev.shardkit.cli;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import java.util.function.Supplier;

/** The command was used in a wrong way, where neither the data nor a store is to blame: exit status 2. */
final class WrongUse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongUse(String message) {
        super(message);
    }

    private WrongUse(ZarrException cause) {
        super(cause.getClass().getSimpleName() + ": " + cause.fact(), cause);
    }

    /** What {@code call} gives; metadata that it refuses is made of what the command line says. */
    static <T> T unless(Supplier<T> call) {
        try {
            return call.get();
        } catch (MetadataException | UnsupportedException e) {
            throw new WrongUse(e);
        }
    }
}
