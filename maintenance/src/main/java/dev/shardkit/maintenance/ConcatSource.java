package dev.shardkit.maintenance;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.region.Chunks;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.Session;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A source array of a concatenation, whether or not its document has been renamed. Immutable. */
record ConcatSource(Session session, String path) {
    String location() {
        return session.location(path);
    }

    String key(String name) {
        return Session.key(path, name);
    }

    /** Returns its metadata, even after the document was renamed. */
    ArrayMetadata metadata() {
        NodePath.of(path);
        Optional<NodeMetadata> node = session.call(() -> session.metadata(path), path);
        if (node.isEmpty()) {
            node = session.call(() -> aside(), path);
        }
        if (node.isPresent() && node.get() instanceof ArrayMetadata array) {
            return array;
        }
        String why = node.isPresent()
                ? "it is not an array"
                : "zarr.json is not found"
                        + otherDocument()
                                .map(name -> ", but " + name + " is found: convert it first")
                                .orElse("");
        throw new MetadataException("there is no Zarr v3 array: " + why)
                .locate(Optional.of(location()), Optional.empty(), Optional.empty());
    }

    /** Returns the name of a document of another format, if one exists. */
    private Optional<String> otherDocument() {
        return session.registry().nodeFormats().stream()
                .flatMap(format -> format.documentNames().stream())
                .filter(name -> has(key(name)))
                .findFirst();
    }

    private Plan<Optional<NodeMetadata>> aside() {
        MetadataReader reader =
                new MetadataReader(session.registry(), session.options().limits());
        return Source.stored(key(ConcatMove.ASIDE))
                .read(
                        ByteRange.whole(session.options().limits().metadataBytes()),
                        (answer, scratch) -> answer instanceof Answer.Found f
                                ? Optional.of(reader.read(f.bytes().toArray()))
                                : Optional.empty());
    }

    /** Returns an object below the source that is not one of its chunks. */
    Optional<String> foreign() {
        ArrayMetadata metadata = metadata();
        Chunks chunks = chunks(metadata);
        Box cells = Box.of(chunks.grid().cells());
        List<String> foreign = new ArrayList<>();
        new StoredArray(session, path, metadata, chunks).objects(key -> {
            boolean own = chunks.cell(key).filter(cell -> inside(cells, cell)).isPresent();
            if (!own && foreign.isEmpty() && !key.equals(key(ConcatMove.PROBE))) {
                foreign.add(key);
            }
        });
        return foreign.stream().findFirst();
    }

    private static boolean inside(Box cells, long[] cell) {
        long[] one = new long[cell.length];
        Arrays.fill(one, 1);
        return cells.contains(Box.of(cell, one));
    }

    /** Returns its chunks. */
    Chunks chunks(ArrayMetadata metadata) {
        return new Chunks(metadata, path, session);
    }

    /** Visits the keys of its stored chunks and of all other objects below it. */
    void objects(ConcatPlan.Part part, Consumer<String> keys) {
        new StoredArray(session, path, part.source()).objects(keys);
    }

    /** Whether an object exists under {@code key}. */
    boolean has(String key) {
        return ConcatRun.has(session, key);
    }
}
