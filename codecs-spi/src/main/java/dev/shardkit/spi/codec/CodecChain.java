package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * The codecs of an array or of a shard's inner chunks, in the order of encoding: any array-to-array codecs, exactly one
 * array-to-bytes codec, any bytes-to-bytes codecs. Immutable.
 */
public final class CodecChain {
    /** The array-to-array codecs. */
    private final List<ArrayToArrayCodec> stages;

    private final ArrayToBytesCodec arrayToBytes;
    private final List<BytesToBytesCodec> bytesToBytes;

    private CodecChain(
            List<ArrayToArrayCodec> stages, ArrayToBytesCodec arrayToBytes, List<BytesToBytesCodec> bytesToBytes) {
        this.stages = List.copyOf(stages);
        this.arrayToBytes = arrayToBytes;
        this.bytesToBytes = List.copyOf(bytesToBytes);
    }

    /**
     * Creates a chain from codecs in the order of encoding.
     *
     * @throws MetadataException if the kinds or the order of the codecs are invalid
     */
    public static CodecChain of(List<? extends Codec> codecs) {
        List<ArrayToArrayCodec> stages = new ArrayList<>();
        List<ArrayToBytesCodec> arrayToBytes = new ArrayList<>();
        List<BytesToBytesCodec> filters = new ArrayList<>();
        for (Codec c : codecs) {
            boolean isEarly = c instanceof BytesToBytesCodec && arrayToBytes.isEmpty();
            boolean isLate = c instanceof ArrayToArrayCodec && !arrayToBytes.isEmpty();
            boolean isSecond = c instanceof ArrayToBytesCodec && !arrayToBytes.isEmpty();
            if (isEarly || isLate || isSecond) {
                throw new MetadataException(
                        "codecs are array->array, then exactly one array->bytes, then bytes->bytes; codec "
                                + c.name()
                                + (isSecond
                                        ? " is a second array->bytes codec"
                                        : isEarly
                                                ? " comes before the array->bytes codec"
                                                : " comes after the array->bytes codec"));
            }
            if (c instanceof ArrayToArrayCodec a) {
                stages.add(a);
            } else if (c instanceof ArrayToBytesCodec a) {
                arrayToBytes.add(a);
            } else if (c instanceof BytesToBytesCodec b) {
                filters.add(b);
            }
        }
        if (arrayToBytes.isEmpty()) {
            throw new MetadataException("codecs need exactly one array->bytes codec, found none in "
                    + codecs.stream().map(Codec::name).toList());
        }
        return new CodecChain(stages, arrayToBytes.get(0), filters);
    }

    /** Returns the codecs in the order of encoding. */
    public List<Codec> codecs() {
        List<Codec> codecs = new ArrayList<>(stages);
        codecs.add(arrayToBytes);
        codecs.addAll(bytesToBytes);
        return List.copyOf(codecs);
    }

    /** Returns the codecs as metadata states them, in the order of encoding. */
    public List<Json> json() {
        return codecs().stream().<Json>map(Codec::json).toList();
    }

    /** Returns the array-to-array codecs. */
    public List<ArrayToArrayCodec> arrayToArray() {
        return stages;
    }

    /** Returns the array-to-bytes codec. */
    public ArrayToBytesCodec arrayToBytes() {
        return arrayToBytes;
    }

    /** Returns the bytes-to-bytes codecs. */
    public List<BytesToBytesCodec> bytesToBytes() {
        return bytesToBytes;
    }

    /**
     * Returns this chain in a form for chunks of {@code type} that can be compared with another chain's. The result
     * encodes the same bytes. It states settings that codecs otherwise take from the type, and leaves out options that
     * make no difference for the type ({@link ArrayToBytesCodec#forType}, {@link BytesToBytesCodec#bind}).
     *
     * @throws MetadataException if a configuration does not fit the type
     */
    public CodecChain forType(ChunkType type) {
        ChunkType chunkType = type;
        for (ArrayToArrayCodec a : stages) {
            chunkType = a.bind(chunkType).encoded();
        }
        ChunkType encoded = chunkType;
        return new CodecChain(
                stages,
                arrayToBytes.forType(encoded),
                bytesToBytes.stream().map(b -> b.bind(encoded)).toList());
    }

    /**
     * Binds all codecs to the type of the decoded chunk.
     *
     * @throws MetadataException if a configuration does not fit the type, or a chunk exceeds {@code limits}
     */
    public ChunkCodec bind(ChunkType type, Limits limits) {
        List<BoundArrayToArrayCodec> bound = new ArrayList<>();
        ChunkType chunkType = type;
        for (ArrayToArrayCodec a : stages) {
            BoundArrayToArrayCodec stage = a.bind(chunkType);
            bound.add(stage);
            chunkType = stage.encoded();
        }
        ChunkCodec inner = arrayToBytes.bind(chunkType, limits);
        ChunkType encoded = chunkType;
        List<BytesToBytesCodec> filters =
                bytesToBytes.stream().map(b -> b.bind(encoded)).toList();
        if (bound.isEmpty() && filters.isEmpty()) {
            return inner;
        }
        return new BoundChain(type, bound, inner, filters, limits);
    }
}
