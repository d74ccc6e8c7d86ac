package dev.shardkit.zarrv3draft;

import dev.shardkit.spi.NodeFormat;
import dev.shardkit.testkit.extension.NodeFormatContract;
import java.util.Map;

class DraftFormatTest extends NodeFormatContract {
    @Override
    protected NodeFormat format() {
        return new DraftFormat();
    }

    @Override
    protected Map<String, String> documents() {
        return Map.of(
                "zarr.json",
                "{\"zarr_format\": \"https://purl.org/zarr/spec/protocol/core/3.0\", \"metadata_key_suffix\": \".json\"}",
                "meta/root/a.array.json",
                "{\"shape\": [9, 8], \"data_type\": \"<i4\", \"chunk_grid\": {\"type\": \"regular\", "
                        + "\"chunk_shape\": [4, 4], \"separator\": \"/\"}, \"chunk_memory_layout\": \"F\", \"fill_value\": null, "
                        + "\"compressor\": {\"codec\": \"https://purl.org/zarr/spec/codec/gzip/1.0\", \"configuration\": "
                        + "{\"level\": 1}}, \"extensions\": [], \"attributes\": {}, \"storage_transformers\": [{\"name\": "
                        + "\"sharding\", \"configuration\": {\"chunks_per_shard\": [2, 2]}}]}");
    }

    @Override
    protected String path() {
        return "a";
    }
}
