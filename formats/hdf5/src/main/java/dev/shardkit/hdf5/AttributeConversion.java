package dev.shardkit.hdf5;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns attributes into JSON. Used by one thread. */
final class AttributeConversion {
    /**
     * Attributes by which libraries keep dimension scales; they refer to objects or only repeat what is said elsewhere.
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

    private static final long MAX_ELEMENTS = 1 << 20;
    private static final long FREE = 1 << 20;

    private final GlobalHeap heap;
    private final Map<Long, String> names;
    private final long most;
    private long made;

    /**
     * Creates a reader.
     *
     * @param heap the elements of variable length
     * @param names the names of objects by address, for references
     * @param fileSize the size of the file in bytes; attributes may not become much more than that
     */
    AttributeConversion(GlobalHeap heap, Map<Long, String> names, long fileSize) {
        this.heap = heap;
        this.names = names;
        this.most = FREE + fileSize;
    }

    /**
     * Attributes as JSON.
     *
     * @param values the values by name
     * @param remarks says what JSON and Zarr have no place for
     */
    record Converted(Map<String, Json> values, List<String> remarks) {
        Converted with(List<String> more) {
            List<String> all = new ArrayList<>(remarks);
            all.addAll(more);
            return new Converted(values, all);
        }
    }

    /** Returns the attributes as JSON, without hidden ones. */
    Converted json(Map<String, Attributes.Value> attributes) {
        Map<String, Json> values = new LinkedHashMap<>();
        List<String> remarks = new ArrayList<>();
        attributes.forEach((name, value) -> {
            if (!HIDDEN.contains(name)) {
                try {
                    Json json = value(value);
                    values.put(name, json);
                    Datatype.valueNames(value.type())
                            .ifPresent(
                                    names -> remarks.add(at(name) + "the names of the values are left out: " + names));
                    if (isReplaced(json)) {
                        remarks.add(at(name) + "has bytes that are not UTF-8; each is the character U+FFFD");
                    }
                } catch (UnsupportedException e) {
                    remarks.add(at(name) + "is left out, because JSON has no value for it: " + e.fact());
                }
            }
        });
        return new Converted(values, remarks);
    }

    private static String at(String name) {
        return "/attributes/" + Hdf5.shown(name) + ": ";
    }

    private static boolean isReplaced(Json json) {
        return json instanceof Json.Str text && text.value().indexOf('\ufffd') >= 0
                || json instanceof Json.Arr list && list.items().stream().anyMatch(AttributeConversion::isReplaced)
                || json instanceof Json.Obj record
                        && record.members().values().stream().anyMatch(AttributeConversion::isReplaced);
    }

    private Json value(Attributes.Value value) {
        if (value.space().isNull()) {
            return new Json.Null();
        }
        long[] shape = value.space().shape();
        if (value.space().count() > MAX_ELEMENTS) {
            throw Hdf5.unsupported("an attribute of more than " + MAX_ELEMENTS + " elements");
        }
        Cursor in = value.data().again();
        // NetCDF stores a number as a list of one.
        return shape.length == 1 && shape[0] == 1 ? element(value.type(), in) : nested(value.type(), in, shape, 0);
    }

    /** Returns the lists of an array; one empty list if it has no element, whatever its shape claims. */
    private Json nested(Datatype type, Cursor in, long[] shape, int dimension) {
        if (dimension == shape.length) {
            return element(type, in);
        } else if (type.size() == 0 || Arrays.stream(shape).anyMatch(n -> n == 0)) {
            return new Json.Arr(List.of());
        }
        List<Json> items = new ArrayList<>();
        for (long i = 0; i < shape[dimension]; i++) {
            items.add(nested(type, in, shape, dimension + 1));
        }
        return new Json.Arr(items);
    }

    /** Limits the elements of all attributes: many elements of variable length can share the same bytes of the file. */
    private void count() {
        made++;
        if (made > most) {
            throw Hdf5.unsupported("a file whose attributes have more than " + most + " elements");
        }
    }

    private static String text(Datatype.Text type, byte[] bytes) {
        if (type.padding() == Datatype.Padding.TERMINATED) {
            return Cursor.text(bytes);
        }
        int pad = type.padding() == Datatype.Padding.SPACES ? ' ' : 0;
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == pad) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private Json element(Datatype type, Cursor in) {
        count();
        if (type instanceof Datatype.Variable variable) {
            return variable(variable, in);
        } else if (type instanceof Datatype.Text text) {
            return Json.of(text(text, in.bytes(text.size())));
        } else if (type instanceof Datatype.Block block) {
            long[] shape = block.shape().stream().mapToLong(Long::longValue).toArray();
            return nested(block.base(), in, shape, 0);
        } else if (type instanceof Datatype.Reference reference && reference.toObject()) {
            long address = in.part(reference.size(), "a reference").address();
            return address == 0
                    ? new Json.Null()
                    : Optional.ofNullable(names.get(address))
                            .map(Json::of)
                            .orElseThrow(() -> Hdf5.unsupported("a reference to an object that is not known"));
        } else if (type instanceof Datatype.Compound compound) {
            return record(compound, in.part(compound.size(), "a record"));
        }
        Datatype plain = Datatype.plain(type);
        byte[] bytes = in.bytes(type.size());
        byte[] number = StoredNumbers.of(type).map(s -> s.decoded(bytes)).orElse(bytes);
        return plain instanceof Datatype.Real real
                ? number(RealNumber.of(real, number))
                : ElementType.of(plain).fillValue(plain, number);
    }

    /**
     * Returns a number. Numbers of less than 64 bits are widened, as NumPy does: a short decimal would be another
     * number when it is read as a float64.
     */
    static Json number(double value) {
        return Double.isFinite(value) ? Json.of(value) : new Json.Num(Double.toString(value));
    }

    private Json variable(Datatype.Variable type, Cursor in) {
        Cursor items = heap.element(in, type.isText() ? 1 : type.base().size());
        if (type.isText()) {
            return Json.of(items.text(items.left()));
        }
        List<Json> all = new ArrayList<>();
        while (items.left() > 0) {
            all.add(element(type.base(), items));
        }
        return new Json.Arr(all);
    }

    private Json record(Datatype.Compound type, Cursor in) {
        Map<String, Json> fields = new LinkedHashMap<>();
        for (Datatype.Member member : type.members()) {
            fields.put(member.name(), element(member.type(), in.again().skip(member.offset())));
        }
        return new Json.Obj(fields);
    }
}
