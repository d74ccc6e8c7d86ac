package dev.shardkit.zarrv2;

import dev.shardkit.spi.NodeFormat;
import dev.shardkit.testkit.extension.NodeFormatContract;
import java.util.Map;
import org.junit.jupiter.api.Nested;

class V2ContractTest {
    private static final String ARRAY =
            "{\"zarr_format\": 2, \"shape\": [9, 8], \"chunks\": [4, 4], \"dtype\": \"<f8\", "
                    + "\"fill_value\": 0, \"order\": \"F\", \"filters\": [{\"id\": \"fixedscaleoffset\", \"offset\": 1, "
                    + "\"scale\": 2, \"dtype\": \"<f8\", \"astype\": \"<i2\"}], \"compressor\": {\"id\": \"blosc\", \"cname\": \"lz4\", "
                    + "\"clevel\": 5, \"shuffle\": 1, \"blocksize\": 0}, \"dimension_separator\": \".\"}";

    @Nested
    class Arrays extends NodeFormatContract {
        @Override
        protected NodeFormat format() {
            return new V2Format();
        }

        @Override
        protected Map<String, String> documents() {
            return Map.of("a/.zarray", ARRAY, "a/.zattrs", "{\"_ARRAY_DIMENSIONS\": [\"y\", \"x\"]}");
        }

        @Override
        protected String path() {
            return "a";
        }
    }

    @Nested
    class Groups extends NodeFormatContract {
        @Override
        protected NodeFormat format() {
            return new V2Format();
        }

        @Override
        protected Map<String, String> documents() {
            return Map.of(
                    ".zgroup",
                    "{\"zarr_format\": 2}",
                    ".zattrs",
                    "{}",
                    ".zmetadata",
                    "{\"zarr_consolidated_format\": 1, \"metadata\": {\"a/.zarray\": " + ARRAY
                            + ", \"a/.zattrs\": {}}}");
        }

        @Override
        protected String path() {
            return "";
        }
    }
}
