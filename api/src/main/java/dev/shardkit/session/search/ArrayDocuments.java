package dev.shardkit.session.search;

import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Tests whether a local folder or a {@code zarr.json} describes an array of Zarr v2 or v3. It does not check the
 * metadata and opens no array. Stateless.
 */
public final class ArrayDocuments {
    /** The name of the document of an array of Zarr v2. */
    public static final String V2_DOCUMENT = ".zarray";

    private ArrayDocuments() {}

    /** Returns whether {@code document}, a {@code zarr.json}, describes an array. */
    public static boolean isArray(Json.Obj document) {
        return document.get("node_type").equals(Optional.of(Json.of("array")));
    }

    /**
     * Returns whether a local folder contains the document of an array. A document that cannot be read does not count.
     */
    public static boolean isArray(Path folder) {
        if (Files.exists(folder.resolve(V2_DOCUMENT))) {
            return true;
        }
        Path document = folder.resolve(NodePath.DOCUMENT);
        if (!Files.isRegularFile(document)) {
            return false;
        }
        Limits limits = Limits.defaults();
        try (InputStream in = Files.newInputStream(document)) {
            return JsonReader.read(in.readNBytes((int) limits.metadataBytes()), limits) instanceof Json.Obj o
                    && isArray(o);
        } catch (IOException | MetadataException e) {
            return false;
        }
    }
}
