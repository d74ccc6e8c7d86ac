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
 * The base class of the two stores over an opened reference document: {@link LocalReferences} for near targets,
 * {@link RemoteReferences} for remote ones. Read-only.
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
     * Returns the error for a target that has changed. It is no {@code ObjectChangedException}, which the engine would
     * retry: the references fit no later version either.
     */
    static CorruptDataException changed(String target, String expected, String actual) {
        return new CorruptDataException("the referenced object has changed since it was opened: expected version "
                + expected + " of " + Template.shown(target) + ", found " + actual);
    }

    /** Returns the ranges of other objects that hold the bytes under {@code key}. */
    public Optional<List<ObjectPart>> parts(String key) {
        return references.parts(key);
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) {
        references.list(prefix, entries);
    }

    /** Returns no location for a value of several pieces or of bytes of the document. */
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
