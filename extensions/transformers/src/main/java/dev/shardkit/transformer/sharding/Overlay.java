package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Applies a patch to a value as pieces, for the case that its object is rewritten. Stateless. */
final class Overlay {
    private Overlay() {}

    /** Returns the content after {@code patch}; offsets of moved pieces count from the value's first byte. */
    static List<Piece> of(Edit.Patch patch) {
        List<Edit.Write> writes = new ArrayList<>(patch.overwritten());
        writes.sort(Comparator.comparingLong(Edit.Write::offset));
        List<Piece> pieces = new ArrayList<>();
        long at = 0;
        for (Edit.Write write : writes) {
            pieces.add(new Piece.Moved(at, write.offset() - at));
            pieces.add(new Piece.Literal(write.bytes()));
            at = write.offset() + write.bytes().size();
        }
        pieces.add(new Piece.Moved(at, patch.oldSize() - at));
        pieces.addAll(patch.appended());
        return pieces.stream().filter(p -> p.size() > 0).toList();
    }
}
