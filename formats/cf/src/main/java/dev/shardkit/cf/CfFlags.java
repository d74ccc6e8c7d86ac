package dev.shardkit.cf;

import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The flags of a variable whose integers are codes with meanings (section 3.5 of the CF conventions). A flag is a whole
 * value ({@code flag_values}), some bits ({@code flag_masks}), or a value of some bits (both attributes). Immutable.
 *
 * @param flags the flags, in the order of {@code flag_meanings}
 */
public record CfFlags(List<Flag> flags) {
    /**
     * The maximum number of digits after the decimal point. An integer may be stated with a fraction of zeros, such as
     * 1.0. Numbers with longer fractions are not taken for integers, because exact calculations with them are slow.
     */
    private static final int MAX_DIGITS = 400;

    /**
     * One flag: a meaning, and the values that have it.
     *
     * @param meaning the name
     * @param mask the bits of the flag; all bits if the variable has no {@code flag_masks}
     * @param value the value that these bits must have; empty if the variable has no {@code flag_values}: the flag is
     *     then set if at least one of the bits is set
     */
    public record Flag(String meaning, long mask, Optional<Long> value) {
        /** Returns whether a stored value has this flag. */
        public boolean isSet(long stored) {
            return value.map(expected -> (stored & mask) == expected).orElse((stored & mask) != 0);
        }
    }

    /** Copies the list. */
    public CfFlags {
        flags = List.copyOf(flags);
    }

    /** Returns the meanings of a stored value, in the order of the attribute; empty if it has none. */
    public List<String> meanings(long stored) {
        return flags.stream()
                .filter(flag -> flag.isSet(stored))
                .map(Flag::meaning)
                .toList();
    }

    /**
     * Returns the first meaning of a decoded element; empty if the element has no meaning, is missing or is not an
     * integer ({@link CfValues#integer}).
     *
     * @param i the position of the element, in C order
     */
    public Optional<String> meaning(CfValues values, int i) {
        OptionalLong code = values.integer(i);
        return code.isEmpty()
                ? Optional.empty()
                : flags.stream()
                        .filter(flag -> flag.isSet(code.getAsLong()))
                        .map(Flag::meaning)
                        .findFirst();
    }

    /**
     * Returns the flags that the attributes of a variable describe; empty if it has no attributes of flags. If they
     * contradict each other, adds a note and returns empty.
     *
     * @param notes receives the note
     */
    static Optional<CfFlags> of(Json.Obj attributes, Consumer<String> notes) {
        Optional<Json> names = attributes.get("flag_meanings");
        Optional<Json> values = attributes.get("flag_values");
        Optional<Json> masks = attributes.get("flag_masks");
        if (names.isEmpty() && values.isEmpty() && masks.isEmpty()) {
            return Optional.empty();
        }
        List<String> meanings = AttributeValues.text(attributes, "flag_meanings")
                .map(AttributeValues::names)
                .orElse(List.of());
        Optional<List<Long>> numbers = values.flatMap(CfFlags::integers);
        Optional<List<Long>> bits = masks.flatMap(CfFlags::integers);
        boolean isComplete = !meanings.isEmpty()
                && (numbers.isPresent() || bits.isPresent())
                && numbers.isPresent() == values.isPresent()
                && bits.isPresent() == masks.isPresent()
                && numbers.map(List::size).orElse(meanings.size()) == meanings.size()
                && bits.map(List::size).orElse(meanings.size()) == meanings.size();
        if (!isComplete) {
            notes.accept("flags are ignored: expected as many names in flag_meanings as integers in flag_values or"
                    + " flag_masks, found " + meanings.size() + ", "
                    + values.map(MaskAndScale::shortened).orElse("none") + " and "
                    + masks.map(MaskAndScale::shortened).orElse("none"));
            return Optional.empty();
        }
        List<Flag> flags = new ArrayList<>();
        for (int i = 0; i < meanings.size(); i++) {
            int index = i;
            long mask = bits.map(list -> list.get(index)).orElse(-1L); // all bits
            flags.add(new Flag(meanings.get(i), mask, numbers.map(list -> list.get(index))));
        }
        return Optional.of(new CfFlags(flags));
    }

    /**
     * Returns a list of integers of 64 bits; empty if an item is not such an integer. Unsigned integers from 2^63 on
     * are returned as their bits.
     */
    private static Optional<List<Long>> integers(Json list) {
        List<Long> values = new ArrayList<>();
        for (Json item : AttributeValues.items(list)) {
            Optional<BigInteger> integer = item instanceof Json.Num number ? integer(number) : Optional.empty();
            if (integer.isEmpty()) {
                return Optional.empty();
            }
            values.add(integer.get().longValue());
        }
        return Optional.of(values);
    }

    /**
     * Returns a number if it is an integer from -2^63 to 2^64 - 1. Checks the range with a rounded number first,
     * because exact calculations with huge exponents are slow.
     */
    private static Optional<BigInteger> integer(Json.Num number) {
        double rounded = Double.parseDouble(number.lexeme());
        if (rounded != Math.rint(rounded) || !(rounded >= -0x1p63 && rounded <= 0x1p64)) {
            return Optional.empty();
        }
        BigDecimal exact = new BigDecimal(number.lexeme());
        if (exact.signum() != 0
                && (exact.scale() > MAX_DIGITS || exact.stripTrailingZeros().scale() > 0)) {
            return Optional.empty();
        }
        BigInteger integer = exact.signum() == 0 ? BigInteger.ZERO : exact.toBigInteger();
        return Optional.of(integer).filter(i -> i.signum() < 0 ? i.bitLength() < 64 : i.bitLength() <= 64);
    }
}
