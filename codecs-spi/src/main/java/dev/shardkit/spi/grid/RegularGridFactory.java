package dev.shardkit.spi.grid;

import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.ChunkGrid;

/** Creates {@link RegularGrid}s. Stateless and thread-safe. */
public final class RegularGridFactory implements ChunkGridFactory {
    /** Creates the factory; called by the service loader. */
    public RegularGridFactory() {}

    @Override
    public String name() {
        return RegularGrid.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public ChunkGrid create(Config config, long[] arrayShape) {
        return RegularGrid.of(arrayShape, config.requiredIntegers(RegularGrid.CHUNK_SHAPE, 1, Long.MAX_VALUE));
    }
}
