package dev.shardkit.cf;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * The meanings of flags (section 3.5): of whole values ({@code flag_values}), of bits ({@code flag_masks}), or of
 * values of groups of bits (both). Immutable.
 *
 * @param flags the flags, in the order of {@code flag_meanings}
 */
public record CfFlags(List<Flag> flags) {
    /**
     * One meaning.
     *
     * @param meaning the name
     * @param mask the bits that count; all bits without {@code flag_masks}
     * @param value the value of these bits; empty without {@code flag_values}, where any of the bits is enough
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

    /** Returns the flags that attributes describe; empty without the attributes, or if they contradict each other. */
    static Optional<CfFlags> of(Json.Obj attributes, Consumer<String> notes) {
        Optional<Json> stated = attributes.get("flag_meanings");
        Optional<Json> values = attributes.get("flag_values");
        Optional<Json> masks = attributes.get("flag_masks");
        if (stated.isEmpty() && values.isEmpty() && masks.isEmpty()) {
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
            int at = i;
            flags.add(new Flag(
                    meanings.get(i), bits.map(list -> list.get(at)).orElse(-1L), numbers.map(list -> list.get(at))));
        }
        return Optional.of(new CfFlags(flags));
    }

    private static Optional<List<Long>> integers(Json list) {
        List<Long> values = new ArrayList<>();
        for (Json item : AttributeValues.items(list)) {
            OptionalDouble number = item instanceof Json.Num ? AttributeValues.real(item) : OptionalDouble.empty();
            if (number.isEmpty() || number.getAsDouble() != Math.rint(number.getAsDouble())) {
                return Optional.empty();
            }
            values.add((long) number.getAsDouble());
        }
        return Optional.of(values);
    }
}
