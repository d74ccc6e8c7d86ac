package dev.shardkit.cli.print;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import java.util.function.Supplier;

/** The command line is wrong; there is no error in the data or a store: exit status 2. */
public final class WrongUse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WrongUse(String message) {
        super(message);
    }

    private WrongUse(String message, ZarrException cause) {
        super(message, cause);
    }

    /** Replaces a leading JSON pointer by the command-line option that sets this member. */
    private static String option(String fact) {
        return fact.replaceFirst("^/codecs/0/configuration/index_codecs", "--index-codecs")
                .replaceFirst("^/?fill_value", "--fill-value")
                .replaceFirst("^/data_type", "--data-type")
                .replaceFirst("^/chunk_grid", "--chunk-grid")
                .replaceFirst("^/codecs/([0-9]+)", "--codecs, codec $1 (counted from 0)")
                .replaceFirst("^/codecs", "--codecs");
    }

    /**
     * Returns the result of {@code call}. Reports refused metadata as wrong usage, because they come from the command
     * line or a file that it names.
     */
    public static <T> T unless(Supplier<T> call) {
        try {
            return call.get();
        } catch (MetadataException | UnsupportedException e) {
            throw new WrongUse(e.fact(), e);
        }
    }

    /**
     * Returns the result of {@code call}, which makes an array of another format than Zarr. Reports what the format
     * does not have as wrong usage. Failures with a location come from the store.
     */
    public static <T> T unlessStored(Supplier<T> call) {
        try {
            return call.get();
        } catch (MetadataException | UnsupportedException e) {
            if (e.array().isEmpty()) {
                throw new WrongUse(e.getMessage(), e);
            }
            throw e;
        }
    }

    /** Like {@link #unless}, for metadata that options set: the message names the option. */
    public static <T> T unlessOptions(Supplier<T> call) {
        try {
            return call.get();
        } catch (MetadataException | UnsupportedException e) {
            throw new WrongUse(option(e.fact()), e);
        }
    }
}
