package dev.shardkit.testkit.extension;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.plan.Bytes;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/** Applies edits of codecs to objects in memory, as a store would, for tests. Stateless. */
public final class EditApplier {
    private EditApplier() {}

    /** Returns the object after the edit; empty means no object. */
    public static Optional<byte[]> apply(Edit edit, Optional<byte[]> old) {
        if (edit instanceof Edit.Delete) {
            return Optional.empty();
        } else if (edit instanceof Edit.Keep) {
            return old;
        } else if (edit instanceof Edit.Replace replace) {
            return Optional.of(replaced(replace, old.orElse(new byte[0])));
        }
        Assertions.assertTrue(old.isPresent(), "a patch of an absent object");
        return Optional.of(patched((Edit.Patch) edit, old.orElseThrow()));
    }

    /** Applies an edit to the object under {@code key}. */
    public static void apply(Edit edit, String key, Map<String, byte[]> objects) {
        Optional<byte[]> after = apply(edit, Optional.ofNullable(objects.get(key)));
        if (after.isPresent()) {
            objects.put(key, after.get());
        } else {
            objects.remove(key);
        }
    }

    private static byte[] replaced(Edit.Replace replace, byte[] old) {
        byte[] content = new byte[Math.toIntExact(replace.size())];
        int position = 0;
        for (Piece piece : replace.pieces()) {
            byte[] bytes = bytes(piece, old);
            System.arraycopy(bytes, 0, content, position, bytes.length);
            position += bytes.length;
        }
        return content;
    }

    /** Returns the bytes of a piece: copied from the old object, literal, or zeros. */
    private static byte[] bytes(Piece piece, byte[] old) {
        if (piece instanceof Piece.Copied copied) {
            return Bytes.of(old).slice(copied.offset(), copied.size()).toArray();
        }
        return piece instanceof Piece.Literal l ? l.bytes().toArray() : new byte[Math.toIntExact(piece.size())];
    }

    /** Applies a patch: appends pieces, then overwrites bytes. */
    private static byte[] patched(Edit.Patch patch, byte[] old) {
        byte[] content = Arrays.copyOf(old, Math.toIntExact(patch.size()));
        int position = Math.toIntExact(patch.oldSize());
        for (Piece piece : patch.appended()) {
            byte[] bytes = bytes(piece, old);
            System.arraycopy(bytes, 0, content, position, bytes.length);
            position += bytes.length;
        }
        for (Edit.Write w : patch.overwritten()) {
            Assertions.assertTrue(
                    w.offset() + w.bytes().size() <= patch.oldSize(), "overwritten after the old end: " + w);
            System.arraycopy(w.bytes().toArray(), 0, content, (int) w.offset(), (int)
                    w.bytes().size());
        }
        return content;
    }
}
