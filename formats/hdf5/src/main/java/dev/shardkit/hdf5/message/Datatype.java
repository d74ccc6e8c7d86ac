package dev.shardkit.hdf5.message;

import dev.shardkit.hdf5.codec.NumberForm;
import dev.shardkit.hdf5.codec.PackedNumbersCodec;
import dev.shardkit.hdf5.codec.WordOrder;
import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.FileBytes;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.file.ObjectHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The type of a dataset's or an attribute's elements, read from the datatype message of an object header (section
 * IV.A.2.d of the specification of HDF5's file format). Immutable.
 */
public sealed interface Datatype {
    /** The maximum number of values that {@link #valueNames} names. */
    int MAX_NAMES = 50;

    /** The maximum nesting depth of types. */
    int MAX_DEPTH = 16;

    /** The layout of {@code float32}. */
    List<Long> FLOAT32 = List.of(31L, 0L, 32L, 23L, 8L, 0L, 23L, 127L);

    /** The layout of {@code float64}. */
    List<Long> FLOAT64 = List.of(63L, 0L, 64L, 52L, 11L, 0L, 52L, 1023L);

    /** Returns the size of an element in bytes. */
    long size();

    /** An integer that uses all its bits. */
    record Whole(long size, boolean isBigEndian, boolean isSigned) implements Datatype {}

    /**
     * A floating-point number.
     *
     * @param layout eight numbers: the position of the sign bit; the position and number of all bits; the position and
     *     number of the exponent's bits; the position and number of the mantissa's bits; the bias of the exponent
     */
    record Real(long size, boolean isBigEndian, List<Long> layout) implements Datatype {}

    /**
     * A number with unused bits, or in a non-standard floating-point format.
     *
     * @param number the type of the decoded number, with the same size and byte order
     * @param form where the bits of the number lie in the stored word
     */
    record Bits(Datatype number, NumberForm form) implements Datatype {
        @Override
        public long size() {
            return number.size();
        }
    }

    /** Text of a fixed size. */
    record Text(long size, Padding padding) implements Datatype {}

    /** The padding of text. */
    enum Padding {
        /** Text ends at the first zero, or at the end. */
        TERMINATED,
        /** Zeros at the end are padding. */
        ZEROS,
        /** Spaces at the end are padding. */
        SPACES;

        private static Padding of(int bits, Cursor cursor) {
            if ((bits & 15) > 2) {
                throw cursor.corrupt("a padding of text of kind 0 to 2", (bits & 15) + "");
            }
            return values()[bits & 15];
        }
    }

    /** Bytes that HDF5 does not interpret. */
    record Opaque(long size, String tag) implements Datatype {}

    /** A record with several fields. */
    record Compound(long size, List<Member> members) implements Datatype {}

    /** A field of a record. */
    record Member(String name, long offset, Datatype type) {}

    /** A reference to an object or a region. */
    record Reference(long size, boolean isObjectReference) implements Datatype {}

    /** Names for some values of an integer type. */
    record Enumeration(long size, Datatype base, List<String> names, List<Long> values) implements Datatype {
        /** Returns whether these are the two values that h5py and other libraries use for booleans. */
        public boolean isBool() {
            return size == 1 && names.equals(List.of("FALSE", "TRUE")) && values.equals(List.of(0L, 1L));
        }
    }

    /**
     * Returns the named values of the enumerations in a type as text, such as {@code RED = 0, GREEN = 1}; empty if
     * there are none. Zarr cannot store these names, so a remark lists them.
     */
    static Optional<String> valueNames(Datatype type) {
        if (type instanceof Enumeration names && !names.isBool()) {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < Math.min(MAX_NAMES, names.names().size()); i++) {
                texts.add(Hdf5Errors.forMessage(names.names().get(i)) + " = "
                        + names.values().get(i));
            }
            int remaining = names.names().size() - texts.size();
            return Optional.of(String.join(", ", texts) + (remaining > 0 ? " and " + remaining + " more" : ""));
        } else if (type instanceof Block block) {
            return valueNames(block.base());
        } else if (type instanceof Variable variable && !variable.isText()) {
            return valueNames(variable.base());
        } else if (type instanceof Compound compound) {
            return compound.members().stream()
                    .flatMap(member -> valueNames(member.type()).stream()
                            .map(names -> "of the field " + Hdf5Errors.forMessage(member.name()) + ": " + names))
                    .reduce((a, b) -> a + "; " + b);
        }
        return Optional.empty();
    }

    /** Elements of variable length. Each stored element is a length and a position in the global heap. */
    record Variable(long size, boolean isText, Datatype base) implements Datatype {}

    /** Elements that are arrays. */
    record Block(long size, List<Long> shape, Datatype base) implements Datatype {}

    /** A type that this reader does not support. */
    record Unknown(long size, String name) implements Datatype {}

    /** Reads a datatype message. */
    static Datatype read(Cursor cursor) {
        return read(cursor, 0);
    }

    /** Returns the codec that the elements need; empty for numbers that use all bits of their words. */
    default Optional<PackedNumbersCodec> numberCodec() {
        if (this instanceof Enumeration enumeration) {
            return enumeration.base().numberCodec();
        } else if (this instanceof Bits bits) {
            boolean isBig =
                    bits.number() instanceof Whole whole ? whole.isBigEndian() : ((Real) bits.number()).isBigEndian();
            return Optional.of(new PackedNumbersCodec(new WordOrder((int) bits.size(), isBig), bits.form()));
        }
        return Optional.empty();
    }

    /** Returns the type of elements after {@link PackedNumbersCodec} has decoded them. Most types are unchanged. */
    static Datatype decodedType(Datatype type) {
        if (type instanceof Bits bits) {
            return bits.number();
        }
        return type instanceof Enumeration names
                ? new Enumeration(names.size(), decodedType(names.base()), names.names(), names.values())
                : type;
    }

    /** Reads the datatype of an object; empty if it has none. */
    static Optional<Datatype> find(FileBytes file, ObjectHeader header) {
        return header.find(file, ObjectHeader.Type.DATATYPE).map(Datatype::read);
    }

    /** Reads a datatype that lies in {@code depth} other datatypes. */
    private static Datatype read(Cursor cursor, int depth) {
        if (depth > MAX_DEPTH) {
            throw cursor.corrupt("types that nest at most " + MAX_DEPTH + " levels", "more");
        }
        int classAndVersion = cursor.u8();
        int version = classAndVersion >> 4;
        int bits = (int) cursor.unsigned(3); // flags whose meaning depends on the class

        long size = cursor.u32();
        return switch (classAndVersion & 15) {
            // class 0 is an integer, class 4 a bit field, which becomes an unsigned integer
            case 0, 4 -> readInteger(cursor, bits, size, (classAndVersion & 15) == 0);
            case 1 -> readReal(cursor, bits, size);
            case 2 -> new Unknown(size, "time");
            case 3 -> new Text(size, Padding.of(bits, cursor));
            case 5 -> new Opaque(size, cursor.text(bits & 0xff));
            case 6 -> readCompound(cursor, version, bits & 0xffff, size, depth);
            case 7 -> new Reference(size, (bits & 15) == 0);
            case 8 -> readEnumeration(cursor, version, bits & 0xffff, size, depth);
            case 9 -> new Variable(size, (bits & 15) == 1, read(cursor, depth + 1));
            case 10 -> readBlock(cursor, version, size, depth);
            case 11 -> readComplex(cursor, size, depth);
            default -> throw cursor.corrupt("a type of class 0 to 11", (classAndVersion & 15) + "");
        };
    }

    /**
     * Reads an integer or a bit field.
     *
     * @param isNumber whether it is an integer, which has a sign bit if bit 3 of {@code bits} is set
     */
    private static Datatype readInteger(Cursor cursor, int bits, long size, boolean isNumber) {
        int offset = cursor.u16();
        int precision = cursor.u16();
        boolean isSigned = isNumber && (bits & 8) != 0;
        if (!List.of(1L, 2L, 4L, 8L).contains(size)) {
            return new Unknown(size, "integer of " + precision + " bits in " + size + " bytes");
        }
        Datatype number = new Whole(size, (bits & 1) != 0, isSigned);
        NumberForm form = new NumberForm.Whole((int) size, isSigned, offset, precision);
        if (!form.problem().isEmpty()) {
            return new Unknown(size, form.problem());
        }
        return precision == size * Byte.SIZE ? number : new Bits(number, form);
    }

    private static Datatype readReal(Cursor cursor, int bits, long size) {
        int sign = bits >> 8 & 0xff;
        int offset = cursor.u16();
        int precision = cursor.u16();
        int exponent = cursor.u8();
        int exponentBits = cursor.u8();
        int mantissa = cursor.u8();
        int mantissaBits = cursor.u8();
        long bias = cursor.u32();
        boolean isBig = (bits & 1) != 0;
        List<Long> layout = List.of(
                (long) sign,
                (long) offset,
                (long) precision,
                (long) exponent,
                (long) exponentBits,
                (long) mantissa,
                (long) mantissaBits,
                bias);
        if ((bits & 0x40) != 0) {
            return new Unknown(size, "floating-point number in the byte order of VAX");
        }
        boolean isFloat = size == Float.BYTES;
        boolean hasImpliedBit = (bits >> 4 & 3) == 2; // the first bit of the mantissa is 1 and not stored
        if (layout.equals(isFloat ? FLOAT32 : FLOAT64) || !isFloat && size != Double.BYTES || !hasImpliedBit) {
            return new Real(size, isBig, layout); // a standard layout, or one that Hdf5ElementType refuses
        }
        NumberForm form = new NumberForm.Real((int) size, sign, exponent, exponentBits, mantissa, mantissaBits, bias);
        return form.problem().isEmpty()
                ? new Bits(new Real(size, isBig, isFloat ? FLOAT32 : FLOAT64), form)
                : new Unknown(size, form.problem());
    }

    private static Datatype readCompound(Cursor cursor, int version, int count, long size, int depth) {
        List<Member> members = new ArrayList<>();
        // from version 3 on, an offset has as many bytes as the size of the record needs
        int offsetSize = version < 3 ? 4 : (63 - Long.numberOfLeadingZeros(Math.max(1, size))) / Byte.SIZE + 1;
        for (int i = 0; i < count; i++) {
            // before version 3, names are padded to a multiple of 8 bytes
            String name = cursor.zeroTerminatedText(version < 3 ? 8 : 1);
            long offset = cursor.unsigned(offsetSize);
            List<Long> shape = new ArrayList<>();
            if (version == 1) {
                int rank = cursor.u8();
                cursor.skip(11); // reserved bytes and a permutation of the dimensions, which HDF5 does not use
                for (int d = 0; d < 4; d++) {
                    long length = cursor.u32();
                    if (d < rank) {
                        shape.add(length);
                    }
                }
            }
            Datatype type = read(cursor, depth + 1);
            if (!shape.isEmpty()) {
                type = new Block(multiply(shape, type.size(), cursor), List.copyOf(shape), type);
            }
            if (offset > size || type.size() > size - offset) {
                throw cursor.corrupt("fields within " + size + " bytes", type.size() + " bytes at " + offset);
            }
            members.add(new Member(name, offset, type));
        }
        return new Compound(size, List.copyOf(members));
    }

    /** Returns the size of an array of elements of {@code size} bytes. */
    private static long multiply(List<Long> shape, long size, Cursor cursor) {
        try {
            long product = size;
            for (long n : shape) {
                product = Math.multiplyExact(product, n);
            }
            return product;
        } catch (ArithmeticException e) {
            throw cursor.corrupt("an array of less than 2^63 bytes", shape.toString());
        }
    }

    private static Datatype readEnumeration(Cursor cursor, int version, int count, long size, int depth) {
        Datatype base = read(cursor, depth + 1);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(cursor.zeroTerminatedText(version < 3 ? 8 : 1));
        }
        if (base.size() != size || size > Long.BYTES) {
            return new Unknown(size, "enumeration of " + size + " bytes");
        }
        List<Long> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(enumerationValue(cursor.unsigned((int) size), base));
        }
        return new Enumeration(size, base, List.copyOf(names), List.copyOf(values));
    }

    /** Returns the value of an enumeration's name from its bytes, which were read in little-endian order. */
    private static long enumerationValue(long littleEndian, Datatype base) {
        int unused = Long.SIZE - Byte.SIZE * (int) base.size(); // the upper bits, which the type does not have
        boolean isBigEndian = base instanceof Whole whole && whole.isBigEndian();
        boolean isSigned = base instanceof Whole whole && whole.isSigned();
        long bits = isBigEndian ? Long.reverseBytes(littleEndian) : littleEndian << unused;
        return isSigned ? bits >> unused : bits >>> unused;
    }

    private static Datatype readBlock(Cursor cursor, int version, long size, int depth) {
        int rank = cursor.u8();
        cursor.skip(version < 3 ? 3 : 0); // reserved
        List<Long> shape = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            shape.add(cursor.u32());
        }
        cursor.skip(version < 3 ? 4L * rank : 0); // a permutation of the dimensions, which HDF5 does not use
        Datatype base = read(cursor, depth + 1);
        if (multiply(shape, base.size(), cursor) != size) {
            throw cursor.corrupt("an array of " + size + " bytes", shape + " of " + base.size() + " bytes");
        }
        return new Block(size, List.copyOf(shape), base);
    }

    /** Reads the type of complex numbers, added in HDF5 2.0, as a record of two floating-point numbers. */
    private static Datatype readComplex(Cursor cursor, long size, int depth) {
        Datatype numberType = read(cursor, depth + 1);
        if (numberType.size() > size / 2) {
            throw cursor.corrupt("two numbers in " + size + " bytes", numberType.size() + " bytes each");
        }
        return new Compound(
                size, List.of(new Member("r", 0, numberType), new Member("i", numberType.size(), numberType)));
    }
}
