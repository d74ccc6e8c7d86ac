package dev.shardkit.hdf5;

import dev.shardkit.hdf5.codec.MaskedCodec;
import dev.shardkit.hdf5.codec.UnsupportedFilterCodec;
import dev.shardkit.hdf5.dataset.AttributeConversion;
import dev.shardkit.hdf5.dataset.FilterCodecs;
import dev.shardkit.hdf5.dataset.Hdf5Dataset;
import dev.shardkit.hdf5.dataset.VariableTexts;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.FillAttribute;
import dev.shardkit.store.reference.SynthesizedValue;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes an HDF5 file as nodes of Zarr v3, for shardkit's own store: a {@code zarr.json} for each group and dataset,
 * and a reference to the bytes of each chunk in the file. {@link KerchunkDocuments} does the same for other programs.
 * Used by one thread.
 */
final class ZarrDocuments implements FileTree.NodeReceiver {
    private static final String DOCUMENT = "zarr.json";
    /** The maximum decoded size of a chunk of texts of variable length. */
    private static final long MAX_TEXT_BYTES = 1L << 30;

    private final String name;
    private final String root;
    private final long fileSize;
    /** The documents and references by their keys. */
    private final Map<String, Json> references = new LinkedHashMap<>();
    /** The chunks of texts by their keys. The file has only positions of the texts, so reads create these chunks. */
    private final Map<String, SynthesizedValue> synthesizedChunks = new LinkedHashMap<>();

    /**
     * Creates documents.
     *
     * @param name the name of the file for the references
     * @param root the path in the file of the object that is the root of the store
     * @param fileSize the size of the file in bytes; each read checks that it has not changed
     */
    ZarrDocuments(String name, String root, long fileSize) {
        this.name = name;
        this.root = root;
        this.fileSize = fileSize;
    }

    /** Returns a document of references in the format of kerchunk, version 1. */
    Json.Obj references() {
        return Json.object().with("version", Json.of(1)).with("refs", new Json.Obj(references));
    }

    /** Returns the chunks that are created when they are read, by their keys. */
    Map<String, SynthesizedValue> synthesizedChunks() {
        return synthesizedChunks;
    }

    @Override
    public void group(String path, AttributeConversion.JsonAttributes attributes) {
        putDocument(
                path,
                DocumentRemarks.add(
                        Json.object()
                                .with("zarr_format", Json.of(3))
                                .with("node_type", Json.of("group"))
                                .with("attributes", new Json.Obj(attributes.values())),
                        attributes.remarks()));
    }

    /** Adds an array in place of a node that cannot be read. Its codec throws the reason when elements are read. */
    @Override
    public void refused(String path, long[] shape, ZarrException reason) {
        long[] chunkShape = shape.clone();
        java.util.Arrays.fill(chunkShape, 1);
        putDocument(
                path,
                arrayDocument(
                        shape,
                        regularGrid(chunkShape),
                        Json.of("uint8"),
                        Json.of(0),
                        List.of(UnsupportedFilterCodec.toJson(StoreKeys.join(root, path), reason)),
                        Json.object()));
    }

    private void putDocument(String path, Json.Obj document) {
        references.put(StoreKeys.join(path, DOCUMENT), Json.of(document.toString()));
    }

    @Override
    public void dataset(String path, Hdf5Dataset dataset) {
        Json.Obj document = arrayDocument(
                dataset.shape(),
                dataset.cutsEdges() ? rectilinearGrid(dataset) : regularGrid(dataset.chunkShape()),
                dataset.type().json(),
                dataset.fill(),
                codecsOf(dataset),
                dataset.missingValue()
                        .map(fill -> FillAttribute.put(
                                new Json.Obj(dataset.attributes().values()),
                                dataset.type().json(),
                                fill))
                        .orElseGet(() -> new Json.Obj(dataset.attributes().values())));
        if (dataset.shape().length > 0) {
            document = document.with("dimension_names", Json.of(dataset.dimensionNames()));
        }
        if (dataset.type().isTexts() && dataset.chunkBytes() > MAX_TEXT_BYTES) {
            throw Hdf5Errors.unsupported("a chunk of texts of more than " + MAX_TEXT_BYTES + " bytes");
        }
        putDocument(path, DocumentRemarks.add(document, dataset.attributes().remarks()));
        Optional<MaskedCodec> codec = dataset.type().isTexts()
                ? Optional.of(
                        FilterCodecs.masked(dataset.filters(), dataset.type().bytes()))
                : Optional.empty();
        for (Hdf5Dataset.Chunk chunk : dataset.chunks()) {
            StringBuilder key = new StringBuilder(StoreKeys.join(path, "c"));
            for (long index : chunk.cell()) {
                key.append('/').append(index);
            }
            if (codec.isPresent()) {
                requireSize(chunk, dataset);
                long size = chunk instanceof Hdf5Dataset.Part part
                                && dataset.filters().isEmpty()
                        ? part.size()
                        : dataset.chunkBytes();
                synthesizedChunks.put(
                        key.toString(), new VariableTexts(name, chunk, codec.get(), size, dataset.file()));
            } else {
                references.put(key.toString(), referenceTo(chunk, isMasked(dataset)));
            }
        }
    }

    /**
     * Throws if a chunk of texts without filters is larger than the metadata say, because a file may claim any size.
     */
    private static void requireSize(Hdf5Dataset.Chunk chunk, Hdf5Dataset dataset) {
        if (chunk instanceof Hdf5Dataset.Part part
                && dataset.filters().isEmpty()
                && part.size() > dataset.chunkBytes()) {
            throw Hdf5Errors.corrupt(
                    "a chunk of texts: expected at most " + dataset.chunkBytes() + " bytes, found " + part.size());
        }
    }

    /**
     * Returns whether {@link MaskedCodec} decodes the chunks: HDF5 skipped filters for some of them, or other codecs do
     * not support this chain of filters.
     */
    private static boolean isMasked(Hdf5Dataset dataset) {
        return dataset.isMasked() || FilterCodecs.shufflesPartialElements(dataset);
    }

    /**
     * Returns a reference to a chunk: the list of its parts. If the dataset is masked, the first part is the mask (see
     * {@link MaskedCodec}), in base64.
     */
    private Json referenceTo(Hdf5Dataset.Chunk chunk, boolean isMasked) {
        if (chunk instanceof Hdf5Dataset.Inline inline) {
            return Json.of(toBase64(inline.bytes()));
        }
        Hdf5Dataset.Part part = (Hdf5Dataset.Part) chunk;
        Json range =
                new Json.Arr(List.of(Json.of(name), Json.of(part.offset()), Json.of(part.size()), Json.of(fileSize)));
        if (!isMasked) {
            return new Json.Arr(List.of(range));
        }
        return new Json.Arr(List.of(Json.of(toBase64(MaskedCodec.maskBytes(part.mask()))), range));
    }

    private static String toBase64(byte[] bytes) {
        return "base64:" + Base64.getEncoder().encodeToString(bytes);
    }

    private static List<Json> codecsOf(Hdf5Dataset dataset) {
        if (dataset.type().isTexts()) {
            return List.of(Json.extension("vlen-utf8", Json.object()));
        }
        List<Json> codecs = new ArrayList<>();
        Json.Obj endian =
                switch (dataset.type().order()) {
                    case NONE -> Json.object();
                    case LITTLE -> Json.object().with("endian", Json.of("little"));
                    case BIG -> Json.object().with("endian", Json.of("big"));
                };
        codecs.add(Json.extension("bytes", endian));
        dataset.numbers().ifPresent(numbers -> codecs.add(numbers.json()));
        List<Json> filters = new ArrayList<>();
        dataset.filters()
                .forEach(filter ->
                        filters.add(FilterCodecs.toV3(filter, dataset.type().bytes())));
        if (isMasked(dataset)) {
            codecs.add(MaskedCodec.toJson(filters));
        } else {
            codecs.addAll(filters);
        }
        return codecs;
    }

    private static Json regularGrid(long[] chunkShape) {
        return Json.extension("regular", Json.object().with("chunk_shape", Json.of(chunkShape)));
    }

    /**
     * Returns a grid whose last chunks may be shorter. For each dimension, it lists the pair of length and number of
     * equal chunks, and the length of the last chunk. An empty dimension has a chunk of length 1.
     */
    private static Json rectilinearGrid(Hdf5Dataset dataset) {
        List<Json> chunkLengths = new ArrayList<>();
        for (int d = 0; d < dataset.shape().length; d++) {
            long length = Math.max(1, dataset.shape()[d]);
            long chunkLength = dataset.chunkShape()[d];
            List<Json> axis = new ArrayList<>();
            if (length >= chunkLength) {
                axis.add(Json.of(new long[] {chunkLength, length / chunkLength}));
            }
            if (length % chunkLength != 0) {
                axis.add(Json.of(length % chunkLength));
            }
            chunkLengths.add(new Json.Arr(axis));
        }
        return Json.extension(
                "rectilinear",
                Json.object().with("kind", Json.of("inline")).with("chunk_shapes", new Json.Arr(chunkLengths)));
    }

    private static Json.Obj arrayDocument(
            long[] shape, Json grid, Json type, Json fill, List<Json> codecs, Json.Obj attributes) {
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", type)
                .with("chunk_grid", grid)
                .with(
                        "chunk_key_encoding",
                        Json.extension("default", Json.object().with("separator", Json.of("/"))))
                .with("fill_value", fill)
                .with("codecs", new Json.Arr(codecs))
                .with("attributes", attributes);
    }
}
