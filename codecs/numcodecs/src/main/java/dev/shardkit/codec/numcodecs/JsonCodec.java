package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The codec {@code numcodecs.json2}: stores a chunk of Python objects as one JSON list, which ends with NumPy's type
 * and the chunk's shape. In shardkit the data type is {@code string}, and each element is the JSON text of an object.
 * Empty text, the fill value, is written as {@code null}. Immutable and thread-safe.
 *
 * @param configuration the configuration as it was read; it has no influence on decoding
 */
record JsonCodec(Json.Obj configuration) implements ArrayToBytesCodec {
    static final String NAME = "numcodecs.json2";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        if (type.dataType().carrier() != Carrier.STRING) {
            throw new MetadataException("codec " + NAME + ": expected data type string, found "
                    + type.dataType().name());
        }
        limits.checkChunk(type);
        return new Bound(type, limits.chunkBytes());
    }

    /** The codec bound to a chunk type. */
    private record Bound(ChunkType type, long maxEncodedSize) implements ChunkCodec {
        @Override
        public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
            Elements.Variable elements = new Elements.Variable(new byte[Math.toIntExact(type.count())][]);
            chunk.get(type.box(), elements, 0, Shapes.strides(type.shape()));
            if (policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP
                    && DenseChunk.of(type, elements).isFill()) {
                return Optional.empty();
            }
            List<String> items = new ArrayList<>();
            for (byte[] value : elements.values()) {
                items.add(item(new String(value, StandardCharsets.UTF_8)));
            }
            String shape =
                    LongStream.of(type.shape()).mapToObj(Long::toString).collect(Collectors.joining(",", "[", "]"));
            String nested = nested(items, 0);
            // append the type and the shape to the outermost list; |O is NumPy's type of objects
            String text =
                    (items.isEmpty() ? "[" : nested.substring(0, nested.length() - 1) + ",") + "\"|O\"," + shape + "]";
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (bytes.length > maxEncodedSize) {
                throw new UnencodableException("codec " + NAME + ": a chunk of " + bytes.length
                        + " bytes; the limit chunkBytes is " + maxEncodedSize);
            }
            return Optional.of(Bytes.of(bytes));
        }

        /** Returns an element as an item of the list. */
        private static String item(String text) {
            if (text.isEmpty()) {
                return "null";
            }
            if (!isValue(text)) {
                throw new UnencodableException("codec " + NAME + ": expected one JSON value, found " + text);
            }
            return text;
        }

        /** Returns whether a text is exactly one JSON value. */
        private static boolean isValue(String text) {
            try {
                return new JsonItems("[" + text + "]").readAll().size() == 1;
            } catch (CorruptDataException e) {
                return false;
            }
        }

        /** Returns the items as nested lists, one level for each dimension from {@code d} on. */
        private String nested(List<String> items, int d) {
            if (d >= type.rank()) {
                return type.rank() == 0 ? "[" + items.get(0) + "]" : items.get(0);
            }
            int parts = Math.toIntExact(type.shape()[d]);
            List<String> lists = new ArrayList<>();
            for (int i = 0; i < parts; i++) {
                int size = items.size() / parts;
                lists.add(nested(items.subList(i * size, (i + 1) * size), d + 1));
            }
            return "[" + String.join(",", lists) + "]";
        }

        @Override
        public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
            if (encoded.size() > maxEncodedSize) {
                throw new CorruptDataException(NAME + ": expected at most " + maxEncodedSize
                        + " bytes (limit chunkBytes), found " + encoded.size());
            }
            List<String> listItems = new JsonItems(text(encoded)).readAll();
            if (listItems.size() < 2) {
                throw new CorruptDataException(NAME + ": expected a list that ends with a type and a shape, found "
                        + listItems.size() + " items");
            }
            List<String> shape = new JsonItems(listItems.get(listItems.size() - 1)).readAll();
            // numcodecs writes an array without dimensions as a list of one item
            if (shape.size() > Math.max(1, type.rank())) {
                throw new CorruptDataException(
                        NAME + ": expected a shape of at most " + type.rank() + " dimensions, found " + shape.size());
            }
            List<String> items = listItems.subList(0, listItems.size() - 2);
            for (int d = 1; d < shape.size(); d++) {
                items = flat(items, shape.get(d));
            }
            if (items.size() != type.count()) {
                throw new CorruptDataException(
                        NAME + ": expected " + type.count() + " elements, found " + items.size());
            }
            Elements elements = new Elements.Variable(items.stream()
                    .map(item -> item.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new));
            out.put(elements, part.firstIn(type.shape()), Shapes.strides(type.shape()), Box.of(part.shape()));
        }

        /** Returns the items of lists, each of which has {@code length} items. */
        private static List<String> flat(List<String> lists, String length) {
            List<String> items = new ArrayList<>();
            for (String list : lists) {
                List<String> inner = new JsonItems(list).readAll();
                if (!length.equals(Integer.toString(inner.size()))) {
                    throw new CorruptDataException(
                            NAME + ": expected a list of " + length + " items, found a list of " + inner.size());
                }
                items.addAll(inner);
            }
            return items;
        }

        private static String text(Bytes encoded) {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(encoded.toArray()))
                        .toString();
            } catch (CharacterCodingException e) {
                throw new CorruptDataException(NAME + ": expected UTF-8, found other bytes", e);
            }
        }
    }
}
