package dev.shardkit.session;

import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the node at a path: first by {@code zarr.json}; if it is absent or of another version than 3, by the node
 * formats in turn. Makes plans but runs none. Thread-safe.
 */
public final class NodeSearch {
    private final Limits limits;
    private final MetadataReader reader;
    private final List<NodeFormat> formats;

    /**
     * Creates a search with the formats that apply to a store.
     *
     * @param isNear whether the store is local
     * @param named the format that the location names
     */
    public NodeSearch(Registry registry, Limits limits, boolean isNear, @Nullable String named) {
        this.limits = limits;
        this.reader = new MetadataReader(registry, limits);
        this.formats = registry.nodeFormats().stream()
                .filter(f -> f.name().equals(named) || isNear || f.search() == NodeFormat.Search.EVERYWHERE)
                .toList();
    }

    /** Reads the node at {@code path}; empty if there is none. */
    public Plan<Optional<FoundNode>> find(String path) {
        return Source.stored(StoreKeys.join(path, NodePath.DOCUMENT))
                .<Optional<Json>>read(
                        ByteRange.whole(limits.metadataBytes()),
                        (answer, scratch) -> answer instanceof Answer.Found f
                                ? Optional.of(JsonReader.read(f.bytes().toArray(), limits))
                                : Optional.empty())
                .then(own -> own.isPresent() && isOurs(own.get())
                        ? Plan.done(Optional.of(FoundNode.own(reader.read(own.get()), path)))
                        : ask(0, path, own.orElse(null)));
    }

    private static boolean isOurs(Json document) {
        return !(document instanceof Json.Obj o) || o.get("zarr_format").equals(Optional.of(Json.of(3)));
    }

    private Plan<Optional<FoundNode>> ask(int i, String path, @Nullable Json own) {
        if (i == formats.size()) {
            return Plan.done(own == null ? Optional.empty() : Optional.of(FoundNode.own(reader.read(own), path)));
        }
        NodeFormat format = formats.get(i);
        Set<String> names = new ConcurrentSkipListSet<>();
        return format.find(path, new Documents(limits, names))
                .then(found -> found.isPresent()
                        ? Plan.done(found.map(node -> foreign(format, names, node)))
                        : ask(i + 1, path, own));
    }

    private FoundNode foreign(NodeFormat format, Set<String> names, NodeFormat.Node node) {
        return new FoundNode(
                translated(format, names, node),
                node.dataPath(),
                new FoundNode.Foreign(format.name(), node.evidence(), node.children()));
    }

    private NodeMetadata translated(NodeFormat format, Set<String> names, NodeFormat.Node node) {
        try {
            return reader.read(node.document());
        } catch (MetadataException e) {
            throw new MetadataException(as(format, names) + e.fact(), e);
        } catch (UnsupportedException e) {
            throw new UnsupportedException(as(format, names) + e.fact(), e);
        }
    }

    /** Names the documents that were translated. The pointer that follows points into the translation. */
    private static String as(NodeFormat format, Set<String> names) {
        return String.join(", ", names) + " (" + format.name() + "), translated to zarr.json: ";
    }

    /**
     * Reads the documents that a format requests.
     *
     * @param names collects the names of the documents found, for errors
     */
    private record Documents(Limits limits, Set<String> names) implements NodeFormat.Documents {
        /** Accepts {@code NaN} and {@code Infinity}, which writers of other formats produce. */
        @Override
        public Plan<Optional<Json>> read(String key) {
            return whole(key, limits.metadataBytes(), bytes -> {
                try {
                    return JsonReader.readWithNonNumbers(bytes.toArray(), limits);
                } catch (MetadataException e) {
                    throw new MetadataException(name(key) + ": " + e.fact(), e);
                }
            });
        }

        @Override
        public Plan<Optional<Bytes>> bytes(String key, long most) {
            return whole(key, Math.min(most, limits.metadataBytes()), bytes -> Bytes.of(bytes.toArray()));
        }

        private <T> Plan<Optional<T>> whole(String key, long most, Function<Bytes, T> document) {
            return Source.stored(key).read(ByteRange.whole(most), (answer, scratch) -> {
                if (!(answer instanceof Answer.Found found)) {
                    return Optional.empty();
                }
                names.add(name(key));
                return Optional.of(document.apply(found.bytes()));
            });
        }

        private static String name(String key) {
            return StoreKeys.name(key);
        }
    }
}
