package dev.shardkit.hdf5.dataset;

import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.GlobalHeap;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.message.AttributeMessages;
import dev.shardkit.hdf5.message.Datatype;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts the attributes of groups and datasets of HDF5 to JSON, for the attributes of Zarr. Used by one thread. */
public final class AttributeConversion {
    /**
     * The names of attributes by which libraries describe dimension scales. They are not converted, because they
     * contain references or repeat other information.
     */
    private static final List<String> HIDDEN = List.of(
            "CLASS",
            "NAME",
            "DIMENSION_LIST",
            "REFERENCE_LIST",
            "_Netcdf4Dimid",
            "_Netcdf4Coordinates",
            "_nc3_strict",
            "_NCProperties");

    /** The maximum number of elements of one attribute. */
    private static final long MAX_ELEMENTS = 1 << 20;
    /**
     * The number of elements that all attributes of a file may have in addition to one element for each byte of the
     * file.
     */
    private static final long MIN_MAX_ELEMENTS = 1 << 20;

    private final GlobalHeap heap;
    /** The paths of objects by their addresses. */
    private final Map<Long, String> names;

    private final long maxElements;
    private long elementCount;

    /**
     * Creates a conversion for the attributes of a file.
     *
     * @param heap the heap with elements of variable length
     * @param names the paths of objects by address, for references to them
     * @param fileSize the size of the file in bytes, which limits the total size of attributes
     */
    AttributeConversion(GlobalHeap heap, Map<Long, String> names, long fileSize) {
        this.heap = heap;
        this.names = names;
        this.maxElements = MIN_MAX_ELEMENTS + fileSize;
    }

    /**
     * Attributes as JSON.
     *
     * @param values the values by name
     * @param remarks notes about information that was lost, because JSON or Zarr cannot express it
     */
    public record JsonAttributes(Map<String, Json> values, List<String> remarks) {
        public JsonAttributes withRemarks(List<String> additional) {
            List<String> allRemarks = new ArrayList<>(remarks);
            allRemarks.addAll(additional);
            return new JsonAttributes(values, allRemarks);
        }
    }

    /** Returns the attributes as JSON, without those in {@link #HIDDEN}. */
    JsonAttributes convert(Map<String, AttributeMessages.Value> attributes) {
        Map<String, Json> values = new LinkedHashMap<>();
        List<String> remarks = new ArrayList<>();
        attributes.forEach((name, value) -> {
            if (!HIDDEN.contains(name)) {
                try {
                    Json json = toJson(value);
                    values.put(name, json);
                    Datatype.valueNames(value.type())
                            .ifPresent(names ->
                                    remarks.add(remarkPrefix(name) + "the names of the values are left out: " + names));
                    if (hasReplacementCharacter(json)) {
                        remarks.add(remarkPrefix(name) + "has bytes that are not UTF-8; each is the character U+FFFD");
                    }
                } catch (UnsupportedException e) {
                    remarks.add(remarkPrefix(name) + "is left out, because JSON has no value for it: " + e.fact());
                }
            }
        });
        return new JsonAttributes(values, remarks);
    }

    private static String remarkPrefix(String name) {
        return "/attributes/" + Hdf5Errors.forMessage(name) + ": ";
    }

    /** Returns whether a text in a value has the character by which the decoder replaces bytes that are not UTF-8. */
    private static boolean hasReplacementCharacter(Json json) {
        return json instanceof Json.Str text && text.value().indexOf('\ufffd') >= 0
                || json instanceof Json.Arr list
                        && list.items().stream().anyMatch(AttributeConversion::hasReplacementCharacter)
                || json instanceof Json.Obj record
                        && record.members().values().stream().anyMatch(AttributeConversion::hasReplacementCharacter);
    }

    private Json toJson(AttributeMessages.Value value) {
        if (value.space().isNull()) {
            return new Json.Null();
        }
        long[] shape = value.space().shape();
        if (value.space().count() > MAX_ELEMENTS) {
            throw Hdf5Errors.unsupported("an attribute of more than " + MAX_ELEMENTS + " elements");
        }
        Cursor cursor = value.data().duplicate();
        // NetCDF stores a single number as a list of one element, so such a list becomes a number.
        return shape.length == 1 && shape[0] == 1
                ? readElement(value.type(), cursor)
                : toNestedLists(value.type(), cursor, shape, 0);
    }

    /** Returns an array as nested lists; a single empty list if the array has no elements. */
    private Json toNestedLists(Datatype type, Cursor cursor, long[] shape, int dimension) {
        if (dimension == shape.length) {
            return readElement(type, cursor);
        } else if (type.size() == 0 || Arrays.stream(shape).anyMatch(n -> n == 0)) {
            return new Json.Arr(List.of());
        }
        List<Json> items = new ArrayList<>();
        for (long i = 0; i < shape[dimension]; i++) {
            items.add(toNestedLists(type, cursor, shape, dimension + 1));
        }
        return new Json.Arr(items);
    }

    /**
     * Counts an element, and throws if there are too many. The size of the file alone does not limit their number: many
     * elements of variable length may refer to the same bytes.
     */
    private void countElement() {
        elementCount++;
        if (elementCount > maxElements) {
            throw Hdf5Errors.unsupported("a file whose attributes have more than " + maxElements + " elements");
        }
    }

    private static String toText(Datatype.Text type, byte[] bytes) {
        if (type.padding() == Datatype.Padding.TERMINATED) {
            return Cursor.text(bytes);
        }
        int padding = type.padding() == Datatype.Padding.SPACES ? ' ' : 0;
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == padding) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    /** Reads the next element of a type. */
    private Json readElement(Datatype type, Cursor cursor) {
        countElement();
        if (type instanceof Datatype.Variable variable) {
            return readVariable(variable, cursor);
        } else if (type instanceof Datatype.Text text) {
            return Json.of(toText(text, cursor.bytes(text.size())));
        } else if (type instanceof Datatype.Block block) {
            long[] shape = block.shape().stream().mapToLong(Long::longValue).toArray();
            return toNestedLists(block.base(), cursor, shape, 0);
        } else if (type instanceof Datatype.Reference reference && reference.isObjectReference()) {
            long address = cursor.slice(reference.size(), "a reference").address();
            return address == 0
                    ? new Json.Null()
                    : Optional.ofNullable(names.get(address))
                            .map(Json::of)
                            .orElseThrow(() -> Hdf5Errors.unsupported("a reference to an object that is not known"));
        } else if (type instanceof Datatype.Compound compound) {
            return readRecord(compound, cursor.slice(compound.size(), "a record"));
        }
        Datatype effectiveType = Datatype.decodedType(type);
        byte[] bytes = cursor.bytes(type.size());
        byte[] bytesOfNumber =
                type.numberCodec().map(s -> s.decodeElement(bytes)).orElse(bytes);
        return effectiveType instanceof Datatype.Real real
                ? toJsonNumber(RealNumber.toDouble(real, bytesOfNumber))
                : Hdf5ElementType.of(effectiveType).fillValue(effectiveType, bytesOfNumber);
    }

    /**
     * Returns a number. A number of fewer than 64 bits is written with the digits of the equal float64, as NumPy does.
     * Its shortest decimal form, such as 0.1 for a float32, would be read as another float64.
     */
    static Json toJsonNumber(double value) {
        return Double.isFinite(value) ? Json.of(value) : new Json.Num(Double.toString(value));
    }

    /** Reads an element of variable length: a text or a list. */
    private Json readVariable(Datatype.Variable type, Cursor cursor) {
        Cursor items = heap.readElement(cursor, type.isText() ? 1 : type.base().size());
        if (type.isText()) {
            return Json.of(items.text(items.remaining()));
        }
        List<Json> values = new ArrayList<>();
        while (items.remaining() > 0) {
            values.add(readElement(type.base(), items));
        }
        return new Json.Arr(values);
    }

    private Json readRecord(Datatype.Compound type, Cursor cursor) {
        Map<String, Json> fields = new LinkedHashMap<>();
        for (Datatype.Member member : type.members()) {
            fields.put(
                    member.name(), readElement(member.type(), cursor.duplicate().skip(member.offset())));
        }
        return new Json.Obj(fields);
    }
}
