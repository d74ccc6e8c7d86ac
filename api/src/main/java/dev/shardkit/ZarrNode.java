package dev.shardkit;

import dev.shardkit.attributes.AttributeMapper;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.diagnosis.OtherFormats;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * An array or a group. Thread-safe. If a node was opened by its location, closing it closes its store.
 *
 * <p>Reads and writes of a closed node throw {@link IllegalStateException}. Closing an array also closes the handles
 * derived from it. Closing a group also closes the nodes that the group opened. Closing one of those nodes does not
 * close the group. Closing twice is a no-op. Writes to a deleted node throw {@link IllegalStateException} too.
 */
public abstract sealed class ZarrNode implements AutoCloseable permits ZarrArray, ZarrGroup {
    final StoredNode node;

    ZarrNode(StoredNode node) {
        this.node = node;
    }

    /** Returns the path in the store; empty for the root. The chunks of an array are below it. */
    public final String path() {
        return node.path();
    }

    /** Returns the location in a readable form. */
    public final String location() {
        return node.location();
    }

    /** Returns the parsed metadata document. */
    public abstract NodeMetadata metadata();

    /** Returns the run-time options of this handle. */
    public final ZarrOptions options() {
        return new ZarrOptions(node.session().options());
    }

    /**
     * Returns the name of the node format, such as Zarr v2, if the node's documents are of another format; empty for
     * {@code zarr.json}. The elements of such a node can be written. Its document cannot be changed, and a group of
     * another format creates no children. {@code Zarr.createArray} with a location that names the format, such as
     * {@code n5:data.n5/a}, creates arrays of formats that support it, and {@code Zarr.createGroup} groups of N5.
     */
    public final Optional<String> nodeFormat() {
        return node.session().foreign().map(FoundNode.Foreign::format);
    }

    /**
     * Returns the names of other formats whose documents lie beside this node's, such as {@code n5} after a conversion
     * in place. A location that begins with such a name opens the other node. Looks at local stores, and at remote ones
     * only with {@link dev.shardkit.registry.FormatChoice#ANY}, since it costs requests there.
     *
     * @throws dev.shardkit.spi.error.StoreException if a document can neither be read nor is definitely absent
     */
    public final List<String> otherFormats() {
        return new OtherFormats().beside(node);
    }

    /** Returns the attributes. Numbers keep the text in which they were written. */
    public final Json.Obj attributes() {
        return metadata().attributes();
    }

    /**
     * Returns the attributes as an object of a class: a Java record or bean, a Kotlin data class, or {@code Map.class},
     * whose values are maps, lists, text, booleans, numbers (the smallest of {@code Integer}, {@code Long} and
     * {@code BigInteger} for integers, {@code Double} for others) and {@code null}. Records and beans need the artifact
     * {@code com.fasterxml.jackson.core:jackson-databind}, Kotlin classes {@code dev.shardkit:shardkit-kotlin}.
     *
     * <ul>
     *   <li>A missing member, or one that is {@code null}, becomes {@code null}, 0, {@code false} or
     *       {@link Optional#empty()} in a record. A missing member keeps its initial value in a bean, and its default
     *       value in a Kotlin class. It is an error only for a Kotlin property without a default value whose type
     *       excludes {@code null}.
     *   <li>Attributes that the class lacks are ignored.
     *   <li>Members may be numbers, booleans, text, enums, lists, maps, other such classes, {@code Optional},
     *       {@link Json}, and the times of {@code java.time}, which are text of ISO 8601 in the attributes.
     * </ul>
     *
     * @throws dev.shardkit.spi.error.MetadataException if the attributes do not match the class; the message names the
     *     member, the expected type and the value found
     * @throws dev.shardkit.spi.error.UnsupportedException if the artifact for the class is absent; the message names it
     */
    public final <T> T attributes(Class<T> type) {
        return AttributeMapper.map(attributes(), type, location());
    }

    /**
     * Replaces the attributes. All other metadata keep their stored values, even if they changed since this handle was
     * opened. Numbers may be NaN or infinite, which strict readers refuse: see {@link #replaceAttributes(Object)}.
     *
     * @return the node with its new attributes
     * @throws dev.shardkit.spi.error.MetadataException if the node was deleted meanwhile
     * @throws dev.shardkit.spi.error.UnknownOutcomeException if the answer to the change was lost, and the store cannot
     *     tell whether the change was made
     */
    public abstract ZarrNode replaceAttributes(Json.Obj attributes);

    /**
     * Changes the attributes as they are stored at that moment, so that several writers at once lose nothing. All other
     * metadata keep their stored values, even if they changed since this handle was opened.
     *
     * @param change returns the new attributes for the stored ones. It may be called several times, and runs while the
     *     metadata is locked: it must not wait. An exception that it throws ends this call and is passed on
     * @return the node with its new attributes
     * @throws dev.shardkit.spi.error.MetadataException if the node was deleted meanwhile
     * @throws dev.shardkit.spi.error.UnknownOutcomeException if the answer to the change was lost, and the store cannot
     *     tell whether the change was made
     */
    public abstract ZarrNode changeAttributes(UnaryOperator<Json.Obj> change);

    /**
     * Replaces all attributes by the members of an object: a Java record or bean, a Kotlin data class, or a map; see
     * {@link #attributes(Class)} and {@link #replaceAttributes(Json.Obj)}. An empty {@code Optional} is left out; other
     * members that are {@code null} are written as {@code null}. {@link #mergeAttributes} keeps the attributes that the
     * object lacks.
     *
     * <p>NaN and infinities are written as {@code NaN}, {@code Infinity} and {@code -Infinity}, as Python writes them.
     * So zarr-python and xarray read them as numbers, and attributes that were read with them are written back
     * unchanged. They would take {@code null} or a text for another value. JSON has no such numbers: strict parsers,
     * such as those of browsers, refuse the document. Leave these attributes out if strict parsers must read it.
     *
     * @throws IllegalArgumentException if the object's JSON form is not an object
     * @throws dev.shardkit.spi.error.UnsupportedException if an artifact that {@link #attributes(Class)} names is
     *     absent
     * @throws dev.shardkit.spi.error.MetadataException if the node was deleted meanwhile
     * @throws dev.shardkit.spi.error.UnknownOutcomeException if the answer to the change was lost, and the store cannot
     *     tell whether the change was made
     */
    public abstract ZarrNode replaceAttributes(Object attributes);

    /**
     * Sets the attributes that are members of an object, as {@link #replaceAttributes(Object)} writes them, and keeps
     * all others, also those that other writers set meanwhile.
     *
     * @return the node with its new attributes
     * @throws IllegalArgumentException if the object's JSON form is not an object
     * @throws dev.shardkit.spi.error.UnsupportedException if an artifact that {@link #attributes(Class)} names is
     *     absent
     * @throws dev.shardkit.spi.error.MetadataException if the node was deleted meanwhile
     * @throws dev.shardkit.spi.error.UnknownOutcomeException if the answer to the change was lost, and the store cannot
     *     tell whether the change was made
     */
    public abstract ZarrNode mergeAttributes(Object members);

    /** Returns a change that sets the members of an object. */
    static UnaryOperator<Json.Obj> merging(Object members) {
        Json.Obj changes = AttributeMapper.attributes(members);
        return stored -> {
            Map<String, Json> merged = new LinkedHashMap<>(stored.members());
            merged.putAll(changes.members());
            return new Json.Obj(merged);
        };
    }

    /**
     * Removes the node with everything below it. Later writes through handles that were derived from this one fail. If
     * another handle or process is writing, this call waits until that write has finished the shards that it has
     * locked. That write then fails, and this call removes what it stored. Stores without locks do not guarantee this
     * order.
     *
     * @throws IllegalStateException if this thread is changing the node or one below it, for example in a
     *     {@link dev.shardkit.spi.array.Feed} or in the function of {@link #changeAttributes}: that change holds a lock
     * @throws dev.shardkit.spi.error.StoreException if a lock is not released within {@link ZarrOptions#lockPatience},
     *     or within a minute if that is longer. The node stays as it was
     */
    public final void delete() {
        node.deleteNode();
        ConsolidatedUpdates.replaced(node);
    }

    @Override
    public final void close() {
        node.session().close();
    }

    /** Returns an opened node as an array. Throws, with the location of {@code node}, if it is a group. */
    static ZarrArray array(ZarrNode opened, StoredNode node) {
        if (opened instanceof ZarrArray array) {
            return array;
        }
        throw node.located(new MetadataException("expected an array, found a group"));
    }

    /** Returns an opened node as a group. Throws, with the location of {@code node}, if it is an array. */
    static ZarrGroup group(ZarrNode opened, StoredNode node) {
        if (opened instanceof ZarrGroup group) {
            return group;
        }
        throw node.located(new MetadataException("expected a group, found an array"));
    }

    /** Changes the metadata by the caller's code. Exceptions of that code reach the caller unchanged. */
    static <T> T changing(UnaryOperator<Json.Obj> change, Function<UnaryOperator<Json.Obj>, T> call) {
        RuntimeException[] thrown = new RuntimeException[1];
        try {
            return call.apply(stored -> {
                if (thrown[0] != null) {
                    throw thrown[0]; // the engine retries the change, because the document has changed
                }
                try {
                    return change.apply(stored);
                } catch (RuntimeException e) {
                    thrown[0] = e;
                    throw e;
                }
            });
        } catch (RuntimeException e) {
            throw thrown[0] != null ? thrown[0] : e;
        }
    }
}
