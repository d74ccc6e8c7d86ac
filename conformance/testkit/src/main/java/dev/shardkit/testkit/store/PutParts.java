package dev.shardkit.testkit.store;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Content.Part;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Joins the parts of a put, like a server that copies ranges of its objects. Used by stores in memory of the tests.
 * Thread-safe.
 */
final class PutParts {
    private final String store;
    private final LocalReads reads;
    private final AtomicLong copied = new AtomicLong();

    PutParts(String store, LocalReads reads) {
        this.store = store;
        this.reads = reads;
    }

    /** Returns the number of bytes that were copied from stored objects. */
    long bytesCopied() {
        return copied.get();
    }

    /** Returns the number of literal bytes in a put. */
    static long literalBytes(Content content) {
        return content.parts()
                .map(all -> all.stream()
                        .filter(Part.Literal.class::isInstance)
                        .mapToLong(Part::size)
                        .sum())
                .orElse(content.size());
    }

    /** Returns the same content with ranges of stored objects replaced by their bytes. */
    Content joined(Content content) throws IOException {
        Optional<List<Part>> parts = content.parts();
        if (parts.isEmpty()) {
            return content;
        }
        List<Bytes> all = new ArrayList<>();
        for (Part part : parts.get()) {
            if (part instanceof Part.Literal literal) {
                all.add(literal.bytes());
            } else {
                all.add(read((Part.Stored) part));
            }
        }
        return Content.of(Bytes.concat(all));
    }

    /** Returns the bytes of a range, if the object has the expected version. */
    private Bytes read(Part.Stored part) throws IOException {
        Optional<ObjectSnapshot> opened = reads.open(part.key());
        if (opened.isEmpty()) {
            throw new ObjectChangedException(
                    "copying a range of " + part.key() + " in " + store + ": expected an object, found none");
        }
        try (ObjectSnapshot object = opened.get()) {
            if (!object.version().equals(part.version())) {
                throw new ObjectChangedException("copying a range of " + part.key() + " in " + store
                        + ": expected version " + part.version() + ", found " + object.version());
            } else if (part.offset() < 0 || part.size() < 0 || part.offset() > object.size() - part.size()) {
                throw new CorruptDataException(
                        "copying a range of " + part.key() + " in " + store + ": expected a range within "
                                + object.size() + " bytes, found offset " + part.offset() + ", size " + part.size());
            }
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(part.size()));
            object.read(part.offset(), bytes);
            copied.addAndGet(part.size());
            return Bytes.of(bytes.flip());
        }
    }
}
