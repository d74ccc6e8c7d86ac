package dev.shardkit.store.reference;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.keys.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The references of a reference document, below one of its prefixes. Each target has a reserved key of its own
 * ({@code __target/NUMBER}), so that the engine can merge neighbouring reads of one target. Immutable.
 *
 * @param byKey the references by key
 * @param targets the objects that references point to, each once: URLs as written in the document, or keys of objects
 *     from which values are computed
 * @param root the prefix of the keys that this object finds and lists; empty for the whole document
 */
record References(NavigableMap<String, Reference> byKey, List<String> targets, String root) {
    /** The prefix of the keys of targets; such names are reserved and never listed. */
    private static final String TARGET = "__target/";

    /**
     * Returns these references with additional ones to synthesized values.
     *
     * @param synthesized the values by their keys in the whole document, not relative to {@code root}
     */
    References with(Map<String, SynthesizedValue> synthesized) {
        NavigableMap<String, Reference> extended = new TreeMap<>(byKey);
        List<String> extendedTargets = new ArrayList<>(targets);
        Map<String, Integer> numbers = new HashMap<>();
        extendedTargets.forEach(target -> numbers.put(target, numbers.size()));
        synthesized.forEach((key, value) -> {
            Keys.check(key);
            int number = numbers.computeIfAbsent(value.key(), target -> {
                extendedTargets.add(target);
                return extendedTargets.size() - 1;
            });
            extended.put(key, new Reference.Made(number, value));
        });
        return new References(extended, List.copyOf(extendedTargets), root);
    }

    /** Returns the reference of {@code key}. */
    Optional<Reference> find(String key) {
        Keys.check(key);
        return Optional.ofNullable(byKey.get(StoreKeys.join(root, key)));
    }

    /** Returns the number of the target whose reserved key is {@code key}; empty if it is another key. */
    Optional<Integer> targetNumber(String key) {
        if (!key.startsWith(TARGET) || !key.substring(TARGET.length()).matches("[0-9]{1,9}")) {
            return Optional.empty();
        }
        int number = Integer.parseInt(key.substring(TARGET.length()));
        return number < targets.size() ? Optional.of(number) : Optional.empty();
    }

    /** Returns whether a key of a document collides with the keys of targets. */
    static boolean isReserved(String key) {
        return key.startsWith(TARGET);
    }

    /** See {@link dev.shardkit.store.Reads#parts}. */
    Optional<List<ObjectPart>> parts(String key) {
        if (targetNumber(key).isPresent() || !(find(key).orElse(null) instanceof Reference.Pieces pieces)) {
            return Optional.empty();
        }
        List<ObjectPart> parts = new ArrayList<>(pieces.pieces().size());
        for (Reference.Piece piece : pieces.pieces()) {
            parts.add(
                    piece instanceof Reference.Part part
                            ? new ObjectPart.Stored(
                                    TARGET + part.target(), part.offset(), part.size(), part.objectSize())
                            : new ObjectPart.Literal(((Reference.Inline) piece).bytes()));
        }
        return Optional.of(parts);
    }

    /** Lists the names directly below {@code prefix}. Does not visit the keys below each name. */
    void list(String prefix, Consumer<Entry> entries) {
        Keys.checkPrefix(prefix);
        String start = StoreKeys.prefix(StoreKeys.join(root, prefix));
        Optional<String> key = Optional.ofNullable(byKey.ceilingKey(start));
        while (key.isPresent() && key.get().startsWith(start)) {
            int slash = key.get().indexOf('/', start.length());
            String name =
                    slash < 0 ? key.get().substring(start.length()) : key.get().substring(start.length(), slash);
            if (!OwnNames.isOwn(name)) {
                entries.accept(new Entry(name, slash < 0 ? Entry.Kind.OBJECT : Entry.Kind.PREFIX));
            }
            // '0' is the character after '/', so this is the first key that is not below the name.
            key = Optional.ofNullable(slash < 0 ? byKey.higherKey(key.get()) : byKey.ceilingKey(start + name + '0'));
        }
    }
}
