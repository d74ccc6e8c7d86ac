package dev.shardkit.hdf5;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A datatype as Zarr has it. Immutable.
 *
 * @param json the data type of Zarr v3
 * @param numpy the type of Zarr v2: NumPy's text, or fields
 * @param bytes the size of an element in bytes
 * @param order the byte order of words
 * @param fill turns the bytes of an element into a fill value
 */
record ElementType(Json json, Json numpy, int bytes, Order order, Fill fill) {
    private static final Pattern TIME = Pattern.compile("NUMPY:([<>])([mM])8\\[([0-9]*)([a-zA-Z]{1,2})]");
    private static final int MAX_BYTES = 1 << 24;

    private static final Map<List<Long>, String> REALS = Map.of(
            List.of(15L, 0L, 16L, 10L, 5L, 0L, 10L, 15L),
            "float16",
            List.of(15L, 0L, 16L, 7L, 8L, 0L, 7L, 127L),
            "bfloat16",
            Datatype.FLOAT32,
            "float32",
            Datatype.FLOAT64,
            "float64");

    /** The byte order of words; one-byte elements have none. */
    enum Order {
        NONE,
        LITTLE,
        BIG;

        private String mark() {
            return this == NONE ? "|" : this == LITTLE ? "<" : ">";
        }
    }

    /** Turns the bytes of an element, with little-endian words, into the fill value of Zarr v3. */
    interface Fill {
        Json of(byte[] little);
    }

    private static Order order(long size, boolean big) {
        return size == 1 ? Order.NONE : big ? Order.BIG : Order.LITTLE;
    }

    /**
     * Returns the type of elements of a {@linkplain Datatype#plain plain} datatype. Arrays become dimensions before.
     */
    static ElementType of(Datatype type) {
        if (type.size() < 1 || type.size() > MAX_BYTES) {
            throw Hdf5.unsupported("a datatype of " + type.size() + " bytes");
        }
        if (type instanceof Datatype.Whole whole) {
            return whole(whole);
        } else if (type instanceof Datatype.Real real) {
            return real(real);
        } else if (type instanceof Datatype.Text text) {
            return bytes(text.size());
        } else if (type instanceof Datatype.Opaque opaque) {
            return opaque(opaque);
        } else if (type instanceof Datatype.Enumeration names) {
            return names.isBool()
                    ? new ElementType(Json.of("bool"), Json.of("|b1"), 1, Order.NONE, little -> Json.of(little[0] != 0))
                    : of(names.base());
        } else if (type instanceof Datatype.Compound compound) {
            return complex(compound).orElseGet(() -> struct(compound));
        }
        throw Hdf5.unsupported(described(type));
    }

    /** Texts of variable length: of each element, the file has the place ({@link VariableTexts}). */
    static ElementType texts(Datatype.Variable type, Fill fill) {
        return new ElementType(Json.of("string"), Json.of("|O"), Math.toIntExact(type.size()), Order.NONE, fill);
    }

    /** Returns whether elements are texts of variable length. */
    boolean isTexts() {
        return json.equals(Json.of("string"));
    }

    private static String described(Datatype type) {
        if (type instanceof Datatype.Reference r) {
            return r.toObject() ? "a dataset of references to objects" : "a dataset of references to regions";
        } else if (type instanceof Datatype.Variable) {
            return "a dataset of sequences of variable length";
        } else if (type instanceof Datatype.Block) {
            return "a record with a field that is an array";
        } else if (type instanceof Datatype.Bits bits) {
            return "a record with a field that is " + bits.form();
        }
        return "the datatype " + (type instanceof Datatype.Unknown unknown ? unknown.name() : "");
    }

    private static ElementType whole(Datatype.Whole type) {
        Order order = order(type.size(), type.big());
        String kind = type.signed() ? "i" : "u";
        return new ElementType(
                Json.of((type.signed() ? "int" : "uint") + 8 * type.size()),
                Json.of(order.mark() + kind + type.size()),
                (int) type.size(),
                order,
                little -> {
                    int unused = Long.SIZE - 8 * little.length;
                    long word = word(little, 0, little.length) << unused;
                    return type.signed()
                            ? Json.of(word >> unused)
                            : new Json.Num(Long.toUnsignedString(word >>> unused));
                });
    }

    private static ElementType real(Datatype.Real type) {
        String name = REALS.getOrDefault(type.layout(), "");
        if (name.isEmpty() || type.size() * 8 != type.layout().get(2)) {
            throw Hdf5.unsupported("a floating-point number that is not of IEEE 754 with 2, 4 or 8 bytes");
        }
        Order order = order(type.size(), type.big());
        // NumPy has no bfloat16: Zarr v2 sees its bits.
        String numpy = order.mark() + (name.equals("bfloat16") ? "u" : "f") + type.size();
        return new ElementType(
                Json.of(name),
                Json.of(numpy),
                (int) type.size(),
                order,
                little -> number(word(little, 0, little.length), (int) type.size()));
    }

    /** Returns a number as fill value; one that JSON has no number for, as text or by its bits. */
    private static Json number(long word, int size) {
        if (size == 4 && Float.isFinite(Float.intBitsToFloat((int) word))) {
            return new Json.Num(Float.toString(Float.intBitsToFloat((int) word)));
        } else if (size == 8 && Double.isFinite(Double.longBitsToDouble(word))) {
            return new Json.Num(Double.toString(Double.longBitsToDouble(word)));
        } else if (size == 4 && (word & 0xffffffffL) == 0x7fc00000L || size == 8 && word == 0x7ff8000000000000L) {
            return Json.of("NaN");
        } else if (word == 0) {
            return new Json.Num("0.0");
        }
        return Json.of("0x" + String.format("%0" + 2 * size + "x", size == 8 ? word : word & (1L << 8 * size) - 1));
    }

    private static long word(byte[] little, int from, int size) {
        long word = 0;
        for (int i = size; i-- > 0; ) {
            word = word << Byte.SIZE | little[from + i] & 0xff;
        }
        return word;
    }

    private static ElementType bytes(long size) {
        return new ElementType(
                Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(size))),
                Json.of("|S" + size),
                (int) size,
                Order.NONE,
                little -> {
                    int used = little.length;
                    while (used > 0 && little[used - 1] == 0) {
                        used--;
                    }
                    return Json.of(Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(little, used)));
                });
    }

    /** Bytes without a meaning; h5py stores the times of NumPy so. */
    private static ElementType opaque(Datatype.Opaque type) {
        Matcher time = TIME.matcher(type.tag());
        if (time.matches() && type.size() == Long.BYTES) {
            String factor = time.group(3).isEmpty() ? "1" : time.group(3);
            Json.Obj configuration =
                    Json.object().with("unit", Json.of(time.group(4))).with("scale_factor", new Json.Num(factor));
            return new ElementType(
                    Json.extension(time.group(2).equals("M") ? "numpy.datetime64" : "numpy.timedelta64", configuration),
                    Json.of(type.tag().substring("NUMPY:".length())),
                    Long.BYTES,
                    time.group(1).equals(">") ? Order.BIG : Order.LITTLE,
                    little -> Json.of(word(little, 0, Long.BYTES)));
        }
        return new ElementType(
                Json.of("r" + 8 * type.size()), Json.of("|V" + type.size()), (int) type.size(), Order.NONE, little -> {
                    List<Json> all = new ArrayList<>();
                    for (byte b : little) {
                        all.add(Json.of(b & 0xff));
                    }
                    return new Json.Arr(all);
                });
    }

    /** Two equal floating-point numbers called r and i, by which h5py and others store complex numbers. */
    private static Optional<ElementType> complex(Datatype.Compound type) {
        List<Datatype.Member> members = type.members();
        if (members.size() != 2
                || !members.get(0).name().equals("r")
                || !members.get(1).name().equals("i")
                || !(members.get(0).type() instanceof Datatype.Real part)
                || !part.equals(members.get(1).type())
                || members.get(0).offset() != 0
                || members.get(1).offset() != part.size()
                || type.size() != 2 * part.size()
                || part.size() < 4) {
            return Optional.empty();
        }
        ElementType real = real(part);
        int size = real.bytes();
        return Optional.of(new ElementType(
                Json.of("complex" + 16 * size),
                Json.of(real.order().mark() + "c" + 2 * size),
                2 * size,
                real.order(),
                little -> new Json.Arr(
                        List.of(number(word(little, 0, size), size), number(word(little, size, size), size)))));
    }

    private static ElementType struct(Datatype.Compound type) {
        List<Json> fields = new ArrayList<>();
        List<Json> numpy = new ArrayList<>();
        Map<String, ElementType> types = new LinkedHashMap<>();
        Set<Order> orders = new HashSet<>();
        int end = 0;
        for (Datatype.Member member : type.members()) {
            if (member.offset() != end) {
                throw Hdf5.unsupported("a record whose fields have gaps or are not in the order of their bytes");
            }
            ElementType field = of(member.type());
            orders.add(field.order());
            end += field.bytes();
            fields.add(Json.object().with("name", Json.of(member.name())).with("data_type", field.json()));
            numpy.add(new Json.Arr(List.of(Json.of(member.name()), field.numpy())));
            types.put(member.name(), field);
        }
        orders.remove(Order.NONE);
        if (end != type.size()
                || orders.size() > 1
                || types.size() != type.members().size()) {
            throw Hdf5.unsupported(
                    "a record with gaps, with fields of both byte orders, or with a name that occurs twice");
        }
        return new ElementType(
                Json.extension("struct", Json.object().with("fields", new Json.Arr(fields))),
                new Json.Arr(numpy),
                end,
                orders.isEmpty() ? Order.NONE : orders.iterator().next(),
                little -> {
                    Map<String, Json> values = new LinkedHashMap<>();
                    int at = 0;
                    for (Map.Entry<String, ElementType> field : types.entrySet()) {
                        int size = field.getValue().bytes();
                        byte[] part = java.util.Arrays.copyOfRange(little, at, at + size);
                        values.put(field.getKey(), field.getValue().fill().of(part));
                        at += size;
                    }
                    return new Json.Obj(values);
                });
    }

    /** Returns the sizes of the words of an element, in the order of their bytes. */
    private static void words(Datatype type, List<Integer> sizes) {
        if (type instanceof Datatype.Compound compound) {
            compound.members().forEach(m -> words(m.type(), sizes));
        } else if (type instanceof Datatype.Whole || type instanceof Datatype.Real) {
            sizes.add((int) type.size());
        } else if (type instanceof Datatype.Enumeration names) {
            words(names.base(), sizes);
        } else if (type instanceof Datatype.Opaque opaque
                && TIME.matcher(opaque.tag()).matches()) {
            sizes.add(Long.BYTES);
        } else {
            sizes.addAll(Collections.nCopies((int) type.size(), 1));
        }
    }

    /** Returns the fill value of the bytes of an element, whose words are in the order of this type. */
    Json fillValue(Datatype type, byte[] stored) {
        byte[] little = stored.clone();
        if (order == Order.BIG) {
            List<Integer> sizes = new ArrayList<>();
            words(type, sizes);
            int at = 0;
            for (int size : sizes) {
                for (int i = 0; i < size; i++) {
                    little[at + i] = stored[at + size - 1 - i];
                }
                at += size;
            }
        }
        return fill.of(little);
    }
}
