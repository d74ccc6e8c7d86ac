package dev.shardkit.store.reference;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The base class of the two stores that read through the references of a document: {@link LocalReferences} if all
 * targets are local files, otherwise {@link RemoteReferences}. A target is an object to which references lead.
 * Read-only.
 */
abstract class AbstractReferenceStore implements Store, BlockingListings, ObjectLocations {
    final References references;
    final Targets targets;
    private final String described;

    AbstractReferenceStore(References references, Targets targets, String described) {
        this.references = references;
        this.targets = targets;
        this.described = described;
    }

    /**
     * Returns the error for a target that has changed. It is not an {@code ObjectChangedException}, after which the
     * engine would retry the read: a retry is useless, because the references do not fit later versions either.
     */
    static CorruptDataException changed(String target, String expected, String actual) {
        return new CorruptDataException("the referenced object has changed since it was opened: expected version "
                + expected + " of " + Template.shown(target) + ", found " + actual);
    }

    /** Returns the pieces that the value of {@code key} consists of: ranges of targets, and bytes of the document. */
    public Optional<List<ObjectPart>> parts(String key) {
        return references.parts(key);
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) {
        references.list(prefix, entries);
    }

    /** Returns the location of a value in its target; empty for several pieces, computed values and inline bytes. */
    @Override
    public Optional<Location> locate(String key) {
        Optional<Integer> number = references.targetNumber(key);
        Optional<Reference> reference =
                number.isPresent() ? Optional.of(new Reference.Whole(number.get())) : references.find(key);
        if (reference.isEmpty()) {
            return Optional.empty();
        } else if (reference.get() instanceof Reference.Whole whole) {
            return placeInTarget(whole.target(), 0);
        } else if (reference.get() instanceof Reference.Made) {
            return Optional.empty();
        }
        List<Reference.Piece> pieces = ((Reference.Pieces) reference.get()).pieces();
        return pieces.size() == 1 && pieces.get(0) instanceof Reference.Part part
                ? placeInTarget(part.target(), part.offset())
                : Optional.empty();
    }

    private Optional<Location> placeInTarget(int target, long offset) {
        return targets.place(references.targets().get(target))
                .map(place -> new Location(place.uri(), Math.addExact(place.offset(), offset)));
    }

    @Override
    public String describe() {
        return described;
    }

    @Override
    public void close() {
        targets.close();
    }
}
