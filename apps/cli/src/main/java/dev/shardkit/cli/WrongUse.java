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
        super(option(cause.fact()), cause);
    }

    /** Replaces the JSON pointer at the beginning of a message by the option that set this member of the metadata. */
    private static String option(String fact) {
        return fact.replaceFirst("^/codecs/0/configuration/index_codecs", "--index-codecs")
                .replaceFirst("^/?fill_value", "--fill-value")
                .replaceFirst("^/data_type", "--data-type")
                .replaceFirst("^/chunk_grid", "--chunk-grid")
                .replaceFirst("^/codecs", "--codecs");
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
