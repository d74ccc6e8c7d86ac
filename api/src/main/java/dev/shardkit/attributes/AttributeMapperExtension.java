package dev.shardkit.attributes;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Adds classes of another language to those that attributes are mapped to; found by {@link java.util.ServiceLoader}.
 */
public interface AttributeMapperExtension {
    /** Makes {@code mapper} read and write such classes. */
    void addTo(ObjectMapper mapper);
}
