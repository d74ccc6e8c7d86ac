package dev.shardkit.rules;

import java.util.List;
import java.util.stream.Stream;

/** The folders of the published modules. */
final class PublishedModules {
    /** Those that the artifact {@code shardkit} brings. */
    static final List<String> OF_SHARDKIT = List.of(
            "codecs-spi",
            "codec-crc32c",
            "codec-sharding",
            "codecs/zstd",
            "codecs/standard",
            "codecs/numcodecs",
            "codecs/data-types",
            "codecs/grids",
            "codecs/transformers",
            "formats/zarr-v2",
            "formats/n5",
            "formats/neuroglancer",
            "formats/wkw",
            "formats/blosc2",
            "engine",
            "metadata",
            "api",
            "formats/cf",
            "maintenance",
            "stores/transport",
            "stores/transport-apache",
            "stores",
            "stores/cache",
            "stores/zip");

    private static final List<String> OTHERS = List.of(
            "stores/s3",
            "stores/gcs",
            "stores/azure",
            "formats/hdf5",
            "formats/ome",
            "stores/micrometer",
            "api/kotlin",
            "bridges/imglib2",
            "bridges/arrow",
            "bridges/multik",
            "bridges/dataframe",
            "apps/pictures",
            "apps/files",
            "apps/serve",
            "conformance/testkit",
            "conformance/suite");

    private PublishedModules() {}

    static Stream<String> all() {
        return Stream.concat(OF_SHARDKIT.stream(), OTHERS.stream());
    }
}
