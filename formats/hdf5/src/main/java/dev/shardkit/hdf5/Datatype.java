package dev.shardkit.hdf5;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The type of elements (section IV.A.2.d). Immutable. */
sealed interface Datatype {
    /** The names of values that a remark has. */
    int MAX_NAMES = 50;

    /** The deepest type within types. */
    int MAX_DEPTH = 16;

    /** The layout of {@code float32}. */
    List<Long> FLOAT32 = List.of(31L, 0L, 32L, 23L, 8L, 0L, 23L, 127L);

    /** The layout of {@code float64}. */
    List<Long> FLOAT64 = List.of(63L, 0L, 64L, 52L, 11L, 0L, 52L, 1023L);

    /** Returns the size of an element in bytes. */
    long size();

    /** An integer that fills its bytes. */
    record Whole(long size, boolean big, boolean signed) implements Datatype {}

    /**
     * A floating-point number.
     *
     * @param layout where sign, exponent and mantissa are, and the bias
     */
    record Real(long size, boolean big, List<Long> layout) implements Datatype {}

    /**
     * A number with bits that have no meaning, or of a floating-point format of its own.
     *
     * @param number the number that it becomes, of the same size and byte order
     * @param form where it is in the bits
     */
    record Bits(Datatype number, NumberForm form) implements Datatype {
        @Override
        public long size() {
            return number.size();
        }
    }

    /** Text of a fixed size. */
    record Text(long size, Padding padding) implements Datatype {}

    /** How text ends. */
    enum Padding {
        /** At the first zero, or at the end. */
        TERMINATED,
        /** Before the zeros at the end. */
        ZEROS,
        /** Before the spaces at the end. */
        SPACES;

        private static Padding of(int bits, Cursor in) {
            if ((bits & 15) > 2) {
                throw in.corrupt("a padding of text of kind 0 to 2", (bits & 15) + "");
            }
            return values()[bits & 15];
        }
    }

    /** Bytes without a meaning for HDF5. */
    record Opaque(long size, String tag) implements Datatype {}

    /** Records. */
    record Compound(long size, List<Member> members) implements Datatype {}

    /** A field of a record. */
    record Member(String name, long offset, Datatype type) {}

    /** A reference to an object or a region. */
    record Reference(long size, boolean toObject) implements Datatype {}

    /** Names for some values of an integer type. */
    record Enumeration(long size, Datatype base, List<String> names, List<Long> values) implements Datatype {
        /** Returns whether these are the two values by which h5py and others store booleans. */
        boolean isBool() {
            return size == 1 && names.equals(List.of("FALSE", "TRUE")) && values.equals(List.of(0L, 1L));
        }
    }

    /** Returns the names of values in a type, which Zarr has no place for; empty if there are none. */
    static Optional<String> valueNames(Datatype type) {
        if (type instanceof Enumeration names && !names.isBool()) {
            List<String> all = new ArrayList<>();
            for (int i = 0; i < Math.min(MAX_NAMES, names.names().size()); i++) {
                all.add(Hdf5.shown(names.names().get(i)) + " = "
                        + names.values().get(i));
            }
            int more = names.names().size() - all.size();
            return Optional.of(String.join(", ", all) + (more > 0 ? " and " + more + " more" : ""));
        } else if (type instanceof Block block) {
            return valueNames(block.base());
        } else if (type instanceof Variable variable && !variable.isText()) {
            return valueNames(variable.base());
        } else if (type instanceof Compound compound) {
            return compound.members().stream()
                    .flatMap(member -> valueNames(member.type()).stream()
                            .map(names -> "of the field " + Hdf5.shown(member.name()) + ": " + names))
                    .reduce((a, b) -> a + "; " + b);
        }
        return Optional.empty();
    }

    /** Elements of variable length: an address for each. */
    record Variable(long size, boolean isText, Datatype base) implements Datatype {}

    /** Elements that are arrays themselves. */
    record Block(long size, List<Long> shape, Datatype base) implements Datatype {}

    /** A type that this reader does not know. */
    record Unknown(long size, String name) implements Datatype {}

    static Datatype read(Cursor in) {
        return read(in, 0);
    }

    /** Returns the type that elements have after {@link StoredNumbers}; most types are this type. */
    static Datatype plain(Datatype type) {
        if (type instanceof Bits bits) {
            return bits.number();
        }
        return type instanceof Enumeration names
                ? new Enumeration(names.size(), plain(names.base()), names.names(), names.values())
                : type;
    }

    /** Reads the type of a message of an object; empty if there is none. */
    static Optional<Datatype> find(FileBytes file, ObjectHeader header) {
        return header.find(file, ObjectHeader.Type.DATATYPE).map(Datatype::read);
    }

    private static Datatype read(Cursor in, int depth) {
        if (depth > MAX_DEPTH) {
            throw in.corrupt("types that nest at most " + MAX_DEPTH + " levels", "more");
        }
        int head = in.u8();
        int version = head >> 4;
        int bits = (int) in.unsigned(3);
        long size = in.u32();
        return switch (head & 15) {
            case 0, 4 -> whole(in, bits, size, (head & 15) == 0);
            case 1 -> real(in, bits, size);
            case 2 -> new Unknown(size, "time");
            case 3 -> new Text(size, Padding.of(bits, in));
            case 5 -> new Opaque(size, in.text(bits & 0xff));
            case 6 -> compound(in, version, bits & 0xffff, size, depth);
            case 7 -> new Reference(size, (bits & 15) == 0);
            case 8 -> enumeration(in, version, bits & 0xffff, size, depth);
            case 9 -> new Variable(size, (bits & 15) == 1, read(in, depth + 1));
            case 10 -> block(in, version, size, depth);
            case 11 -> complex(in, size, depth);
            default -> throw in.corrupt("a type of class 0 to 11", (head & 15) + "");
        };
    }

    private static Datatype whole(Cursor in, int bits, long size, boolean isNumber) {
        int offset = in.u16();
        int precision = in.u16();
        boolean signed = isNumber && (bits & 8) != 0;
        if (!List.of(1L, 2L, 4L, 8L).contains(size)) {
            return new Unknown(size, "integer of " + precision + " bits in " + size + " bytes");
        }
        Datatype number = new Whole(size, (bits & 1) != 0, signed);
        NumberForm form = new NumberForm.Whole((int) size, signed, offset, precision);
        if (!form.problem().isEmpty()) {
            return new Unknown(size, form.problem());
        }
        return precision == size * Byte.SIZE ? number : new Bits(number, form);
    }

    private static Datatype real(Cursor in, int bits, long size) {
        int sign = bits >> 8 & 0xff;
        int offset = in.u16();
        int precision = in.u16();
        int exponent = in.u8();
        int exponentBits = in.u8();
        int mantissa = in.u8();
        int mantissaBits = in.u8();
        long bias = in.u32();
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
        boolean hasImpliedBit = (bits >> 4 & 3) == 2;
        if (layout.equals(isFloat ? FLOAT32 : FLOAT64) || !isFloat && size != Double.BYTES || !hasImpliedBit) {
            return new Real(size, isBig, layout);
        }
        NumberForm form = new NumberForm.Real((int) size, sign, exponent, exponentBits, mantissa, mantissaBits, bias);
        return form.problem().isEmpty()
                ? new Bits(new Real(size, isBig, isFloat ? FLOAT32 : FLOAT64), form)
                : new Unknown(size, form.problem());
    }

    private static Datatype compound(Cursor in, int version, int count, long size, int depth) {
        List<Member> members = new ArrayList<>();
        int offsetSize = version < 3 ? 4 : (63 - Long.numberOfLeadingZeros(Math.max(1, size))) / Byte.SIZE + 1;
        for (int i = 0; i < count; i++) {
            String name = in.name(version < 3 ? 8 : 1);
            long offset = in.unsigned(offsetSize);
            List<Long> shape = new ArrayList<>();
            if (version == 1) {
                int rank = in.u8();
                in.skip(11);
                for (int d = 0; d < 4; d++) {
                    long length = in.u32();
                    if (d < rank) {
                        shape.add(length);
                    }
                }
            }
            Datatype type = read(in, depth + 1);
            if (!shape.isEmpty()) {
                type = new Block(times(shape, type.size(), in), List.copyOf(shape), type);
            }
            if (offset > size || type.size() > size - offset) {
                throw in.corrupt("fields within " + size + " bytes", type.size() + " bytes at " + offset);
            }
            members.add(new Member(name, offset, type));
        }
        return new Compound(size, List.copyOf(members));
    }

    private static long times(List<Long> shape, long size, Cursor in) {
        try {
            long all = size;
            for (long n : shape) {
                all = Math.multiplyExact(all, n);
            }
            return all;
        } catch (ArithmeticException e) {
            throw in.corrupt("an array of less than 2^63 bytes", shape.toString());
        }
    }

    private static Datatype enumeration(Cursor in, int version, int count, long size, int depth) {
        Datatype base = read(in, depth + 1);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(in.name(version < 3 ? 8 : 1));
        }
        if (base.size() != size || size > Long.BYTES) {
            return new Unknown(size, "enumeration of " + size + " bytes");
        }
        List<Long> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(in.unsigned((int) size));
        }
        return new Enumeration(size, base, List.copyOf(names), List.copyOf(values));
    }

    private static Datatype block(Cursor in, int version, long size, int depth) {
        int rank = in.u8();
        in.skip(version < 3 ? 3 : 0);
        List<Long> shape = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            shape.add(in.u32());
        }
        in.skip(version < 3 ? 4L * rank : 0);
        Datatype base = read(in, depth + 1);
        if (times(shape, base.size(), in) != size) {
            throw in.corrupt("an array of " + size + " bytes", shape + " of " + base.size() + " bytes");
        }
        return new Block(size, List.copyOf(shape), base);
    }

    /** The complex numbers of HDF5 2.0: two floating-point numbers. */
    private static Datatype complex(Cursor in, long size, int depth) {
        Datatype part = read(in, depth + 1);
        if (part.size() > size / 2) {
            throw in.corrupt("two numbers in " + size + " bytes", part.size() + " bytes each");
        }
        return new Compound(size, List.of(new Member("r", 0, part), new Member("i", part.size(), part)));
    }
}
