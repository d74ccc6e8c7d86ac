package dev.shardkit.store.reference;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Opens a JSON document of references as a store. The Python library kerchunk writes such documents for
 * {@code ReferenceFileSystem} of fsspec: a key maps to inline bytes, to another object (the target), or to a byte range
 * of one. Read-only.
 *
 * <ul>
 *   <li><b>Documents</b> of version 0 and 1, with {@code templates} and {@code gen}. Of the template language Jinja,
 *       only names, integers, strings, {@code + - * // % ~}, parentheses and calls of templates are evaluated. As an
 *       extension of shardkit, a value may be a list of pieces: {@code [[url, offset, length], "base64:..."]}. A fourth
 *       number is the expected size of the object. References in Parquet files are not supported.
 *   <li><b>Relative URLs</b> are relative to the document.
 *   <li><b>Allowed targets</b>: for a document in a file, everything below its folder (symbolic links out of it are not
 *       followed); otherwise everything on the document's host; and the targets that {@link Builder#allow} adds.
 *       Reading any other target throws a {@link StoreException}.
 *   <li><b>Reading.</b> The store has {@link dev.shardkit.store.LocalReads} if all targets are files beside the
 *       document, and otherwise {@link dev.shardkit.store.RemoteReads}. Ranges of one object are read as ranges of that
 *       object ({@link dev.shardkit.store.Reads#parts}): neighbouring ranges become one request, and all come from one
 *       version.
 *   <li><b>Absence</b>: a key without a reference is absent. A reference to a missing object is a
 *       {@link StoreException}.
 * </ul>
 *
 * The document is read once, when the store is opened.
 */
public final class ReferenceStore {
    private ReferenceStore() {}

    /**
     * Returns a builder for the document at {@code document}.
     *
     * @param stores opens the stores of the document and of its targets, for example {@code Registry.load()::open}
     */
    public static Builder builder(URI document, Function<URI, Store> stores) {
        return new Builder(document, stores);
    }

    /**
     * Opens a store of references to objects of another store, for formats that find the parts of a file themselves.
     * There is no document to read: the URLs in {@code references} are keys of the other store, without
     * percent-encoding.
     *
     * @param references a document of version 0 or 1
     * @param synthesized values that are computed when they are read, by key
     * @param store the store of the objects; the new store closes it
     * @param url the URL of that store, for {@link dev.shardkit.store.ObjectLocations}, if it does not report locations
     *     itself
     * @param versions the expected versions of objects, by key; reading an object in another version throws
     *     {@link dev.shardkit.spi.error.CorruptDataException}
     * @param described the location of the new store, for messages
     * @throws dev.shardkit.spi.error.MetadataException if the references are invalid
     */
    public static Store of(
            Json.Obj references,
            Map<String, SynthesizedValue> synthesized,
            Store store,
            URI url,
            Map<String, String> versions,
            String described) {
        References read =
                DocumentReader.read(references, "", Builder.MAX_REFERENCES).with(synthesized);
        Targets targets = new StoreTargets(store, url, versions);
        return store.reads() instanceof LocalReads
                ? new LocalReferences(read, targets, described)
                : new RemoteReferences(read, targets, described);
    }

    /** The settings of a store. Not thread-safe. */
    public static final class Builder {
        private static final long MAX_REFERENCES = 2_000_000;

        private final URI document;
        private final Function<URI, Store> stores;
        private final List<URI> allowed = new ArrayList<>();
        private boolean anywhere;
        private String root = "";
        private long maxReferences = MAX_REFERENCES;
        private long maxDocumentBytes = 256L << 20;

        private Builder(URI document, Function<URI, Store> stores) {
            this.document = document.normalize();
            this.stores = stores;
            if (document.getScheme() == null
                    || document.getPath() == null
                    || document.getRawFragment() != null
                    || document.getScheme().equalsIgnoreCase(ReferenceStoreFactory.SCHEME)) {
                throw new IllegalArgumentException("expected the URL of a document, with a path and no fragment, found "
                        + UrlTargets.shown(document));
            }
            URI folder = document.resolve(".");
            allowed.add(
                    AllowedUrls.scheme(document).equals("file")
                            ? AllowedUrls.folder(folder)
                            : AllowedUrls.folder(URI.create(document.getScheme() + "://"
                                    + Optional.ofNullable(document.getRawAuthority())
                                            .orElse("") + "/")));
        }

        /** Restricts the store to the keys below {@code path}, which becomes the root. */
        public Builder below(String path) {
            root = path.replaceAll("^/+|/+$", "");
            return this;
        }

        /** Also allows targets below {@code folder}: a folder of files, a host, or a part of one. */
        public Builder allow(URI folder) {
            allowed.add(AllowedUrls.folder(folder));
            return this;
        }

        /** Allows targets anywhere: any file that this process can read, and any host. */
        public Builder allowAnywhere() {
            anywhere = true;
            return this;
        }

        /** Limits the number of references that a document may hold or generate. The default is 2,000,000. */
        public Builder maxReferences(long count) {
            maxReferences = count;
            return this;
        }

        /** Limits the size of a document in bytes. The default is 256 MiB. */
        public Builder maxDocumentBytes(long bytes) {
            maxDocumentBytes = bytes;
            return this;
        }

        /**
         * Reads the document and opens the store. Contacts no target.
         *
         * @throws dev.shardkit.spi.error.MetadataException if the document is invalid
         * @throws UnsupportedException if it needs unsupported parts of Jinja, or is in Parquet
         */
        public Store open() throws IOException {
            return open(document());
        }

        private Store open(Json json) {
            References references = DocumentReader.read(json, root, maxReferences);
            Targets targets = new UrlTargets(document, new AllowedUrls(List.copyOf(allowed), anywhere), stores);
            String described = ReferenceStoreFactory.SCHEME + ":" + UrlTargets.shown(document)
                    + (root.isEmpty() ? "" : "!" + root);
            boolean isLocal = AllowedUrls.scheme(document).equals("file")
                    && references.targets().stream().noneMatch(target -> UrlTargets.isForeign(target, document));
            return isLocal
                    ? new LocalReferences(references, targets, described)
                    : new RemoteReferences(references, targets, described);
        }

        private Json document() throws IOException {
            String path = document.getRawPath();
            String query = Optional.ofNullable(document.getRawQuery())
                    .map(parameters -> "?" + parameters)
                    .orElse("");
            URI folder = URI.create(document.resolve(path.substring(0, path.lastIndexOf('/') + 1)) + query);
            String name = document.getPath().substring(document.getPath().lastIndexOf('/') + 1);
            try (Store store = stores.apply(folder)) {
                // One byte more than allowed, so that the parser notices a larger document.
                Optional<Bytes> bytes = TargetReads.read(store, name, new ByteRange.Suffix(maxDocumentBytes + 1));
                // References in Parquet are a folder with a .zmetadata, or a file that begins with "PAR1".
                if (bytes.isEmpty()
                                && TargetReads.read(store, name + "/.zmetadata", new ByteRange.Suffix(1))
                                        .isPresent()
                        || bytes.isPresent() && isParquet(bytes.get())) {
                    throw new UnsupportedException(
                            "references in Parquet files are not supported; expected a JSON document: "
                                    + UrlTargets.shown(document));
                }
                byte[] utf8 = bytes.orElseThrow(() ->
                                new StoreException("there is no reference document at " + UrlTargets.shown(document)))
                        .toArray();
                Limits limits = Limits.defaults().withMetadataBytes(maxDocumentBytes);
                return JsonReader.read(utf8, limits);
            }
        }

        private static boolean isParquet(Bytes bytes) {
            return bytes.size() >= 4 && bytes.slice(0, 4).contentEquals(Bytes.of(new byte[] {'P', 'A', 'R', '1'}));
        }
    }
}
