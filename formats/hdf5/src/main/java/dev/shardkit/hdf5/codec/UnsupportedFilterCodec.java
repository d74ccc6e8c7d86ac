package dev.shardkit.hdf5.codec;

import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.util.Optional;

/**
 * The codec {@code hdf5.unreadable} of a dataset that shardkit cannot read. Its configuration contains the reason, and
 * creating it fails with this reason. So a file can be opened even if one of its datasets cannot: only opening that
 * array fails. Stateless and thread-safe.
 */
public final class UnsupportedFilterCodec implements CodecFactory {
    private static final String NAME = "hdf5.unreadable";
    private static final String DATASET = "dataset";
    private static final String REASON = "reason";
    private static final String IS_CORRUPT = "corrupt";

    /** Called by the service loader. */
    public UnsupportedFilterCodec() {}

    /**
     * Returns the codec of a dataset.
     *
     * @param path the path of the dataset in the file, for messages
     */
    public static Json toJson(String path, ZarrException reason) {
        Json.Obj config = Json.object()
                .with(DATASET, Json.of(path))
                .with(REASON, Json.of(reason.fact()))
                .with(IS_CORRUPT, Json.of(reason instanceof CorruptDataException));
        return Json.extension(NAME, config);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    /**
     * Always throws a {@link CorruptDataException} or an {@link UnsupportedException} with the reason. The exception
     * names the dataset rather than {@code zarr.json}, because the file contains no such document.
     */
    @Override
    public Codec create(Config config) {
        if (config.json(REASON).orElseGet(Json.Null::new) instanceof Json.Str reason) {
            ZarrException refusal = config.bool(IS_CORRUPT).orElse(false)
                    ? new CorruptDataException(reason.value())
                    : new UnsupportedException(reason.value());
            String dataset =
                    config.json(DATASET).orElseGet(Json.Null::new) instanceof Json.Str path ? path.value() : "";
            throw refusal.locate(
                    Optional.empty(),
                    Optional.of(DataLocation.named("dataset /" + Hdf5Errors.forMessage(dataset))),
                    Optional.empty());
        }
        throw new MetadataException(config.at(REASON) + ": expected a text");
    }
}
