package dev.shardkit.spi.array;

/**
 * A field of a data type whose elements are records. An immutable value.
 *
 * @param name the name, unique within the record
 * @param type the data type of the field, which has a fixed size
 * @param offset the position of the field in the record, in bytes
 */
public record Field(String name, DataType type, int offset) {}
