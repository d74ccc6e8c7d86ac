package dev.shardkit.codec;

import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.type.ExtensionTypes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;

/** Chunks of numbers, as numbers. */
public final class Numbered {
    private Numbered() {}

    /** Chunk types of many number types and shapes, all with a fill value that any of them has. */
    public static List<ChunkType> types() {
        return List.of(
                type(CoreTypes.INT32, "3", 4, 6, 3),
                type(CoreTypes.FLOAT64, "2", 5, 8),
                type(CoreTypes.UINT8, "5", 64),
                type(ExtensionTypes.INT4, "1", 3, 3),
                type(ExtensionTypes.UINT2, "3", 7),
                type(ExtensionTypes.BFLOAT16, "1.5", 2, 3, 4, 2),
                type(CoreTypes.UINT64, "6", 9),
                type(CoreTypes.FLOAT32, "4"),
                type(CoreTypes.FLOAT16, "0", 200, 100),
                type(ExtensionTypes.FLOAT8_E4M3, "1", 5, 5));
    }

    /** A chunk type with a fill value in its JSON form. */
    public static ChunkType type(DataType type, String fill, long... shape) {
        return ChunkType.of(type, type.parseFill(new Json.Num(fill)), shape);
    }

    /** A chunk of integers from 0 to {@code most}. */
    public static DenseChunk small(ChunkType type, int most) {
        Random random = new Random(type.hashCode());
        double[] values =
                random.ints(type.count(), 0, most + 1).asDoubleStream().toArray();
        return chunk(type, values);
    }

    /** A chunk of these numbers, which must be of its type. */
    public static DenseChunk chunk(ChunkType type, double... values) {
        DenseChunk chunk = DenseChunk.filled(type);
        NumberFormat format = type.dataType().number().orElseThrow();
        for (int i = 0; i < values.length; i++) {
            long bits = format instanceof FloatingFormat f ? f.bitsOf(values[i]) : (long) values[i];
            StoredNumbers.setWord(bytes(chunk), type.dataType().carrier().wordSize(), i, bits);
        }
        return chunk;
    }

    private static ByteBuffer bytes(DenseChunk chunk) {
        return ((Elements.Fixed) chunk.elements()).bytes();
    }

    /** The numbers of a chunk; integers of 64 bits are rounded. */
    public static double[] values(DenseChunk chunk, ChunkType type) {
        double[] values = new double[(int) type.count()];
        NumberFormat format = type.dataType().number().orElseThrow();
        for (int i = 0; i < values.length; i++) {
            long word =
                    StoredNumbers.word(bytes(chunk), type.dataType().carrier().wordSize(), i);
            values[i] = format instanceof FloatingFormat f ? f.value(word) : ((IntegerFormat) format).value(word);
        }
        return values;
    }

    /** A codec of a configuration in JSON members: name, value, name, value ... */
    public static ArrayToArrayCodec codec(String name, Object... members) {
        return (ArrayToArrayCodec) make(name, members);
    }

    /** A codec of any kind. */
    public static Codec make(String name, Object... members) {
        return Codecs.make(name, object(members));
    }

    /** An object of members: name, value, name, value ... */
    public static Json.Obj object(Object... members) {
        Json.Obj object = Json.object();
        for (int i = 0; i < members.length; i += 2) {
            object = object.with((String) members[i], json(members[i + 1]));
        }
        return object;
    }

    /** Lists, texts, numbers and JSON as JSON; a text that begins with a digit or a sign is a number. */
    public static Json json(Object value) {
        if (value instanceof Json j) {
            return j;
        } else if (value instanceof List<?> list) {
            return new Json.Arr(list.stream().map(Numbered::json).toList());
        } else if (value instanceof Number n) {
            return new Json.Num(n.toString());
        }
        return Json.of((String) value);
    }

    /** What these numbers are stored as. */
    public static double[] encode(ArrayToArrayCodec codec, ChunkType type, double... values) {
        BoundArrayToArrayCodec stage = codec.bind(type.withShape(new long[] {values.length}));
        return values(stage.encode(chunk(type.withShape(new long[] {values.length}), values)), stage.encoded());
    }

    /** What these stored numbers are. */
    public static double[] decode(ArrayToArrayCodec codec, ChunkType type, double... values) {
        ChunkType decoded = type.withShape(new long[] {values.length});
        BoundArrayToArrayCodec stage = codec.bind(decoded);
        return values(stage.decode(chunk(stage.encoded(), values)), decoded);
    }
}
