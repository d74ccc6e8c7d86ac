package dev.shardkit.spi;

import dev.shardkit.spi.array.DataType;

/**
 * Creates the data types of one name, or of a family of names. Register it in
 * {@code META-INF/services/dev.shardkit.spi.DataTypeFactory}. Thread-safe: several threads share one factory.
 */
public interface DataTypeFactory extends Extension {
    /**
     * Returns whether this factory creates the type called {@code name}; a family ({@code r8}, {@code r16} ...) claims
     * several names.
     */
    default boolean claims(String name) {
        return name.equals(name()) || aliases().contains(name);
    }

    /**
     * Creates the type called {@code name}.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the name or the configuration is invalid
     */
    DataType create(String name, Config config);
}
