package dev.shardkit.fuzz;

import dev.shardkit.spi.error.ZarrException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The fuzz targets: code that gets arbitrary bytes, and must end in values or in declared errors. A target's corpus,
 * its collected inputs, is a folder with the target's name in lower case.
 */
public enum FuzzTarget {
    DOCUMENTS(MetadataDocuments::run),
    REFERENCES(ReferenceDocuments::run),
    GRIDS(Grids::run),
    SHARDS(ChunkObjects.SHARDS::run),
    CHUNKS(ChunkObjects.OTHERS::run),
    JOURNALS(Journals::run),
    NEUROGLANCER(ForeignObjects.NEUROGLANCER::run),
    WKW(ForeignObjects.WKW::run),
    B2ND(ForeignFiles::frame),
    N5(ForeignCodecs.N5::run),
    NUMCODECS(ForeignCodecs.NUMCODECS::run),
    FOREIGN_DOCUMENTS(ForeignDocuments::run),
    HDF5(ForeignFiles::hdf5),
    TIFF(ForeignFiles::tiff),
    ZSTD(Streams.ZSTD::run),
    GZIP(Streams.GZIP::run),
    ZLIB(Streams.ZLIB::run),
    BLOSC(Streams.BLOSC::run),
    LZ4(Blocks.LZ4::run),
    SNAPPY(Blocks.SNAPPY::run);

    private final Consumer<byte[]> body;

    FuzzTarget(Consumer<byte[]> body) {
        this.body = body;
    }

    /** Finds a target by the name of its corpus. */
    public static FuzzTarget named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Returns the name of the corpus. */
    public String corpus() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Runs this target once.
     *
     * @throws AssertionError if a property does not hold; any other throwable is a finding too
     */
    public void run(byte[] input) {
        body.accept(input);
    }

    /** Returns the result of a call; empty if it threw a declared error, a {@link ZarrException} with a message. */
    static <T> Optional<T> declared(Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (ZarrException e) {
            if (String.valueOf(e.getMessage()).isBlank()) {
                throw new AssertionError("an error without a message", e);
            }
            return Optional.empty();
        }
    }

    /** Throws {@link AssertionError} unless a property holds. */
    static void check(boolean holds, String property) {
        if (!holds) {
            throw new AssertionError(property);
        }
    }

    /** Returns the input without its first {@code count} bytes. */
    static byte[] behind(byte[] input, int count) {
        return Arrays.copyOfRange(input, Math.min(count, input.length), input.length);
    }
}
