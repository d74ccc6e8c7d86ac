package dev.shardkit.neuroglancer;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;

/** The factories of this module's codecs, for the service loader. Stateless and thread-safe. */
final class NeuroglancerCodecFactories {
    private NeuroglancerCodecFactories() {}

    /** Creates {@code neuroglancer.compressed_segmentation}. */
    public static final class CompressedSegmentation implements CodecFactory {
        /** Called by the service loader. */
        public CompressedSegmentation() {}

        @Override
        public String name() {
            return CompressedSegmentationCodec.NAME;
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new CompressedSegmentationCodec(
                    VolumeGrid.readLengths(config, CompressedSegmentationCodec.BLOCK_SIZE, 1));
        }
    }

    /** Creates {@code neuroglancer.jpeg}. */
    public static final class Jpeg implements CodecFactory {
        /** Called by the service loader. */
        public Jpeg() {}

        @Override
        public String name() {
            return ImageCodec.Kind.JPEG.codecName();
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return ImageCodec.create(ImageCodec.Kind.JPEG, config);
        }
    }

    /** Creates {@code neuroglancer.png}. */
    public static final class Png implements CodecFactory {
        /** Called by the service loader. */
        public Png() {}

        @Override
        public String name() {
            return ImageCodec.Kind.PNG.codecName();
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return ImageCodec.create(ImageCodec.Kind.PNG, config);
        }
    }

    /** Refuses encodings that shardkit does not support. */
    public static final class Unsupported implements CodecFactory {
        /** Called by the service loader. */
        public Unsupported() {}

        @Override
        public String name() {
            return UnsupportedEncoding.NAME;
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            throw UnsupportedEncoding.error(config);
        }
    }
}
