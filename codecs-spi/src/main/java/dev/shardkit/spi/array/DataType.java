package dev.shardkit.spi.array;

import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A data type: the stored size of an element, its Java carrier and the JSON forms of its fill value (Zarr core
 * specification, section "Data types"). Immutable; equal types are equal objects. Does not convert between types.
 */
public interface DataType {
    /** Returns the name in the metadata, such as {@code uint16} or {@code r24}. */
    String name();

    /** Returns the configuration in the metadata; empty for core types. */
    default Json.Obj configuration() {
        return Json.object();
    }

    /** Returns this type as metadata states it: its name, or an object with its configuration if it has one. */
    default Json json() {
        return configuration().members().isEmpty() ? Json.of(name()) : Json.extension(name(), configuration());
    }

    /** Returns the Java type that carries the elements' words. */
    Carrier carrier();

    /** Returns the stored size of one element in bytes, a multiple of the carrier's word size; empty if it varies. */
    OptionalInt elementSize();

    /**
     * Reads a fill value.
     *
     * @throws dev.shardkit.spi.error.MetadataException if {@code json} is not a fill value of this type
     */
    FillValue parseFill(Json json);

    /** Writes a fill value in the form that every reader understands; {@link #parseFill} returns the same bits. */
    Json formatFill(FillValue value);

    /** Returns a value in a form for people: by default that of a fill value. */
    default Json show(FillValue value) {
        return formatFill(value);
    }

    /** Returns the default fill value of new arrays: zero, false or empty. */
    default FillValue defaultFill() {
        return FillValue.of(new byte[elementSize().orElse(0)]);
    }

    /**
     * Returns how the bits of a word represent a number; empty for types that are not numbers (text, booleans, times,
     * raw bits).
     */
    default Optional<NumberFormat> number() {
        return Optional.empty();
    }

    /**
     * Returns the fields of records, in stored order and without gaps; empty for all other types. Records are carried
     * as bytes. The words of their fields are little-endian, whatever the byte order of a buffer.
     */
    default List<Field> fields() {
        return List.of();
    }

    /**
     * Returns stored elements with their unused bits (such as the upper half of an int4's byte) set to the value that
     * this type writes there. Returns {@code stored} itself if the type has no unused bits, otherwise a copy, since
     * stored elements are borrowed.
     */
    default Elements canonical(Elements stored) {
        return stored;
    }

    /**
     * Rejects stored elements that are not values of this type, such as a bool byte of 2 or a string that is not UTF-8.
     * Expects {@link #canonical} elements.
     *
     * @throws dev.shardkit.spi.error.CorruptDataException if an element is invalid; the message names the first one
     */
    default void check(Elements elements) {}
}
