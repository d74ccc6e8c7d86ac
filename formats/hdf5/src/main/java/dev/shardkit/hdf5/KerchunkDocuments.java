package dev.shardkit.hdf5;

import dev.shardkit.hdf5.codec.MaskedCodec;
import dev.shardkit.hdf5.dataset.AttributeConversion;
import dev.shardkit.hdf5.dataset.FilterCodecs;
import dev.shardkit.hdf5.dataset.Hdf5Dataset;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.message.Filter;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.FillAttribute;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes an HDF5 file as nodes of Zarr v2 whose chunks are references to ranges of the file, in the format of
 * kerchunk. Python reads them with fsspec and zarr-python; shardkit itself reads the nodes of {@link ZarrDocuments}.
 * Datasets that Zarr v2 or numcodecs (its codecs) cannot express are omitted and reported. Used by one thread.
 */
final class KerchunkDocuments implements FileTree.NodeReceiver {
    /**
     * The maximum size of a dataset's chunks that the document stores inline, because no range of the file is such a
     * chunk in the encoding of Zarr v2.
     */
    private static final long MAX_INLINE = 16L << 20;
    /** The same limit for all datasets together. Documents may have up to 256 MiB, and base64 adds a third. */
    private static final long MAX_INLINE_OF_ALL = 128L << 20;
    /** The minimum size of a chunk in the document: its key and its entry. */
    private static final long MIN_INLINE = 128;

    private final ObjectSnapshot file;
    private final String url;
    private final Map<String, Json> references = new LinkedHashMap<>();
    /** The omitted datasets, with reasons. */
    private final List<String> leftOut = new ArrayList<>();
    /** Remarks about datasets and groups that are not omitted. */
    private final List<String> notes = new ArrayList<>();

    private long inlineBytes;

    /**
     * Creates documents.
     *
     * @param file the file; chunks for which HDF5 skipped filters are read from it
     * @param url the URL of the file for the references
     */
    KerchunkDocuments(ObjectSnapshot file, String url) {
        this.file = file;
        this.url = url;
    }

    Hdf5References toReferences() {
        return new Hdf5References(new Json.Obj(references), leftOut, notes);
    }

    private void put(String path, String name, Json.Obj document) {
        references.put(StoreKeys.join(path, name), Json.of(document.toString()));
    }

    @Override
    public void group(String path, AttributeConversion.JsonAttributes attributes) {
        put(path, ".zgroup", Json.object().with("zarr_format", Json.of(2)));
        put(path, ".zattrs", new Json.Obj(attributes.values()));
        addNotes(path, attributes);
    }

    @Override
    public void refused(String path, long[] shape, ZarrException reason) {
        omit(path, reason.fact());
    }

    private void addNotes(String path, AttributeConversion.JsonAttributes attributes) {
        attributes.remarks().forEach(remark -> notes.add(path + ": " + remark));
    }

    private void omit(String path, String reason) {
        leftOut.add(path + ": " + reason);
    }

    @Override
    public void dataset(String path, Hdf5Dataset dataset) {
        if (dataset.type().isTexts()) {
            omit(path, "hdf5: text of variable length is not a range of the file");
            return;
        }
        if (dataset.numbers().isPresent()) {
            omit(path, "hdf5: numcodecs has no codec for numbers whose precision is less than their size");
            return;
        }
        // HDF5 skipped filters for these chunks; Zarr v2 cannot, so they are encoded again
        long maskedCount = dataset.chunks().stream()
                .filter(chunk -> chunk instanceof Hdf5Dataset.Part part && part.mask() != 0)
                .count();
        long maxMaskedChunks =
                Math.min(MAX_INLINE, MAX_INLINE_OF_ALL - inlineBytes) / Math.max(1, dataset.chunkBytes());
        if (maskedCount > maxMaskedChunks) {
            omit(
                    path,
                    "hdf5: " + maskedCount + " chunks without some of the filters must be stored in the document; "
                            + maxMaskedChunks + " more fit");
            return;
        }
        List<Json> codecs = new ArrayList<>();
        for (Filter filter : dataset.filters()) {
            Optional<Json.Obj> codec = FilterCodecs.toV2(filter, dataset.type().bytes());
            if (codec.isEmpty()) {
                FilterCodecs.toV3(filter, dataset.type().bytes()); // throws if no codec exists at all
                omit(path, "hdf5: numcodecs has no codec for the filter " + FilterCodecs.describe(filter));
                return;
            }
            codecs.add(codec.get());
        }
        if (FilterCodecs.shufflesPartialElements(dataset)) {
            omit(
                    path,
                    "hdf5: the filter shuffle comes after one that adds bytes, such as fletcher32; the shuffle of "
                            + "numcodecs refuses bytes that are no multiple of the size of elements");
            return;
        }
        // The chunks are read before the array is put: a damaged chunk throws, and then the whole array is omitted.
        // An array without its chunks would read as fill values.
        Map<String, Json> chunks = chunkReferences(path, dataset, maskedCount > 0);
        inlineBytes += maskedCount * dataset.chunkBytes();
        Json fill = fillOf(dataset);
        if (!readsAsFill(dataset, fill) && !addMissing(path, dataset, chunks)) {
            if (!(fill instanceof Json.Null)) {
                omit(
                        path,
                        "hdf5: chunks that the file lacks are the fill value, which differs from _FillValue; Zarr v2 has "
                                + "one value for both, and the chunks do not fit into the document");
                return;
            }
            fill = fillInV2(dataset, dataset.fill()).orElse(fill);
            notes.add(path + ": xarray will mask elements equal to " + fill + ", because the file lacks chunks of this "
                    + "fill value, which do not fit into the document");
        }
        put(path, ".zarray", arrayDocument(dataset, codecs, fill));
        put(path, ".zattrs", attributesDocument(dataset, fill));
        addNotes(path, dataset.attributes());
        references.putAll(chunks);
    }

    /**
     * Returns whether chunks that the document lacks read as the fill value of the file.
     *
     * @param fill the fill value in the document; null reads as zero
     */
    private static boolean readsAsFill(Hdf5Dataset dataset, Json fill) {
        boolean isZero = Arrays.equals(dataset.fillBytes(), new byte[dataset.fillBytes().length]);
        return fill instanceof Json.Null
                ? isZero
                : fillInV2(dataset, dataset.fill()).equals(Optional.of(fill));
    }

    /**
     * Adds inline chunks full of the fill value, for chunks that the file does not store, if they fit into the
     * document.
     *
     * @return whether they fit
     */
    private boolean addMissing(String path, Hdf5Dataset dataset, Map<String, Json> chunks) {
        long[] gridShape = new long[dataset.shape().length];
        long chunkCount = 1;
        for (int d = 0; d < gridShape.length; d++) {
            gridShape[d] = (dataset.shape()[d] + dataset.chunkShape()[d] - 1) / dataset.chunkShape()[d];
            // limited to Integer.MAX_VALUE, which is too many chunks in any case
            chunkCount = gridShape[d] != 0 && chunkCount > Integer.MAX_VALUE / gridShape[d]
                    ? Integer.MAX_VALUE
                    : chunkCount * gridShape[d];
        }
        long missingChunks = chunkCount - chunks.size();
        if (missingChunks <= 0) {
            return true;
        } else if (chunkCount == Integer.MAX_VALUE || dataset.chunkBytes() > MAX_INLINE) {
            return false;
        }
        byte[] decodedChunk = new byte[(int) dataset.chunkBytes()];
        for (int i = 0; i < decodedChunk.length; i++) {
            decodedChunk[i] = dataset.fillBytes()[i % dataset.fillBytes().length];
        }
        byte[] encodedChunk = decodedChunk;
        if (!dataset.filters().isEmpty()) {
            try (Scratch scratch = new Scratch()) {
                encodedChunk = encode(
                        FilterCodecs.masked(dataset.filters(), dataset.type().bytes()),
                        Bytes.of(decodedChunk),
                        scratch);
            }
        }
        if (missingChunks
                > Math.min(MAX_INLINE, MAX_INLINE_OF_ALL - inlineBytes) / Math.max(MIN_INLINE, encodedChunk.length)) {
            return false;
        }
        inlineBytes += missingChunks * encodedChunk.length;
        Json value = toInline(encodedChunk);
        long[] cell = new long[gridShape.length];
        for (long i = 0; i < chunkCount; i++) {
            chunks.putIfAbsent(StoreKeys.join(path, chunkKey(cell)), value);
            // advances to the next cell in C order
            for (int d = cell.length; d-- > 0 && ++cell[d] == gridShape[d]; ) {
                cell[d] = 0;
            }
        }
        return true;
    }

    /** Returns the references to the stored chunks by their keys. */
    private Map<String, Json> chunkReferences(String path, Hdf5Dataset dataset, boolean isMasked) {
        MaskedCodec codec =
                isMasked ? FilterCodecs.masked(dataset.filters(), dataset.type().bytes()) : new MaskedCodec(List.of());
        Map<String, Json> chunks = new LinkedHashMap<>();
        for (Hdf5Dataset.Chunk chunk : dataset.chunks()) {
            chunks.put(StoreKeys.join(path, chunkKey(chunk.cell())), referenceTo(chunk, codec, dataset.chunkBytes()));
        }
        return chunks;
    }

    private static Json.Obj arrayDocument(Hdf5Dataset dataset, List<Json> codecs, Json fill) {
        return Json.object()
                .with("zarr_format", Json.of(2))
                .with("shape", Json.of(dataset.shape()))
                .with("chunks", Json.of(dataset.chunkShape()))
                .with("dtype", dataset.type().numpy())
                .with("fill_value", fill)
                .with("order", Json.of("C"))
                .with("filters", codecs.isEmpty() ? new Json.Null() : new Json.Arr(codecs))
                .with("compressor", new Json.Null())
                .with("dimension_separator", Json.of("."));
    }

    /**
     * Returns the fill value of the document: the value of the attribute {@code _FillValue}, or null without the
     * attribute. It is not the fill value of HDF5, because xarray masks elements that are equal to the fill value.
     */
    private static Json fillOf(Hdf5Dataset dataset) {
        return dataset.missingValue()
                .flatMap(valueOfMissing -> fillInV2(dataset, valueOfMissing))
                .orElseGet(Json.Null::new);
    }

    /** Returns a fill value in the form of Zarr v2; empty if the type has no such value. */
    private static Optional<Json> fillInV2(Hdf5Dataset dataset, Json value) {
        String numpy = dataset.type().numpy() instanceof Json.Str text ? text.value() : "";
        Json type = dataset.type().json();
        // the letter of NumPy's type string, such as f in "<f8"; records have a list in place of a string
        return switch (numpy.isEmpty() ? 'V' : numpy.charAt(1)) {
            case 'b', 'i' -> FillAttribute.of(type, value);
            case 'u' -> FillAttribute.of(type, value);
            case 'f' -> numberFill(type, value);
            case 'c' ->
                value instanceof Json.Arr pair && FillAttribute.of(type, value).isPresent()
                        ? Optional.of(new Json.Arr(pair.items().stream()
                                .map(component -> numberFill(
                                                Json.of(numpy.endsWith("c8") ? "float32" : "float64"), component)
                                        .orElse(component))
                                .toList()))
                        : Optional.empty();
            case 'M', 'm' -> Optional.of(value).filter(Json.Num.class::isInstance);
            case 'S' -> textFill(dataset, value);
            default ->
                value.equals(dataset.fill())
                        ? Optional.of(Json.of(Base64.getEncoder().encodeToString(dataset.fillBytes())))
                        : Optional.empty();
        };
    }

    /** Returns a number in the form of Zarr v2: infinities and NaN are strings, and bit patterns become numbers. */
    private static Optional<Json> numberFill(Json type, Json value) {
        return FillAttribute.number(type, value).stream()
                .mapToObj(number -> Double.isFinite(number) ? Json.of(number) : Json.of(Double.toString(number)))
                .findFirst();
    }

    /** Returns text of a fixed size in base64. The fill value of the metadata is already in base64. */
    private static Optional<Json> textFill(Hdf5Dataset dataset, Json value) {
        if (value.equals(dataset.fill())) {
            return Optional.of(value);
        }
        byte[] text = value instanceof Json.Str string ? string.value().getBytes(StandardCharsets.UTF_8) : new byte[0];
        return text.length > 0 && text.length <= dataset.type().bytes()
                ? Optional.of(Json.of(Base64.getEncoder().encodeToString(text)))
                : Optional.empty();
    }

    /**
     * Returns the attributes with the names of dimensions for xarray. Omits {@code _FillValue} if the document has a
     * fill value, which says the same.
     */
    private static Json.Obj attributesDocument(Hdf5Dataset dataset, Json fill) {
        Map<String, Json> attributes = new LinkedHashMap<>(dataset.attributes().values());
        if (!(fill instanceof Json.Null)) {
            attributes.remove(FillAttribute.NAME);
        }
        attributes.put("_ARRAY_DIMENSIONS", Json.of(dataset.dimensionNames()));
        return new Json.Obj(attributes);
    }

    /** Returns the key of a chunk in Zarr v2: its indices, separated by dots. */
    private static String chunkKey(long[] cell) {
        if (cell.length == 0) {
            return "0";
        }
        StringBuilder name = new StringBuilder();
        for (long index : cell) {
            name.append(name.isEmpty() ? "" : ".").append(index);
        }
        return name.toString();
    }

    /** Returns a chunk in the form of kerchunk: its URL, offset and size, or its bytes in base64. */
    private Json referenceTo(Hdf5Dataset.Chunk chunk, MaskedCodec codec, long chunkBytes) {
        if (chunk instanceof Hdf5Dataset.Inline inline) {
            return toInline(inline.bytes());
        }
        Hdf5Dataset.Part part = (Hdf5Dataset.Part) chunk;
        return part.mask() == 0
                ? new Json.Arr(List.of(Json.of(url), Json.of(part.offset()), Json.of(part.size())))
                : toInline(encodeAgain(part, codec, chunkBytes));
    }

    private static Json toInline(byte[] bytes) {
        return Json.of("base64:" + Base64.getEncoder().encodeToString(bytes));
    }

    /** Decodes a chunk for which HDF5 skipped filters, and returns it encoded with all filters. */
    private byte[] encodeAgain(Hdf5Dataset.Part part, MaskedCodec codec, long chunkBytes) {
        // No codec makes a chunk more than twice as large, apart from a header.
        if (part.size() > 2 * chunkBytes + (64 << 10) || part.size() > file.size() - part.offset()) {
            throw Hdf5Errors.corrupt("a chunk: expected about " + chunkBytes + " bytes, found " + part.size());
        }
        try (Scratch scratch = new Scratch()) {
            byte[] encodedChunk = new byte[(int) part.size()];
            file.read(part.offset(), ByteBuffer.wrap(encodedChunk));
            Bytes encodedWithMask =
                    Bytes.concat(List.of(Bytes.of(MaskedCodec.maskBytes(part.mask())), Bytes.of(encodedChunk)));
            Bytes decodedChunk = codec.decode(encodedWithMask, DecodedSize.exactly(chunkBytes), scratch);
            return encode(codec, decodedChunk.copy(), scratch);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a chunk encoded with all filters. */
    private static byte[] encode(MaskedCodec codec, Bytes decodedChunk, Scratch scratch) {
        byte[] encodedWithMask = codec.encode(decodedChunk, scratch).toArray();
        return Arrays.copyOfRange(encodedWithMask, MaskedCodec.HEADER, encodedWithMask.length);
    }
}
