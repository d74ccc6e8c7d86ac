package dev.shardkit.store.zip;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * Recognizes and orders the metadata documents of nodes for the writer of an archive: RFC-9 of OME-Zarr recommends that
 * they come first. The class itself keeps no documents.
 */
final class NodeDocuments {
    static final String NAME = "zarr.json";

    /** Orders documents breadth first: the root, its children, their children. */
    static final Comparator<String> ORDER = Comparator.<String>comparingLong(
                    name -> name.chars().filter(c -> c == '/').count())
            .thenComparing(Comparator.naturalOrder());

    private NodeDocuments() {}

    /** Returns whether a key is that of a metadata document of Zarr. */
    static boolean isDocument(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        return name.equals(NAME) || name.startsWith(".z");
    }

    /** Returns the bytes of a small content. */
    static Bytes collect(String name, Content content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        content.writeTo(Channels.newChannel(out));
        if (out.size() != content.size()) {
            throw new StoreException("writing " + name + " to an archive: expected " + content.size()
                    + " bytes from the content, found " + out.size());
        }
        return Bytes.of(out.toByteArray());
    }

    /**
     * Returns the archive comment that RFC-9 recommends; empty if the root is not OME-Zarr.
     *
     * @param root the root's document
     */
    static Optional<byte[]> comment(Bytes root) {
        try {
            Json json = JsonReader.read(root.toArray(), Limits.defaults());
            Optional<Json> version =
                    member(json, "attributes").flatMap(a -> member(a, "ome")).flatMap(o -> member(o, "version"));
            if (version.isPresent() && version.get() instanceof Json.Str v) {
                Json first = new Json.Obj(Map.of("jsonFirst", Json.of(true)));
                Json file = new Json.Obj(Map.of("centralDirectory", first));
                Json ome = new Json.Obj(Map.of("version", v)).with("zipFile", file);
                byte[] comment = new Json.Obj(Map.of("ome", ome)).toString().getBytes(StandardCharsets.UTF_8);
                return comment.length > 0xffff ? Optional.empty() : Optional.of(comment);
            }
        } catch (ZarrException e) {
            // an invalid document is stored unchanged
        }
        return Optional.empty();
    }

    private static Optional<Json> member(Json json, String name) {
        return json instanceof Json.Obj o ? o.get(name) : Optional.empty();
    }
}
