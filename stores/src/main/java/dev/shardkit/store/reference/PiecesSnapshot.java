package dev.shardkit.store.reference;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A snapshot of one value that is the concatenation of pieces: bytes of the reference document and ranges of files. */
final class PiecesSnapshot implements ObjectSnapshot {
    private final List<Reference.Piece> pieces;
    /** The open targets, by number. */
    private final Map<Integer, ObjectSnapshot> open;

    private final String version;
    private final long size;

    private PiecesSnapshot(Reference.Pieces reference, Map<Integer, ObjectSnapshot> open) {
        this.pieces = reference.pieces();
        this.open = open;
        this.size = reference.size();
        StringBuilder text = new StringBuilder();
        for (Reference.Piece piece : pieces) {
            text.append(
                    piece instanceof Reference.Part part
                            ? open.get(part.target()).version() + "@" + part.offset() + "+" + part.size()
                            : version((Reference.Inline) piece));
            text.append('|');
        }
        this.version = text.toString();
    }

    /** Returns a version that identifies inline bytes. */
    static String version(Reference.Inline inline) {
        CRC32C checksum = new CRC32C();
        inline.bytes().pieces().forEach(checksum::update);
        return "inline:" + inline.bytes().size() + ":" + Long.toHexString(checksum.getValue());
    }

    /** Opens a target. */
    interface Opener {
        ObjectSnapshot open(int target) throws IOException;
    }

    /** Opens all targets of a value, each once. */
    static PiecesSnapshot open(Reference.Pieces reference, Opener opener) throws IOException {
        Map<Integer, ObjectSnapshot> open = new HashMap<>();
        boolean isOpened = false;
        try {
            for (Reference.Piece piece : reference.pieces()) {
                if (piece instanceof Reference.Part part) {
                    if (!open.containsKey(part.target())) {
                        open.put(part.target(), opener.open(part.target()));
                    }
                    check(part, open.get(part.target()).size());
                }
            }
            isOpened = true;
            return new PiecesSnapshot(reference, open);
        } finally {
            if (!isOpened) {
                closeAll(open);
            }
        }
    }

    /** Throws if an object does not have the expected size, or ends before the end of a part. */
    static void check(Reference.Part part, long objectSize) {
        if (part.objectSize().isPresent() && part.objectSize().getAsLong() != objectSize) {
            throw new CorruptDataException("the referenced object has changed: expected "
                    + part.objectSize().getAsLong() + " bytes, found " + objectSize);
        }
        checkRange(part.offset(), part.size(), objectSize);
    }

    /** Throws if an object ends before the end of a range. */
    static void checkRange(long offset, long size, long objectSize) {
        if (offset > objectSize - size) {
            throw new CorruptDataException("a reference past the end of an object: expected an object of at least "
                    + (offset + size) + " bytes, found " + objectSize);
        }
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        int end = target.limit();
        long start = 0;
        long position = offset;
        for (Reference.Piece piece : pieces) {
            if (target.position() < end && position < start + piece.size()) {
                int count = (int) Math.min(end - target.position(), start + piece.size() - position);
                target.limit(target.position() + count);
                read(piece, position - start, target);
                target.limit(end);
                position += count;
            }
            start += piece.size();
        }
    }

    private void read(Reference.Piece piece, long position, ByteBuffer target) throws IOException {
        if (piece instanceof Reference.Part part) {
            open.get(part.target()).read(part.offset() + position, target);
            return;
        }
        Bytes inline = ((Reference.Inline) piece).bytes().slice(position, target.remaining());
        inline.pieces().forEach(target::put);
    }

    @Override
    public void confirm() throws IOException {
        for (ObjectSnapshot snapshot : open.values()) {
            snapshot.confirm();
        }
    }

    @Override
    public void close() throws IOException {
        closeAll(open);
    }

    private static void closeAll(Map<Integer, ObjectSnapshot> open) throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (ObjectSnapshot snapshot : open.values()) {
            try {
                snapshot.close();
            } catch (IOException e) {
                failures.add(e);
            }
        }
        Optional<IOException> firstFailure = failures.stream().findFirst();
        if (firstFailure.isPresent()) {
            throw firstFailure.get();
        }
    }
}
