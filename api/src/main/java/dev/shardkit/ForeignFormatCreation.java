package dev.shardkit;

import dev.shardkit.engine.edit.ObjectChange;
import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.creation.EnclosingArray;
import dev.shardkit.session.creation.FormatGroups;
import dev.shardkit.session.creation.NodePreconditions;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.ArrayCreation.NewArray;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StatedCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Store;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Creates arrays in another format than Zarr v3, if the location of a store names one, such as N5. Immutable. */
record ForeignFormatCreation(StoredNode node, String format, ArrayCreation creation) {
    /** Returns the creation of arrays at a node; empty unless its location names a format that can create arrays. */
    static Optional<ForeignFormatCreation> at(StoredNode node) {
        Store store = node.session().store();
        return NamedFormat.arrayCreation(store, node.session().registry())
                .map(creation ->
                        new ForeignFormatCreation(node, NamedFormat.name(store).orElseThrow(), creation));
    }

    /** Stores the format's document, or adds the array to a document that has several, and returns the array. */
    ZarrArray create(ArraySpec spec, IfExists existing) {
        NewArray described = describeChecked(spec, existing);
        return open(store(spec, described), node.session());
    }

    /** Begins an array whose document is stored when it is published. */
    StagedArray stage(ArraySpec spec, IfExists existing) {
        NewArray described = describeChecked(spec, existing);
        ZarrArray array = open(described, node.session().given());
        return new StagedArray(array, () -> {
            refuseZarr();
            store(spec, described);
        });
    }

    /** Describes the array. Throws if there is a node or leftover chunks where it would be stored. */
    private NewArray describeChecked(ArraySpec spec, IfExists existing) {
        if (existing == IfExists.OVERWRITE) {
            throw new IllegalArgumentException(
                    "an array in the format " + format + " replaces nothing: remove the old one first");
        }
        ArrayCreation.Request request = request(spec);
        NewArray described = creation.describe(request);
        String key = node.key(described.key());
        node.session().writable("creating an array");
        Optional<Bytes> stored = node.call(() -> document(key));
        if (stored.isPresent()) {
            EnclosingArray.refuse(node);
            addedTo(stored.get(), request); // throws if the document cannot take the array
        } else {
            NodePreconditions.refusePresent(node);
        }
        refuseZarr();
        refuseLeftovers(node.key(described.path()));
        return described;
    }

    /** Throws if a node of Zarr v3 exists here. Another program may create it while a staged array is written. */
    private void refuseZarr() {
        if (node.call(() -> document(node.key(NodePath.DOCUMENT))).isPresent()) {
            throw node.located(new StoreException("an array or group of Zarr v3 already exists here"));
        }
    }

    /** Stores the document of the described array, or adds the array to the stored document. */
    private NewArray store(ArraySpec spec, NewArray described) {
        ArrayCreation.Request request = request(spec);
        String key = node.key(described.key());
        AtomicReference<NewArray> created = new AtomicReference<>(described);
        node.session()
                .edits()
                .change(
                        key,
                        ObjectChange.once(policy -> document(key).map(found -> {
                            created.set(found.isPresent() ? addedTo(found.get(), request) : described);
                            return Edit.replace(created.get().content());
                        })),
                        node.writing());
        FormatGroups.makeRoot(node);
        return created.get();
    }

    private Plan<Optional<Bytes>> document(String key) {
        return Source.stored(key)
                .read(
                        ByteRange.whole(limits().metadataBytes()),
                        (result, scratch) -> result instanceof ReadResult.Found found
                                ? Optional.of(found.bytes().copy())
                                : Optional.empty());
    }

    private Limits limits() {
        return node.session().options().limits();
    }

    /** Returns the array as an addition to the stored document, if the format supports several arrays in one. */
    private NewArray addedTo(Bytes document, ArrayCreation.Request request) {
        if (!creation.hasSeveral()) {
            throw existsError();
        }
        try {
            return creation.describeBeside(JsonReader.readWithNonNumbers(document.toArray(), limits()), request);
        } catch (ZarrException e) {
            throw node.located(e);
        }
    }

    private ZarrException existsError() {
        return node.located(new StoreException("an array of the format " + format + " already exists here"));
    }

    /** Throws if chunks without a document lie here: they would become elements of the new array. */
    private void refuseLeftovers(String path) {
        if (node.session().store().find(Listings.class).isEmpty()) {
            return;
        }
        node.session().list(path, entry -> {
            throw node.located(new StoreException("expected an empty place for the new array, found " + entry.name()
                    + (path.isEmpty() ? "" : " in " + path)));
        });
    }

    /** Returns the array as a node of its format, in a session like {@code base}, without a read. */
    private ZarrArray open(NewArray created, Session base) {
        MetadataReader reader = new MetadataReader(node.session().registry(), limits());
        ArrayMetadata metadata = (ArrayMetadata) reader.read(created.document());
        String path = node.key(created.path());
        Session session = base.describedBy(new FoundNode.Foreign(
                format,
                NodeFormat.Evidence.STATED,
                new NodeFormat.Children(path, List.of()),
                Set.of(node.key(created.key()))));
        return new ZarrArray(new StoredNode(session, path), metadata);
    }

    /** Translates a description. Throws if it states a property that the format fixes. */
    private ArrayCreation.Request request(ArraySpec spec) {
        refuse(spec.chunkGrid().isPresent(), "a chunk grid");
        refuse(spec.chunkKeyEncoding().isPresent(), "a chunk key encoding");
        refuse(!spec.storageTransformers().isEmpty(), "storage transformers");
        refuse(spec.indexCodecs().isPresent() || spec.indexLocation().isPresent(), "the index of shards");
        refuse(spec.fillValue().filter(fill -> !isZero(fill)).isPresent(), "a fill value other than 0");
        List<String> declaredNames = names(spec);
        if (!creation.dimensions().isEmpty()) {
            checkDimensions(spec, declaredNames);
        }
        if (!(spec.dataType() instanceof Json.Str type)) {
            throw new IllegalArgumentException("an array in the format " + format
                    + ": expected the name of a data type, found " + spec.dataType());
        }
        return new ArrayCreation.Request(
                type.value(),
                withChannel(spec.shape()),
                spec.chunkShape().map(this::withChannel),
                spec.shardShape().map(this::withChannel),
                spec.attributes(),
                spec.codecs().map(this::encoding),
                declaredNames);
    }

    /**
     * Returns the names of the dimensions, with an empty text for a dimension without a name; none if all lack a name.
     */
    private static List<String> names(ArraySpec spec) {
        List<Optional<String>> names = spec.dimensionNames().orElse(List.of());
        return names.stream().anyMatch(Optional::isPresent)
                ? names.stream().map(name -> name.orElse("")).toList()
                : List.of();
    }

    private static boolean isZero(Json fill) {
        return fill instanceof Json.Num number && number.lexeme().matches("-?0+(\\.0*)?([eE].*)?");
    }

    private void checkDimensions(ArraySpec spec, List<String> declaredNames) {
        List<String> names = creation.dimensions().stream()
                .filter(name ->
                        spec.shape().length == creation.dimensions().size() || !name.equals(ArrayCreation.CHANNEL))
                .toList();
        if (spec.shape().length != names.size() || !declaredNames.isEmpty() && !declaredNames.equals(names)) {
            throw new IllegalArgumentException("an array in the format " + format + ": expected the dimensions "
                    + creation.dimensions() + ", the channel being optional, found the shape "
                    + Arrays.toString(spec.shape()) + (declaredNames.isEmpty() ? "" : " of " + declaredNames));
        }
    }

    private void refuse(boolean hasValue, String member) {
        if (hasValue) {
            throw new IllegalArgumentException(
                    "an array in the format " + format + ": expected no value for " + member + ", which is fixed");
        }
    }

    /** Returns lengths with 1 for the channel dimension, if they lack this dimension. */
    private long[] withChannel(long[] lengths) {
        List<String> dimensions = creation.dimensions();
        if (lengths.length != dimensions.size() - 1) {
            return lengths;
        }
        long[] complete = new long[dimensions.size()];
        int next = 0;
        for (int d = 0; d < complete.length; d++) {
            complete[d] = dimensions.get(d).equals(ArrayCreation.CHANNEL) ? 1 : lengths[next++];
        }
        return complete;
    }

    /** Returns the name of the format's encoding: as given, or the one that is like these codecs. */
    private String encoding(List<Json> codecs) {
        if (codecs.size() == 1 && codecs.get(0) instanceof Json.Str name) {
            return name.value();
        }
        return creation.encodingLike(StatedCodec.withoutOrder(codecs))
                .orElseThrow(() -> new IllegalArgumentException("an array in the format " + format
                        + ": expected the name of one encoding in place of codecs, or codecs that one encoding is"
                        + " like, found " + codecs));
    }
}
