package dev.shardkit.hdf5.dataset;

import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.message.Datatype;
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
 * A datatype of HDF5, expressed as a data type of Zarr v3 and of Zarr v2. {@code DatasetReader} creates it. Immutable.
 *
 * @param json the data type of Zarr v3
 * @param numpy the data type of Zarr v2: NumPy's type string, or a list of fields
 * @param bytes the size of an element in bytes
 * @param order the byte order of the words of an element
 * @param fillConverter converts the bytes of an element to a fill value
 */
public record Hdf5ElementType(Json json, Json numpy, int bytes, Order order, FillConverter fillConverter) {
    /** The tag by which h5py marks opaque bytes as a time of NumPy: byte order, kind, number of units, unit. */
    private static final Pattern TIME = Pattern.compile("NUMPY:([<>])([mM])8\\[([0-9]*)([a-zA-Z]{1,2})]");

    private static final int MAX_BYTES = 1 << 24;

    /** The floating-point types by their {@linkplain Datatype.Real#layout layout}. */
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
    public enum Order {
        NONE,
        LITTLE,
        BIG;

        private String numpyMark() {
            return this == NONE ? "|" : this == LITTLE ? "<" : ">";
        }
    }

    /**
     * Converts the bytes of an element to the fill value of Zarr v3. The words are little-endian: {@link #fillValue}
     * has reversed big-endian ones.
     */
    interface FillConverter {
        Json convert(byte[] littleEndian);
    }

    private static Order orderOf(long size, boolean isBigEndian) {
        return size == 1 ? Order.NONE : isBigEndian ? Order.BIG : Order.LITTLE;
    }

    /**
     * Returns the type of elements of a {@linkplain Datatype#decodedType decoded} datatype. Elements that are arrays
     * must have been turned into dimensions before.
     */
    static Hdf5ElementType of(Datatype type) {
        if (type.size() < 1 || type.size() > MAX_BYTES) {
            throw Hdf5Errors.unsupported("a datatype of " + type.size() + " bytes");
        }
        if (type instanceof Datatype.Whole integer) {
            return integerType(integer);
        } else if (type instanceof Datatype.Real real) {
            return realType(real);
        } else if (type instanceof Datatype.Text text) {
            return bytesType(text.size());
        } else if (type instanceof Datatype.Opaque opaque) {
            return opaqueType(opaque);
        } else if (type instanceof Datatype.Enumeration names) {
            // other enumerations become integers, and a remark lists their names
            return names.isBool()
                    ? new Hdf5ElementType(
                            Json.of("bool"),
                            Json.of("|b1"),
                            1,
                            Order.NONE,
                            littleEndian -> Json.of(littleEndian[0] != 0))
                    : of(names.base());
        } else if (type instanceof Datatype.Compound compound) {
            return complexType(compound).orElseGet(() -> structType(compound));
        }
        throw Hdf5Errors.unsupported(describe(type));
    }

    /**
     * Returns the type of texts of variable length. A stored element is the position of a text ({@link VariableTexts}).
     */
    static Hdf5ElementType textType(Datatype.Variable type, FillConverter fillConverter) {
        return new Hdf5ElementType(
                Json.of("string"), Json.of("|O"), Math.toIntExact(type.size()), Order.NONE, fillConverter);
    }

    /** Returns whether elements are texts of variable length. */
    public boolean isTexts() {
        return json.equals(Json.of("string"));
    }

    /** Describes a datatype that is not supported. */
    private static String describe(Datatype type) {
        if (type instanceof Datatype.Reference reference) {
            return reference.isObjectReference()
                    ? "a dataset of references to objects"
                    : "a dataset of references to regions";
        } else if (type instanceof Datatype.Variable) {
            return "a dataset of sequences of variable length";
        } else if (type instanceof Datatype.Block) {
            return "a record with a field that is an array";
        } else if (type instanceof Datatype.Bits bits) {
            return "a record with a field that is " + bits.form();
        }
        return "the datatype " + (type instanceof Datatype.Unknown unknown ? unknown.name() : "");
    }

    private static Hdf5ElementType integerType(Datatype.Whole type) {
        Order order = orderOf(type.size(), type.isBigEndian());
        String kind = type.isSigned() ? "i" : "u";
        return new Hdf5ElementType(
                Json.of((type.isSigned() ? "int" : "uint") + 8 * type.size()),
                Json.of(order.numpyMark() + kind + type.size()),
                (int) type.size(),
                order,
                littleEndian -> {
                    int unused = Long.SIZE - 8 * littleEndian.length; // shifting by these upper bits extends the sign
                    long bits = littleEndianWord(littleEndian, 0, littleEndian.length) << unused;
                    return type.isSigned()
                            ? Json.of(bits >> unused)
                            : new Json.Num(Long.toUnsignedString(bits >>> unused));
                });
    }

    private static Hdf5ElementType realType(Datatype.Real type) {
        String name = REALS.getOrDefault(type.layout(), "");
        if (name.isEmpty() || type.size() * 8 != type.layout().get(2)) {
            throw Hdf5Errors.unsupported("a floating-point number that is not of IEEE 754 with 2, 4 or 8 bytes");
        }
        Order order = orderOf(type.size(), type.isBigEndian());
        // NumPy has no bfloat16, so in Zarr v2 the elements are integers with the same bits.
        String numpy = order.numpyMark() + (name.equals("bfloat16") ? "u" : "f") + type.size();
        return new Hdf5ElementType(
                Json.of(name),
                Json.of(numpy),
                (int) type.size(),
                order,
                littleEndian -> toFillValue(littleEndianWord(littleEndian, 0, littleEndian.length), (int) type.size()));
    }

    /**
     * Returns a floating-point number as a fill value of Zarr v3. Finite numbers of 4 and 8 bytes and zero become
     * numbers. The standard NaN becomes {@code "NaN"}. Other values become a hexadecimal bit pattern.
     *
     * @param bits the bit pattern of the number
     * @param size the size of the number in bytes
     */
    private static Json toFillValue(long bits, int size) {
        if (size == 4 && Float.isFinite(Float.intBitsToFloat((int) bits))) {
            return new Json.Num(Float.toString(Float.intBitsToFloat((int) bits)));
        } else if (size == 8 && Double.isFinite(Double.longBitsToDouble(bits))) {
            return new Json.Num(Double.toString(Double.longBitsToDouble(bits)));
        } else if (size == 4 && (bits & 0xffffffffL) == 0x7fc00000L || size == 8 && bits == 0x7ff8000000000000L) {
            return Json.of("NaN");
        } else if (bits == 0) {
            return new Json.Num("0.0");
        }
        return Json.of("0x" + String.format("%0" + 2 * size + "x", size == 8 ? bits : bits & (1L << 8 * size) - 1));
    }

    private static long littleEndianWord(byte[] littleEndian, int start, int size) {
        long bits = 0;
        for (int i = size; i-- > 0; ) {
            bits = bits << Byte.SIZE | littleEndian[start + i] & 0xff;
        }
        return bits;
    }

    private static Hdf5ElementType bytesType(long size) {
        return new Hdf5ElementType(
                Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(size))),
                Json.of("|S" + size),
                (int) size,
                Order.NONE,
                littleEndian -> {
                    int length = littleEndian.length;
                    while (length > 0 && littleEndian[length - 1] == 0) {
                        length--;
                    }
                    return Json.of(Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(littleEndian, length)));
                });
    }

    /** Returns the type of opaque bytes, or of a time of NumPy, which h5py stores as opaque bytes with a tag. */
    private static Hdf5ElementType opaqueType(Datatype.Opaque type) {
        Matcher time = TIME.matcher(type.tag());
        if (time.matches() && type.size() == Long.BYTES) {
            String factor = time.group(3).isEmpty() ? "1" : time.group(3);
            Json.Obj configuration =
                    Json.object().with("unit", Json.of(time.group(4))).with("scale_factor", new Json.Num(factor));
            return new Hdf5ElementType(
                    Json.extension(time.group(2).equals("M") ? "numpy.datetime64" : "numpy.timedelta64", configuration),
                    Json.of(type.tag().substring("NUMPY:".length())),
                    Long.BYTES,
                    time.group(1).equals(">") ? Order.BIG : Order.LITTLE,
                    littleEndian -> Json.of(littleEndianWord(littleEndian, 0, Long.BYTES)));
        }
        return new Hdf5ElementType(
                Json.of("r" + 8 * type.size()),
                Json.of("|V" + type.size()),
                (int) type.size(),
                Order.NONE,
                littleEndian -> {
                    List<Json> all = new ArrayList<>();
                    for (byte b : littleEndian) {
                        all.add(Json.of(b & 0xff));
                    }
                    return new Json.Arr(all);
                });
    }

    /**
     * Returns the type of complex numbers, which h5py and other libraries store as records of two floating-point
     * numbers of the same type, named r and i. Empty for other records.
     */
    private static Optional<Hdf5ElementType> complexType(Datatype.Compound type) {
        List<Datatype.Member> members = type.members();
        if (members.size() != 2
                || !members.get(0).name().equals("r")
                || !members.get(1).name().equals("i")
                || !(members.get(0).type() instanceof Datatype.Real partType)
                || !partType.equals(members.get(1).type())
                || members.get(0).offset() != 0
                || members.get(1).offset() != partType.size()
                || type.size() != 2 * partType.size()
                || partType.size() < 4) {
            return Optional.empty();
        }
        Hdf5ElementType real = realType(partType);
        int size = real.bytes();
        return Optional.of(new Hdf5ElementType(
                Json.of("complex" + 16 * size),
                Json.of(real.order().numpyMark() + "c" + 2 * size),
                2 * size,
                real.order(),
                littleEndian -> new Json.Arr(List.of(
                        toFillValue(littleEndianWord(littleEndian, 0, size), size),
                        toFillValue(littleEndianWord(littleEndian, size, size), size)))));
    }

    /** Returns the type of records, whose fields must follow one another without gaps and have one byte order. */
    private static Hdf5ElementType structType(Datatype.Compound type) {
        List<Json> fields = new ArrayList<>();
        List<Json> numpy = new ArrayList<>();
        Map<String, Hdf5ElementType> types = new LinkedHashMap<>();
        Set<Order> orders = new HashSet<>();
        int end = 0;
        for (Datatype.Member member : type.members()) {
            if (member.offset() != end) {
                throw Hdf5Errors.unsupported("a record whose fields have gaps or are not in the order of their bytes");
            }
            Hdf5ElementType field = of(member.type());
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
            throw Hdf5Errors.unsupported(
                    "a record with gaps, with fields of both byte orders, or with a name that occurs twice");
        }
        return new Hdf5ElementType(
                Json.extension("struct", Json.object().with("fields", new Json.Arr(fields))),
                new Json.Arr(numpy),
                end,
                orders.isEmpty() ? Order.NONE : orders.iterator().next(),
                littleEndian -> {
                    Map<String, Json> values = new LinkedHashMap<>();
                    int offset = 0;
                    for (Map.Entry<String, Hdf5ElementType> field : types.entrySet()) {
                        int size = field.getValue().bytes();
                        byte[] fieldBytes = java.util.Arrays.copyOfRange(littleEndian, offset, offset + size);
                        values.put(
                                field.getKey(), field.getValue().fillConverter().convert(fieldBytes));
                        offset += size;
                    }
                    return new Json.Obj(values);
                });
    }

    /**
     * Adds the sizes of the words of an element, in order. A word is a part whose bytes are reversed in big-endian
     * order.
     */
    private static void addWordSizes(Datatype type, List<Integer> sizes) {
        if (type instanceof Datatype.Compound compound) {
            compound.members().forEach(m -> addWordSizes(m.type(), sizes));
        } else if (type instanceof Datatype.Whole || type instanceof Datatype.Real) {
            sizes.add((int) type.size());
        } else if (type instanceof Datatype.Enumeration names) {
            addWordSizes(names.base(), sizes);
        } else if (type instanceof Datatype.Opaque opaque
                && TIME.matcher(opaque.tag()).matches()) {
            sizes.add(Long.BYTES);
        } else {
            sizes.addAll(Collections.nCopies((int) type.size(), 1));
        }
    }

    /**
     * Returns the fill value of Zarr v3.
     *
     * @param type the datatype of the element
     * @param stored the bytes of the fill value in the byte order of this type
     */
    Json fillValue(Datatype type, byte[] stored) {
        byte[] littleEndian = stored.clone();
        if (order == Order.BIG) {
            List<Integer> sizes = new ArrayList<>();
            addWordSizes(type, sizes);
            int offset = 0;
            for (int size : sizes) {
                for (int i = 0; i < size; i++) {
                    littleEndian[offset + i] = stored[offset + size - 1 - i];
                }
                offset += size;
            }
        }
        return fillConverter.convert(littleEndian);
    }
}
