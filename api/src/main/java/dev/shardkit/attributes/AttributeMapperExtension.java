package dev.shardkit.attributes;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Adds support for the classes of another language, such as Kotlin, to the {@link AttributeMapper}; found by
 * {@link java.util.ServiceLoader}.
 */
public interface AttributeMapperExtension {
    /** Makes {@code mapper} read and write classes of the language. */
    void addTo(ObjectMapper mapper);
}
