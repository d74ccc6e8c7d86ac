package dev.shardkit.reference;

import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Opens stores that are one JSON document of references, as kerchunk writes them for fsspec's
 * {@code ReferenceFileSystem}: each key has bytes of its own, an object elsewhere, or a range of one. Reading only.
 *
 * <ul>
 *   <li><b>Documents</b> of version 0 and 1, with {@code templates} and {@code gen}; of Jinja only names, integers,
 *       strings, {@code + - * // % ~}, parentheses and calls of templates are evaluated. A value may also be a list of
 *       pieces, which is ours: {@code [[url, offset, length], "base64:..."]}; a fourth number is the size that the
 *       object must have. References in Parquet files are refused.
 *   <li><b>Relative URLs</b> begin at the document.
 *   <li><b>Where references may lead</b>: below the document's folder if it is a file (symbolic links out of it are not
 *       followed), to the document's host otherwise, and where {@link Builder#allow} says. All else is a
 *       {@link StoreException} when it is read.
 *   <li><b>Reading.</b> Reads are {@link dev.shardkit.store.NearReads} if everything lies in files beside the document,
 *       and otherwise {@link dev.shardkit.store.FarReads}. Ranges of one object are read as ranges of that object
 *       ({@link dev.shardkit.store.Reads#parts}): neighbours become one request, and one version of it is seen.
 *   <li><b>Absence</b> is a key that the document does not have. A reference to an object that is not there is a
 *       {@link StoreException}.
 * </ul>
 *
 * The document is read once, when the store is opened.
 */
public final class ReferenceStore {
    private ReferenceStore() {}

    /**
     * A builder of a store of the document at {@code document}.
     *
     * @param stores opens the stores in which the document and the objects are, {@code Registry.load()::open} say
     */
    public static Builder builder(URI document, Function<URI, Store> stores) {
        return new Builder(document, stores);
    }

    /** Settings of such a store. Not thread-safe. */
    public static final class Builder {
        private final URI document;
        private final Function<URI, Store> stores;
        private final List<URI> allowed = new ArrayList<>();
        private boolean anywhere;
        private String root = "";
        private long mostReferences = 2_000_000;
        private long mostDocumentBytes = 256L << 20;

        private Builder(URI document, Function<URI, Store> stores) {
            this.document = document.normalize();
            this.stores = stores;
            if (document.getScheme() == null
                    || document.getPath() == null
                    || document.getRawFragment() != null
                    || document.getScheme().equalsIgnoreCase(ReferenceStoreFactory.SCHEME)) {
                throw new IllegalArgumentException("expected the URL of a document, with a path and no fragment, found "
                        + Targets.shown(document));
            }
            URI folder = document.resolve(".");
            allowed.add(
                    Allowed.scheme(document).equals("file")
                            ? Allowed.folder(folder)
                            : Allowed.folder(URI.create(document.getScheme() + "://"
                                    + Optional.ofNullable(document.getRawAuthority())
                                            .orElse("") + "/")));
        }

        /** Shows only what is below {@code path}, as the root. */
        public Builder below(String path) {
            root = path.replaceAll("^/+|/+$", "");
            return this;
        }

        /** References may also lead below {@code folder}: a folder of files, a host, or a part of one. */
        public Builder allow(URI folder) {
            allowed.add(Allowed.folder(folder));
            return this;
        }

        /** References may lead anywhere: to any file that this process can read, and any host. */
        public Builder allowAnywhere() {
            anywhere = true;
            return this;
        }

        /** How many references a document may hold or generate; 2,000,000 unless told otherwise. */
        public Builder mostReferences(long count) {
            mostReferences = count;
            return this;
        }

        /** How large a document may be, in bytes; 256 MiB unless told otherwise. */
        public Builder mostDocumentBytes(long bytes) {
            mostDocumentBytes = bytes;
            return this;
        }

        /**
         * Reads the document and opens the store. No target is asked.
         *
         * @throws dev.shardkit.spi.error.MetadataException if it is no such document
         * @throws UnsupportedException if it has more of Jinja than is evaluated, or is in Parquet
         */
        public Store open() throws IOException {
            References references = DocumentReader.read(document(), root, mostReferences);
            Targets targets = new Targets(document, new Allowed(List.copyOf(allowed), anywhere), stores);
            String described = "reference:" + Targets.shown(document) + (root.isEmpty() ? "" : "!" + root);
            boolean near = Allowed.scheme(document).equals("file")
                    && references.targets().stream().noneMatch(t -> Targets.isForeign(t, document));
            return near
                    ? new NearReferences(references, targets, described)
                    : new FarReferences(references, targets, described);
        }

        private Json document() throws IOException {
            String path = document.getRawPath();
            String query = Optional.ofNullable(document.getRawQuery())
                    .map(q -> "?" + q)
                    .orElse("");
            URI folder = URI.create(document.resolve(path.substring(0, path.lastIndexOf('/') + 1)) + query);
            String name = document.getPath().substring(document.getPath().lastIndexOf('/') + 1);
            try (Store store = stores.apply(folder)) {
                Optional<Bytes> found = TargetReads.read(store, name, new ByteRange.Suffix(mostDocumentBytes + 1));
                if (found.isEmpty()
                                && TargetReads.read(store, name + "/.zmetadata", new ByteRange.Suffix(1))
                                        .isPresent()
                        || found.isPresent() && isParquet(found.get())) {
                    throw new UnsupportedException(
                            "references in Parquet files are not read; expected a JSON document: "
                                    + Targets.shown(document));
                }
                byte[] utf8 = found.orElseThrow(() ->
                                new StoreException("there is no reference document at " + Targets.shown(document)))
                        .toArray();
                Limits limits = Limits.defaults().withMetadataBytes(mostDocumentBytes);
                return JsonDocuments.read(utf8, limits);
            }
        }

        private static boolean isParquet(Bytes bytes) {
            return bytes.size() >= 4 && bytes.slice(0, 4).contentEquals(Bytes.of(new byte[] {'P', 'A', 'R', '1'}));
        }
    }
}
