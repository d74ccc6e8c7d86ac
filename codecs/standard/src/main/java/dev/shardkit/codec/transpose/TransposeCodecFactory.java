package dev.shardkit.codec.transpose;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;

/**
 * Creates the {@code transpose} codec. Rejects the orders {@code "C"} and {@code "F"} of drafts before Zarr 3.0 was
 * final. Stateless and thread-safe.
 */
public final class TransposeCodecFactory implements CodecFactory {
    /** Creates the factory; called by the service loader. */
    public TransposeCodecFactory() {}

    @Override
    public String name() {
        return TransposeCodec.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        Optional<Json> json = config.json(TransposeCodec.ORDER);
        if (json.isPresent() && json.get() instanceof Json.Str text) {
            throw new MetadataException(
                    config.at(TransposeCodec.ORDER) + ": expected a permutation such as [1,0], found " + text
                            + "; \"C\" and \"F\" are from drafts of the specification and not supported");
        }
        long[] order = config.requiredIntegers(TransposeCodec.ORDER, 0, Integer.MAX_VALUE);
        long[] sorted = order.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < sorted.length; i++) {
            if (sorted[i] != i) {
                throw Config.expected(
                        config.at(TransposeCodec.ORDER),
                        "a permutation of 0 to " + (sorted.length - 1),
                        Json.of(order));
            }
        }
        return new TransposeCodec(
                Arrays.stream(order).mapToInt(Math::toIntExact).toArray());
    }
}
