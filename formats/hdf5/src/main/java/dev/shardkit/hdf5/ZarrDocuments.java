package dev.shardkit.hdf5;

import dev.shardkit.reference.SynthesizedValue;
import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.FillAttribute;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * References to a file as nodes of Zarr v3: a {@code zarr.json} for each group and dataset, and the places of chunks.
 * Collects them while the file is read. Used by one thread.
 */
final class ZarrDocuments implements FileTree.Nodes {
    private static final String DOCUMENT = "zarr.json";
    private static final long MAX_TEXT_BYTES = 1L << 30;

    private final String name;
    private final String root;
    private final long fileSize;
    private final Map<String, Json> references = new LinkedHashMap<>();
    private final Map<String, SynthesizedValue> made = new LinkedHashMap<>();

    /**
     * Creates documents.
     *
     * @param name the name of the file, as references name it
     * @param root the path in the file of the store's root
     * @param fileSize the size of the file in bytes, which each read checks
     */
    ZarrDocuments(String name, String root, long fileSize) {
        this.name = name;
        this.root = root;
        this.fileSize = fileSize;
    }

    /** Returns a document of references (kerchunk, version 1). */
    Json.Obj references() {
        return Json.object().with("version", Json.of(1)).with("refs", new Json.Obj(references));
    }

    /** Returns the chunks that are made when they are read. */
    Map<String, SynthesizedValue> made() {
        return made;
    }

    @Override
    public void group(String path, AttributeConversion.Converted attributes) {
        put(
                path,
                DocumentRemarks.add(
                        Json.object()
                                .with("zarr_format", Json.of(3))
                                .with("node_type", Json.of("group"))
                                .with("attributes", new Json.Obj(attributes.values())),
                        attributes.remarks()));
    }

    @Override
    public void refused(String path, long[] shape, ZarrException reason) {
        long[] chunk = shape.clone();
        java.util.Arrays.fill(chunk, 1);
        put(
                path,
                array(
                        shape,
                        regular(chunk),
                        Json.of("uint8"),
                        Json.of(0),
                        List.of(UnreadableCodec.json(StoreKeys.join(root, path), reason)),
                        Json.object()));
    }

    private void put(String path, Json.Obj document) {
        references.put(StoreKeys.join(path, DOCUMENT), Json.of(document.toString()));
    }

    @Override
    public void dataset(String path, Dataset dataset) {
        Json.Obj document = array(
                dataset.shape(),
                dataset.cutsEdges() ? rectilinear(dataset) : regular(dataset.chunkShape()),
                dataset.type().json(),
                dataset.fill(),
                codecs(dataset),
                dataset.missing()
                        .map(fill -> FillAttribute.put(
                                new Json.Obj(dataset.attributes().values()),
                                dataset.type().json(),
                                fill))
                        .orElseGet(() -> new Json.Obj(dataset.attributes().values())));
        if (dataset.shape().length > 0) {
            document = document.with("dimension_names", Json.of(dataset.names()));
        }
        if (dataset.type().isTexts() && dataset.chunkBytes() > MAX_TEXT_BYTES) {
            throw Hdf5.unsupported("a chunk of texts of more than " + MAX_TEXT_BYTES + " bytes");
        }
        put(path, DocumentRemarks.add(document, dataset.attributes().remarks()));
        Optional<MaskedCodec> codec = dataset.type().isTexts()
                ? Optional.of(MaskedCodec.of(dataset.filters(), dataset.type().bytes()))
                : Optional.empty();
        for (Dataset.Chunk chunk : dataset.chunks()) {
            StringBuilder key = new StringBuilder(StoreKeys.join(path, "c"));
            for (long index : chunk.cell()) {
                key.append('/').append(index);
            }
            if (codec.isPresent()) {
                checkSize(chunk, dataset);
                long size =
                        chunk instanceof Dataset.Part part && dataset.filters().isEmpty()
                                ? part.size()
                                : dataset.chunkBytes();
                made.put(key.toString(), new VariableTexts(name, chunk, codec.get(), size, dataset.file()));
            } else {
                references.put(key.toString(), reference(chunk, isMasked(dataset)));
            }
        }
    }

    /** The size of a chunk without filters is a claim of the file. */
    private static void checkSize(Dataset.Chunk chunk, Dataset dataset) {
        if (chunk instanceof Dataset.Part part && dataset.filters().isEmpty() && part.size() > dataset.chunkBytes()) {
            throw Hdf5.corrupt(
                    "a chunk of texts: expected at most " + dataset.chunkBytes() + " bytes, found " + part.size());
        }
    }

    /**
     * Returns whether {@link MaskedCodec} decodes the chunks: some lack filters, or only HDF5 decodes this chain of
     * filters.
     */
    private static boolean isMasked(Dataset dataset) {
        return dataset.isMasked() || FilterCodecs.shufflesRests(dataset);
    }

    /** Each chunk of a dataset with masks has its mask before its bytes, see {@link MaskedCodec}. */
    private Json reference(Dataset.Chunk chunk, boolean isMasked) {
        if (chunk instanceof Dataset.Inline inline) {
            return Json.of(base64(inline.bytes()));
        }
        Dataset.Part part = (Dataset.Part) chunk;
        Json piece =
                new Json.Arr(List.of(Json.of(name), Json.of(part.place()), Json.of(part.size()), Json.of(fileSize)));
        if (!isMasked) {
            return new Json.Arr(List.of(piece));
        }
        return new Json.Arr(List.of(Json.of(base64(MaskedCodec.head(part.mask()))), piece));
    }

    private static String base64(byte[] bytes) {
        return "base64:" + Base64.getEncoder().encodeToString(bytes);
    }

    private static List<Json> codecs(Dataset dataset) {
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
                .forEach(f -> filters.add(FilterCodecs.v3(f, dataset.type().bytes())));
        if (isMasked(dataset)) {
            codecs.add(MaskedCodec.json(filters));
        } else {
            codecs.addAll(filters);
        }
        return codecs;
    }

    private static Json regular(long[] chunk) {
        return Json.extension("regular", Json.object().with("chunk_shape", Json.of(chunk)));
    }

    private static Json rectilinear(Dataset dataset) {
        List<Json> edges = new ArrayList<>();
        for (int d = 0; d < dataset.shape().length; d++) {
            long length = Math.max(1, dataset.shape()[d]);
            long chunk = dataset.chunkShape()[d];
            List<Json> axis = new ArrayList<>();
            if (length >= chunk) {
                axis.add(Json.of(new long[] {chunk, length / chunk}));
            }
            if (length % chunk != 0) {
                axis.add(Json.of(length % chunk));
            }
            edges.add(new Json.Arr(axis));
        }
        return Json.extension(
                "rectilinear", Json.object().with("kind", Json.of("inline")).with("chunk_shapes", new Json.Arr(edges)));
    }

    private static Json.Obj array(
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
