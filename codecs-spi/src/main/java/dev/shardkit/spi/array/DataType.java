package dev.shardkit.spi.array;

import dev.shardkit.spi.json.Json;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an element is: its stored size, its Java carrier and its fill value's JSON forms (Zarr core specification,
 * section "Data types"). Immutable; equal types are equal objects. Not for conversions between types.
 */
public interface DataType {
    /** The name in the metadata, such as {@code uint16} or {@code r24}. */
    String name();

    /** The configuration in the metadata; empty for core types. */
    default Json.Obj configuration() {
        return Json.object();
    }

    /** The Java type of its words. */
    Carrier carrier();

    /** The stored bytes of one element, a multiple of the carrier's word size; empty if it varies. */
    OptionalInt elementSize();

    /**
     * Reads a fill value.
     *
     * @throws dev.shardkit.spi.error.MetadataException if it is none of this type
     */
    FillValue parseFill(Json json);

    /** Writes a fill value in the form that every reader understands; {@link #parseFill} gives the same bits back. */
    Json formatFill(FillValue value);

    /** The value that a new array is filled with unless told otherwise: zero, false, empty. */
    default FillValue defaultFill() {
        return FillValue.of(new byte[elementSize().orElse(0)]);
    }

    /** How a word of this type is a number; empty if it is none (text, truth values, moments, raw bits). */
    default Optional<NumberFormat> number() {
        return Optional.empty();
    }

    /**
     * Stored elements with those bits set to what this type writes there that its readers have to ignore (the upper
     * half of an int4's byte): the same where it ignores none, otherwise a copy, as stored elements are borrowed.
     */
    default Elements canonical(Elements stored) {
        return stored;
    }

    /**
     * Refuses stored elements that this type does not have (a bool byte of 2, a string that is not UTF-8), once they
     * are {@link #canonical}.
     *
     * @throws dev.shardkit.spi.error.CorruptDataException naming the first such element
     */
    default void check(Elements elements) {}
}
