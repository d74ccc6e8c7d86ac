package dev.shardkit.cli.print;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import java.util.function.Supplier;

/** Thrown if the command line is wrong, rather than the data or a store. The exit status is 2. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    private UsageException(String message, ZarrException cause) {
        super(message, cause);
    }

    /** Replaces a JSON pointer into {@code zarr.json} at the start by the option that sets this member. */
    private static String withOptionNames(String problem) {
        return problem.replaceFirst("^/codecs/0/configuration/index_codecs", "--index-codecs")
                .replaceFirst("^/?fill_value", "--fill-value")
                .replaceFirst("^/data_type", "--data-type")
                .replaceFirst("^/chunk_grid", "--chunk-grid")
                .replaceFirst("^/codecs/([0-9]+)", "--codecs, codec $1 (counted from 0)")
                .replaceFirst("^/codecs", "--codecs");
    }

    /**
     * Returns the result of {@code call}. Reports invalid metadata as wrong usage, because it comes from the command
     * line or a file that it names.
     */
    public static <T> T reportingMetadata(Supplier<T> call) {
        try {
            return call.get();
        } catch (MetadataException | UnsupportedException e) {
            throw new UsageException(e.fact(), e);
        }
    }

    /**
     * Returns the result of {@code call}, which creates an array of another format than Zarr. Reports properties that
     * the format lacks as wrong usage. Failures with a location come from the store and are not changed.
     */
    public static <T> T reportingForeignFormat(Supplier<T> call) {
        try {
            return call.get();
        } catch (MetadataException | UnsupportedException e) {
            if (e.array().isEmpty()) {
                throw new UsageException(e.getMessage(), e);
            }
            throw e;
        }
    }

    /**
     * Returns the result of {@code call}, like {@link #reportingMetadata}. The message names the option that set the
     * invalid metadata.
     */
    public static <T> T reportingOptions(Supplier<T> call) {
        try {
            return call.get();
        } catch (MetadataException | UnsupportedException e) {
            throw new UsageException(withOptionNames(e.fact()), e);
        }
    }
}
