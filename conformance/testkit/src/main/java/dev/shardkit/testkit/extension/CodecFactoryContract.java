package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.json.Json;
import org.junit.jupiter.api.Test;

/**
 * The contract of codec factories as tests, in addition to the contract of all factories. To test a factory, extend
 * this class.
 */
public abstract class CodecFactoryContract extends FactoryContract<CodecFactory> {
    /** For subclasses. */
    protected CodecFactoryContract() {
        super(CodecFactory.class);
    }

    @Override
    protected Object create(CodecFactory factory, Config config) {
        return factory.create(config);
    }

    @Test
    void configuration_makesTheSameCodecAgain() {
        for (Json.Obj configuration : legal()) {
            Codec first = LoadedExtensions.made(configuration, factory()::create);
            Codec again = LoadedExtensions.made(first.configuration(), factory()::create);
            assertEquals(factory().name(), first.name(), () -> "name of the codec of " + configuration);
            assertEquals(
                    first.configuration(), again.configuration(), () -> "written and read again: " + configuration);
            assertEquals(first.getClass(), again.getClass());
        }
    }
}
