package dev.shardkit.hdf5;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
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
    private static final long MOST_INLINE = 16L << 20;
    /** The same for all datasets: documents of up to 256 MiB are opened, and base64 takes a third more. */
    private static final long MOST_INLINE_OF_ALL = 128L << 20;

    private final Snapshot file;
    private final String url;
    private final Map<String, Json> references = new LinkedHashMap<>();
    private final List<String> leftOut = new ArrayList<>();
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
        return new Hdf5References(new Json.Obj(references), leftOut);
    }

    private void put(String path, String name, Json.Obj document) {
        references.put(StoreKeys.join(path, name), Json.of(document.toString()));
    }

    @Override
    public void group(String path, Map<String, Json> attributes) {
        put(path, ".zgroup", Json.object().with("zarr_format", Json.of(2)));
        put(path, ".zattrs", new Json.Obj(attributes));
    }

    @Override
    public void refused(String path, long[] shape, ZarrException reason) {
        leaveOut(path, reason.fact());
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
        long most = Math.min(MOST_INLINE, MOST_INLINE_OF_ALL - inlined) / Math.max(1, dataset.chunkBytes());
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
        // The chunks first: if one is damaged, the array is left out. Without its chunks it would read as fill values.
        Map<String, Json> chunks = chunks(path, dataset, masked > 0);
        inlined += masked * dataset.chunkBytes();
        put(path, ".zarray", document(dataset, codecs));
        put(path, ".zattrs", new Json.Obj(attributes(dataset)));
        references.putAll(chunks);
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

    private static Json.Obj document(Dataset dataset, List<Json> codecs) {
        return Json.object()
                .with("zarr_format", Json.of(2))
                .with("shape", Json.of(dataset.shape()))
                .with("chunks", Json.of(dataset.chunkShape()))
                .with("dtype", dataset.type().numpy())
                .with("fill_value", fill(dataset))
                .with("order", Json.of("C"))
                .with("filters", codecs.isEmpty() ? new Json.Null() : new Json.Arr(codecs))
                .with("compressor", new Json.Null())
                .with("dimension_separator", Json.of("."));
    }

    /** Zarr v2 has base64 for types without numbers, and numbers instead of their bits. */
    private static Json fill(Dataset dataset) {
        String numpy = dataset.type().numpy() instanceof Json.Str text ? text.value() : "";
        return switch (numpy.isEmpty() ? 'V' : numpy.charAt(1)) {
            case 'V', 'S' -> Json.of(Base64.getEncoder().encodeToString(dataset.fillBytes()));
            case 'f' -> AttributeValues.number(dataset.fill());
            case 'c' -> {
                Json.Arr parts = (Json.Arr) dataset.fill();
                yield new Json.Arr(
                        parts.items().stream().map(AttributeValues::number).toList());
            }
            default -> dataset.fill();
        };
    }

    /** Names of dimensions are those of xarray; {@code _FillValue} is the array's fill value. */
    private static Map<String, Json> attributes(Dataset dataset) {
        Map<String, Json> attributes = new LinkedHashMap<>(dataset.attributes());
        attributes.remove(AttributeValues.FILL);
        if (!dataset.dimensions().isEmpty() && dataset.dimensions().stream().allMatch(Optional::isPresent)) {
            List<String> names =
                    dataset.dimensions().stream().map(Optional::orElseThrow).toList();
            attributes.put("_ARRAY_DIMENSIONS", Json.of(names));
        }
        return attributes;
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
            byte[] whole = codec.encode(plain.copy(), scratch).toArray();
            return Arrays.copyOfRange(whole, MaskedCodec.HEADER, whole.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
