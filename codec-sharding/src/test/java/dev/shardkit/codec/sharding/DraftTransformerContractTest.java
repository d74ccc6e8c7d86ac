package dev.shardkit.codec.sharding;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.testkit.StorageTransformerContract;
import java.util.ArrayList;
import java.util.List;

/** The transformer of the draft under the contract of storage transformers. */
class DraftTransformerContractTest extends StorageTransformerContract {
    @Override
    protected StorageTransformer transformer() {
        return new DraftTransformer(2, 3);
    }

    @Override
    protected StorageTransformerFactory factory() {
        return new Factory();
    }

    @Override
    protected List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                keys.add("data/root/c" + i + "/" + j);
            }
        }
        return keys;
    }

    private static final class Factory implements StorageTransformerFactory {
        @Override
        public String name() {
            return "sharding";
        }

        @Override
        public StorageTransformer create(Config config) {
            return new DraftTransformer(config.requiredIntegers("chunks_per_shard", 1, Integer.MAX_VALUE));
        }
    }
}
