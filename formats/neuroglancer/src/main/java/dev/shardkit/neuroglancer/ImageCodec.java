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
 * The encodings {@code jpeg} and {@code png}: a chunk is an image whose rows, one after the other, are its voxels in
 * Fortran order. Immutable and thread-safe.
 *
 * @param kind the image format
 * @param effort the quality of JPEG, from 0 to 100, or the level of PNG, from 0 to 9
 */
record ImageCodec(Kind kind, int effort) implements ArrayToBytesCodec {
    /** The image formats. */
    enum Kind {
        JPEG("quality", 100, 75, List.of("uint8"), List.of(1L, 3L)),
        PNG("level", 9, 6, List.of("uint8", "uint16"), List.of(1L, 2L, 3L, 4L));

        private final String member;
        private final int most;
        private final int usual;
        private final List<String> types;
        private final List<Long> channels;

        Kind(String member, int most, int usual, List<String> types, List<Long> channels) {
            this.member = member;
            this.most = most;
            this.usual = usual;
            this.types = types;
            this.channels = channels;
        }

        /** Returns the name in the JDK. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the name of the codec. */
        String codec() {
            return "neuroglancer." + label();
        }

        /** Returns the member of the configuration. */
        String member() {
            return member;
        }

        int most() {
            return most;
        }
    }

    static ImageCodec of(Kind kind, Config config) {
        return new ImageCodec(
                kind, (int) config.integer(kind.member, 0, kind.most).orElse(kind.usual));
    }

    @Override
    public String name() {
        return kind.codec();
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(kind.member, Json.of(effort));
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        FortranChunk.check(type, name());
        long channels = type.shape()[VolumeGrid.SPACE];
        if (!kind.types.contains(type.dataType().name()) || !kind.channels.contains(channels)) {
            throw new MetadataException("codec " + name() + ": expected one of " + kind.types + " and one of "
                    + kind.channels + " channels, found " + type.dataType().name() + " and " + channels);
        }
        limits.checkChunk(type);
        return new ImageChunk(type, this);
    }
}
