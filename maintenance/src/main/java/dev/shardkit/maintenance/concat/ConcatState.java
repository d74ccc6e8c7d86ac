package dev.shardkit.maintenance.concat;

import dev.shardkit.maintenance.base.StoredObjects;
import dev.shardkit.maintenance.concat.Concatenation.Times;
import dev.shardkit.maintenance.concat.Concatenation.Way;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.presence.ChunkLevel;
import dev.shardkit.region.Chunks;
import dev.shardkit.region.ListedCells;
import dev.shardkit.session.Session;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Snapshot;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of an unfinished concatenation: how it is made, from which arrays, and a fingerprint of each array at the
 * beginning. If objects are moved, the fingerprint covers only the document. Stateless.
 */
final class ConcatState {
    private ConcatState() {}

    static Json.Obj of(List<ConcatSource> sources, int axis, Way way, Times times) {
        List<Json> were = new ArrayList<>();
        for (ConcatSource source : sources) {
            Json.Obj was = Json.object().with("document", Json.of(document(source)));
            were.add(way == Way.COPY ? was.with("objects", Json.of(objects(source))) : was);
        }
        return plain(sources, axis, way, times).with("were", new Json.Arr(were));
    }

    /** Returns the state without fingerprints. */
    private static Json.Obj plain(List<ConcatSource> sources, int axis, Way way, Times times) {
        Json.Obj state = Json.object()
                .with("way", Json.of(way == Way.COPY ? "copy" : "move"))
                .with("axis", Json.of(axis))
                .with(
                        "sources",
                        new Json.Arr(
                                sources.stream().map(s -> Json.of(s.location())).toList()));
        return times == Times.REFUSE ? state : state.with("times", Json.of("recoded"));
    }

    /** Whether {@code begun} describes the same arrays and the same way, regardless of the fingerprints. */
    static boolean isOfSame(Json begun, List<ConcatSource> sources, int axis, Way way, Times times) {
        return begun instanceof Json.Obj found
                && plain(sources, axis, way, times).members().entrySet().stream()
                        .allMatch(member -> found.get(member.getKey()).equals(Optional.of(member.getValue())));
    }

    /** Returns an array that has changed since {@code begun} was written. */
    static Optional<ConcatSource> changed(Json begun, List<ConcatSource> sources, int axis, Way way, Times times) {
        Optional<Json> then = begun instanceof Json.Obj found ? found.get("were") : Optional.empty();
        List<Json> now = ((Json.Arr) of(sources, axis, way, times).get("were").orElseThrow()).items();
        for (int i = 0; i < now.size(); i++) {
            boolean same = then.isPresent()
                    && then.get() instanceof Json.Arr list
                    && i < list.items().size()
                    && list.items().get(i).equals(now.get(i));
            if (!same) {
                return Optional.of(sources.get(i));
            }
        }
        return Optional.empty();
    }

    private static String document(ConcatSource source) {
        MessageDigest digest = sha256();
        digest.update(MetadataWriter.write(source.metadata()));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns keys and versions; for a read-only remote store, keys and sizes. */
    private static String objects(ConcatSource source) {
        MessageDigest digest = sha256();
        Chunks chunks = source.chunks(source.metadata());
        ListedCells cells =
                ListedCells.of(source.node(), chunks, Box.of(chunks.grid().cells()));
        while (cells.hasNext()) {
            String key = chunks.key(cells.next());
            version(source.node().session(), key)
                    .ifPresent(
                            version -> digest.update((key + "\n" + version + "\n").getBytes(StandardCharsets.UTF_8)));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static Optional<String> version(Session session, String key) {
        if (!session.isNear()) {
            OptionalLong size = session.engine().call(() -> ChunkLevel.size(Source.stored(key)), session.reading(key));
            return size.isPresent() ? Optional.of(Long.toString(size.getAsLong())) : Optional.empty();
        }
        return session.store(key, store -> StoredObjects.find(store, key, Snapshot::version));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
