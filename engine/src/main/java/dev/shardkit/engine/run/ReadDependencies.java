package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import dev.shardkit.store.ObjectChangedException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records which parts of a plan have read which objects, in all rounds, and which objects have changed in the current
 * round. A round is one run: the first round runs all parts, each later round the parts that must run again. These are
 * the parts that have read a changed object, and all parts that share an object with them. So all parts that read an
 * object have read the same version of it. The objects of the other parts were confirmed in an earlier round, and are
 * not checked again. Guarded by its own monitor.
 */
final class ReadDependencies {
    /** The maximum number of recorded pairs of an object and a part. If there are more, all parts run again. */
    static final int MAX = 1 << 16;

    /** For each object, the numbers of the parts that have read it. */
    private final Map<String, Set<Long>> readers = new HashMap<>();
    /** The number of recorded pairs of an object and a part. */
    private int recorded;
    /** The parts of this round, in order; null if all parts run. */
    private long @Nullable [] round;

    /** Whether a failure has ended this round before all of its parts ended. */
    private boolean roundCut;
    /** The objects that changed in this round, by key. */
    private final Map<String, ObjectChangedException> changed = new LinkedHashMap<>();
    /** Objects that a part read for the first time in this round, and that parts outside the round have read before. */
    private final Set<String> mixed = new HashSet<>();

    /** Returns the parts of this round, in order; empty if all parts run. */
    synchronized Optional<long[]> round() {
        return Optional.ofNullable(round);
    }

    /** Records that an object is about to be read. */
    synchronized void note(MergedRead merged) {
        long lastPart = -1;
        for (ReadTask task : merged.tasks()) {
            if (task.part() != lastPart) {
                lastPart = task.part();
                note(merged.key(), number(task));
            }
        }
    }

    /** Records that the object of a read is about to be read. */
    synchronized void note(ReadTask task) {
        note(task.request().key(), number(task));
    }

    /** Records that a part is about to read an object. */
    private void note(String key, long part) {
        Set<Long> earlier = readers.getOrDefault(key, Set.of());
        if (isOverflown() || earlier.contains(part)) {
            return;
        }
        recorded++;
        if (earlier.isEmpty()) {
            readers.put(key, Set.of(part));
            return;
        }
        if (!earlier.stream().allMatch(this::isInRound)) {
            mixed.add(key);
        }
        Set<Long> allReaders = earlier.size() == 1 ? new HashSet<>(earlier) : earlier;
        allReaders.add(part);
        readers.put(key, allReaders);
    }

    /** Returns the number of a task's part among all parts; {@link Task#part} counts only the parts of the round. */
    private long number(Task task) {
        return round == null ? task.part() : round[(int) task.part()];
    }

    private boolean isInRound(long part) {
        return round == null || Arrays.binarySearch(round, part) >= 0;
    }

    /** Returns whether there were too many pairs to record: then any part may have read any object. */
    private boolean isOverflown() {
        return recorded >= MAX;
    }

    /** Records that an object has changed since it was opened in this round. */
    synchronized void changed(String key, ObjectChangedException thrown) {
        changed.putIfAbsent(key, thrown);
    }

    /** Returns the change of an object in this round; null if none is known. */
    synchronized @Nullable ObjectChangedException changeOf(String key) {
        return changed.get(key);
    }

    /** Returns the objects that the parts of these tasks have read; all objects if too many pairs were recorded. */
    synchronized Set<String> keysOf(List<? extends Task> tasks) {
        Set<Long> parts = tasks.stream().map(this::number).collect(Collectors.toSet());
        return readers.entrySet().stream()
                .filter(e -> isOverflown() || intersects(e.getValue(), parts))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Returns whether one of these objects has changed in this round. */
    synchronized boolean isAnyChanged(Set<String> keys) {
        return isOverflown() ? !changed.isEmpty() : intersects(keys, changed.keySet());
    }

    /** Records that the round ended before all of its parts did: all parts run again. */
    synchronized void cutRound() {
        roundCut = true;
    }

    /** Returns a change because of which another round is necessary; empty if this round is the last one. */
    synchronized Optional<ObjectChangedException> firstChange() {
        return changed.values().stream().findFirst().or(() -> mixed.stream()
                .findFirst()
                .map(key -> new ObjectChangedException(
                        "expected one version of " + key + " in the whole read, found several")));
    }

    /**
     * Ends a round in which objects have changed, and begins the next one.
     *
     * @return the changes of the ended round, by key
     */
    synchronized Map<String, ObjectChangedException> next() {
        Map<String, ObjectChangedException> changes = new LinkedHashMap<>(changed);
        Set<Long> again = new HashSet<>();
        changed.keySet().forEach(key -> again.addAll(readers.getOrDefault(key, Set.of())));
        mixed.forEach(key -> again.addAll(readers.get(key)));
        changed.clear();
        mixed.clear();
        if (roundCut || isOverflown() || again.isEmpty()) {
            roundCut = false;
            readers.clear();
            recorded = 0;
            round = null;
            return changes;
        }
        addPartsThatShare(again);
        round = again.stream().mapToLong(part -> part).sorted().toArray();
        return changes;
    }

    /** Adds the parts that share an object with one of these parts, also through other parts. */
    private void addPartsThatShare(Set<Long> parts) {
        boolean grew = true;
        while (grew) {
            grew = false;
            for (Set<Long> partsOfObject : readers.values()) {
                if (partsOfObject.size() > 1 && intersects(partsOfObject, parts)) {
                    grew |= parts.addAll(partsOfObject);
                }
            }
        }
    }

    private static boolean intersects(Collection<?> elements, Set<?> set) {
        return elements.stream().anyMatch(set::contains);
    }
}
