package dev.shardkit.hdf5;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.FillAttribute;
import dev.shardkit.store.Snapshot;
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
 * References to a file as nodes of Zarr v2, as kerchunk writes them, so that fsspec and zarr-python read them. What
 * Zarr v2 and numcodecs cannot say is left out and told. Used by one thread.
 */
final class KerchunkDocuments implements FileTree.Nodes {
    /** The most bytes of chunks of a dataset that are encoded again: they are stored in the document. */
    private static final long MAX_INLINE = 16L << 20;
    /** The same for all datasets: documents of up to 256 MiB are opened, and base64 takes a third more. */
    private static final long MAX_INLINE_OF_ALL = 128L << 20;
    /** What a chunk costs at least: its key and its place in the document. */
    private static final long MIN_INLINE = 128;

    private final Snapshot file;
    private final String url;
    private final Map<String, Json> references = new LinkedHashMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private long inlined;

    /**
     * Creates documents.
     *
     * @param file the file, of which chunks without some filters are read
     * @param url its URL, as references name it
     */
    KerchunkDocuments(Snapshot file, String url) {
        this.file = file;
        this.url = url;
    }

    Hdf5References done() {
        return new Hdf5References(new Json.Obj(references), leftOut, notes);
    }

    private void put(String path, String name, Json.Obj document) {
        references.put(StoreKeys.join(path, name), Json.of(document.toString()));
    }

    @Override
    public void group(String path, AttributeConversion.Converted attributes) {
        put(path, ".zgroup", Json.object().with("zarr_format", Json.of(2)));
        put(path, ".zattrs", new Json.Obj(attributes.values()));
        note(path, attributes);
    }

    @Override
    public void refused(String path, long[] shape, ZarrException reason) {
        leaveOut(path, reason.fact());
    }

    private void note(String path, AttributeConversion.Converted attributes) {
        attributes.remarks().forEach(remark -> notes.add(path + ": " + remark));
    }

    private void leaveOut(String path, String reason) {
        leftOut.add(path + ": " + reason);
    }

    @Override
    public void dataset(String path, Dataset dataset) {
        if (dataset.type().isTexts()) {
            leaveOut(path, "hdf5: text of variable length is not a range of the file");
            return;
        }
        if (dataset.numbers().isPresent()) {
            leaveOut(path, "hdf5: numcodecs has no codec for numbers whose precision is less than their size");
            return;
        }
        long masked = dataset.chunks().stream()
                .filter(chunk -> chunk instanceof Dataset.Part part && part.mask() != 0)
                .count();
        long most = Math.min(MAX_INLINE, MAX_INLINE_OF_ALL - inlined) / Math.max(1, dataset.chunkBytes());
        if (masked > most) {
            leaveOut(
                    path,
                    "hdf5: " + masked + " chunks without some of the filters must be stored in the document; " + most
                            + " more fit");
            return;
        }
        List<Json> codecs = new ArrayList<>();
        for (Filter filter : dataset.filters()) {
            Optional<Json.Obj> codec = FilterCodecs.v2(filter, dataset.type().bytes());
            if (codec.isEmpty()) {
                FilterCodecs.v3(filter, dataset.type().bytes());
                leaveOut(path, "hdf5: numcodecs has no codec for the filter " + FilterCodecs.described(filter));
                return;
            }
            codecs.add(codec.get());
        }
        if (FilterCodecs.shufflesRests(dataset)) {
            leaveOut(
                    path,
                    "hdf5: the filter shuffle comes after one that adds bytes, such as fletcher32; the shuffle of "
                            + "numcodecs refuses bytes that are no multiple of the size of elements");
            return;
        }
        // The chunks first: if one is damaged, the array is left out. Without its chunks it would read as fill values.
        Map<String, Json> chunks = chunks(path, dataset, masked > 0);
        inlined += masked * dataset.chunkBytes();
        Json fill = fill(dataset);
        if (!readsAsFill(dataset, fill) && !addMissing(path, dataset, chunks)) {
            if (!(fill instanceof Json.Null)) {
                leaveOut(
                        path,
                        "hdf5: chunks that the file lacks are the fill value, which differs from _FillValue; Zarr v2 has "
                                + "one value for both, and the chunks do not fit into the document");
                return;
            }
            fill = v2(dataset, dataset.fill()).orElse(fill);
            notes.add(path + ": xarray will mask elements equal to " + fill + ", because the file lacks chunks of this "
                    + "fill value, which do not fit into the document");
        }
        put(path, ".zarray", document(dataset, codecs, fill));
        put(path, ".zattrs", attributes(dataset, fill));
        note(path, dataset.attributes());
        references.putAll(chunks);
    }

    /** Returns whether chunks that the document does not have read as the file's fill value; null stands for zero. */
    private static boolean readsAsFill(Dataset dataset, Json fill) {
        boolean isZero = Arrays.equals(dataset.fillBytes(), new byte[dataset.fillBytes().length]);
        return fill instanceof Json.Null ? isZero : v2(dataset, dataset.fill()).equals(Optional.of(fill));
    }

    /**
     * Adds the chunks that the file lacks, as far as they fit into the document.
     *
     * @return whether they fit
     */
    private boolean addMissing(String path, Dataset dataset, Map<String, Json> chunks) {
        long[] cells = new long[dataset.shape().length];
        long all = 1;
        for (int d = 0; d < cells.length; d++) {
            cells[d] = (dataset.shape()[d] + dataset.chunkShape()[d] - 1) / dataset.chunkShape()[d];
            all = cells[d] != 0 && all > Integer.MAX_VALUE / cells[d] ? Integer.MAX_VALUE : all * cells[d];
        }
        long missing = all - chunks.size();
        if (missing <= 0) {
            return true;
        } else if (all == Integer.MAX_VALUE || dataset.chunkBytes() > MAX_INLINE) {
            return false;
        }
        byte[] plain = new byte[(int) dataset.chunkBytes()];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = dataset.fillBytes()[i % dataset.fillBytes().length];
        }
        byte[] stored = plain;
        if (!dataset.filters().isEmpty()) {
            try (Scratch scratch = new Scratch()) {
                stored =
                        encoded(MaskedCodec.of(dataset.filters(), dataset.type().bytes()), Bytes.of(plain), scratch);
            }
        }
        if (missing > Math.min(MAX_INLINE, MAX_INLINE_OF_ALL - inlined) / Math.max(MIN_INLINE, stored.length)) {
            return false;
        }
        inlined += missing * stored.length;
        Json value = inline(stored);
        long[] cell = new long[cells.length];
        for (long i = 0; i < all; i++) {
            chunks.putIfAbsent(StoreKeys.join(path, name(cell)), value);
            for (int d = cell.length; d-- > 0 && ++cell[d] == cells[d]; ) {
                cell[d] = 0;
            }
        }
        return true;
    }

    private Map<String, Json> chunks(String path, Dataset dataset, boolean isMasked) {
        MaskedCodec codec =
                isMasked ? MaskedCodec.of(dataset.filters(), dataset.type().bytes()) : new MaskedCodec(List.of());
        Map<String, Json> chunks = new LinkedHashMap<>();
        for (Dataset.Chunk chunk : dataset.chunks()) {
            chunks.put(StoreKeys.join(path, name(chunk.cell())), reference(chunk, codec, dataset.chunkBytes()));
        }
        return chunks;
    }

    private static Json.Obj document(Dataset dataset, List<Json> codecs, Json fill) {
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
     * Returns the fill value of the document. xarray masks the elements that are equal to it, so it is that of
     * {@code _FillValue}, and null for a variable without.
     */
    private static Json fill(Dataset dataset) {
        return dataset.missing().flatMap(missing -> v2(dataset, missing)).orElseGet(Json.Null::new);
    }

    /** Returns a fill value as Zarr v2 has it; empty if the type has no such value. */
    private static Optional<Json> v2(Dataset dataset, Json value) {
        String numpy = dataset.type().numpy() instanceof Json.Str text ? text.value() : "";
        Json type = dataset.type().json();
        return switch (numpy.isEmpty() ? 'V' : numpy.charAt(1)) {
            case 'b', 'i' -> FillAttribute.of(type, value);
            case 'u' -> FillAttribute.of(type, value);
            case 'f' -> quoted(type, value);
            case 'c' ->
                value instanceof Json.Arr pair && FillAttribute.of(type, value).isPresent()
                        ? Optional.of(new Json.Arr(pair.items().stream()
                                .map(part -> quoted(Json.of(numpy.endsWith("c8") ? "float32" : "float64"), part)
                                        .orElse(part))
                                .toList()))
                        : Optional.empty();
            case 'M', 'm' -> Optional.of(value).filter(Json.Num.class::isInstance);
            case 'S' -> bytes(dataset, value);
            default ->
                value.equals(dataset.fill())
                        ? Optional.of(Json.of(Base64.getEncoder().encodeToString(dataset.fillBytes())))
                        : Optional.empty();
        };
    }

    /** Returns a number as Zarr v2 has it: infinities and NaN as strings, and numbers instead of their bits. */
    private static Optional<Json> quoted(Json type, Json value) {
        return FillAttribute.number(type, value).stream()
                .mapToObj(number -> Double.isFinite(number) ? Json.of(number) : Json.of(Double.toString(number)))
                .findFirst();
    }

    /** Returns text of a fixed size in base64. As a fill value of the metadata, it is that already. */
    private static Optional<Json> bytes(Dataset dataset, Json value) {
        if (value.equals(dataset.fill())) {
            return Optional.of(value);
        }
        byte[] text = value instanceof Json.Str s ? s.value().getBytes(StandardCharsets.UTF_8) : new byte[0];
        return text.length > 0 && text.length <= dataset.type().bytes()
                ? Optional.of(Json.of(Base64.getEncoder().encodeToString(text)))
                : Optional.empty();
    }

    /**
     * Returns the attributes: xarray takes the names of dimensions from one, and the fill value for {@code _FillValue}.
     */
    private static Json.Obj attributes(Dataset dataset, Json fill) {
        Map<String, Json> attributes = new LinkedHashMap<>(dataset.attributes().values());
        if (!(fill instanceof Json.Null)) {
            attributes.remove(FillAttribute.NAME);
        }
        attributes.put("_ARRAY_DIMENSIONS", Json.of(dataset.names()));
        return new Json.Obj(attributes);
    }

    private static String name(long[] cell) {
        if (cell.length == 0) {
            return "0";
        }
        StringBuilder name = new StringBuilder();
        for (long index : cell) {
            name.append(name.isEmpty() ? "" : ".").append(index);
        }
        return name.toString();
    }

    private Json reference(Dataset.Chunk chunk, MaskedCodec codec, long chunkBytes) {
        if (chunk instanceof Dataset.Inline inline) {
            return inline(inline.bytes());
        }
        Dataset.Part part = (Dataset.Part) chunk;
        return part.mask() == 0
                ? new Json.Arr(List.of(Json.of(url), Json.of(part.place()), Json.of(part.size())))
                : inline(encodedAgain(part, codec, chunkBytes));
    }

    private static Json inline(byte[] bytes) {
        return Json.of("base64:" + Base64.getEncoder().encodeToString(bytes));
    }

    /** Returns the chunk encoded again, with all filters. */
    private byte[] encodedAgain(Dataset.Part part, MaskedCodec codec, long chunkBytes) {
        // No codec needs more than twice the bytes, and a small header.
        if (part.size() > 2 * chunkBytes + (64 << 10) || part.size() > file.size() - part.place()) {
            throw Hdf5.corrupt("a chunk: expected about " + chunkBytes + " bytes, found " + part.size());
        }
        try (Scratch scratch = new Scratch()) {
            byte[] stored = new byte[(int) part.size()];
            file.read(part.place(), ByteBuffer.wrap(stored));
            Bytes masked = Bytes.concat(List.of(Bytes.of(MaskedCodec.head(part.mask())), Bytes.of(stored)));
            Bytes plain = codec.decode(masked, DecodedSize.exactly(chunkBytes), scratch);
            return encoded(codec, plain.copy(), scratch);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a chunk encoded with all filters. */
    private static byte[] encoded(MaskedCodec codec, Bytes plain, Scratch scratch) {
        byte[] whole = codec.encode(plain, scratch).toArray();
        return Arrays.copyOfRange(whole, MaskedCodec.HEADER, whole.length);
    }
}
