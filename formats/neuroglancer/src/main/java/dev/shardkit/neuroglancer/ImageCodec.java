package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Locale;

/**
 * The codec of neuroglancer's encodings {@code jpeg} and {@code png}: a chunk is stored as an image. The rows of the
 * image, one after the other, contain the voxels of the chunk in Fortran order, and the channels become the colours.
 * Immutable and thread-safe.
 *
 * @param kind the image format
 * @param effort the quality of JPEG, from 0 to 100, or the level of PNG, from 0 to 9
 */
record ImageCodec(Kind kind, int effort) implements ArrayToBytesCodec {
    /** The image formats. */
    enum Kind {
        JPEG("quality", 100, 75, List.of("uint8"), List.of(1L, 3L)),
        PNG("level", 9, 6, List.of("uint8", "uint16"), List.of(1L, 2L, 3L, 4L));

        private final String effortMember;
        private final int maxEffort;
        private final int defaultEffort;
        private final List<String> dataTypes;
        private final List<Long> channelCounts;

        Kind(String effortMember, int maxEffort, int defaultEffort, List<String> dataTypes, List<Long> channelCounts) {
            this.effortMember = effortMember;
            this.maxEffort = maxEffort;
            this.defaultEffort = defaultEffort;
            this.dataTypes = dataTypes;
            this.channelCounts = channelCounts;
        }

        /** Returns the name of the format in the JDK. */
        String formatName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the name of the codec. */
        String codecName() {
            return "neuroglancer." + formatName();
        }

        /** Returns the name of the member for the effort in the configuration. */
        String effortMember() {
            return effortMember;
        }

        int maxEffort() {
            return maxEffort;
        }
    }

    static ImageCodec create(Kind kind, Config config) {
        return new ImageCodec(
                kind, (int) config.integer(kind.effortMember, 0, kind.maxEffort).orElse(kind.defaultEffort));
    }

    @Override
    public String name() {
        return kind.codecName();
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(kind.effortMember, Json.of(effort));
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        FortranChunk.requireRank(type, name());
        long channelCount = type.shape()[VolumeGrid.SPACE];
        if (!kind.dataTypes.contains(type.dataType().name()) || !kind.channelCounts.contains(channelCount)) {
            throw new MetadataException("codec " + name() + ": expected one of " + kind.dataTypes + " and one of "
                    + kind.channelCounts + " channels, found " + type.dataType().name() + " and " + channelCount);
        }
        limits.checkChunk(type);
        return new ImageChunk(type, this);
    }
}
