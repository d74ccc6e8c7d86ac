package dev.shardkit.spi;

import dev.shardkit.spi.array.DataType;

/**
 * Makes data types of one name, or of a family of names. Register it in
 * {@code META-INF/services/dev.shardkit.spi.DataTypeFactory}. Thread-safe: several threads call one factory.
 */
public interface DataTypeFactory extends Extension {
    /** Whether it makes the type called {@code name}; a family ({@code r8}, {@code r16} ...) claims more than one. */
    default boolean claims(String name) {
        return name.equals(name()) || aliases().contains(name);
    }

    /**
     * Makes the type called {@code name}.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the name or the configuration is wrong
     */
    DataType create(String name, Config config);
}
