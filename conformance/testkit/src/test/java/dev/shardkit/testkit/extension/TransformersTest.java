package dev.shardkit.testkit.extension;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A toy transformer under the contract: key i is a byte of length and that many bytes in one object of four keys. */
class TransformersTest extends StorageTransformerContract {
    private static final int PLACES = 4;

    @Override
    protected StorageTransformer transformer() {
        return new Packed();
    }

    @Override
    protected StorageTransformerFactory factory() {
        return new PackedFactory();
    }

    @Override
    protected List<String> keys() {
        return IntStream.range(0, 3 * PLACES).mapToObj(Integer::toString).toList();
    }

    private static final class PackedFactory implements StorageTransformerFactory {
        @Override
        public String name() {
            return "packed";
        }

        @Override
        public StorageTransformer create(Config config) {
            return new Packed();
        }
    }

    private record Packed() implements StorageTransformer {
        @Override
        public String name() {
            return "packed";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public Keyspace over(Keyspace below) {
            return new Keys(below);
        }
    }

    private record Keys(Keyspace below) implements Keyspace {
        private static int place(String key) {
            return Integer.parseInt(key) % PLACES;
        }

        @Override
        public String storedKey(String key) {
            return below.storedKey(outer(key));
        }

        private static String outer(String key) {
            return "pack" + Integer.parseInt(key) / PLACES;
        }

        /** The values of all places; no bytes where there is none (values have some). */
        private static Plan<List<Bytes>> values(Source source) {
            return source.read(ByteRange.whole(), (answer, scratch) -> {
                List<Bytes> values = new ArrayList<>();
                Bytes rest = answer instanceof ReadResult.Found f ? f.bytes().copy() : Bytes.of(new byte[PLACES]);
                while (rest.size() > 0) {
                    int n = rest.buffer().get(0);
                    values.add(rest.slice(1, n));
                    rest = rest.slice(1 + n, rest.size() - 1 - n);
                }
                return values;
            });
        }

        private static Source source(Bytes value, String key) {
            return value.size() == 0 ? Source.absent(DataLocation.of(key)) : Source.of(value, DataLocation.of(key));
        }

        @Override
        public Plan<Source> open(String key) {
            return below.open(outer(key)).then(Keys::values).map(values -> source(values.get(place(key)), key));
        }

        @Override
        public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
            return below.edit(
                    outer(key), old -> values(old).then(values -> change.apply(source(values.get(place(key)), key))
                            .map(edit -> packed(values, place(key), edit))));
        }

        private static Edit packed(List<Bytes> values, int place, Edit edit) {
            if (edit instanceof Edit.Keep) {
                return edit;
            }
            List<Bytes> after = new ArrayList<>(values);
            after.set(
                    place,
                    edit instanceof Edit.Replace r ? ((Piece.Literal) r.pieces().get(0)).bytes() : Bytes.EMPTY);
            if (after.stream().allMatch(b -> b.size() == 0)) {
                return new Edit.Delete();
            }
            List<Bytes> parts = new ArrayList<>();
            for (Bytes value : after) {
                parts.add(Bytes.of(new byte[] {(byte) value.size()}));
                parts.add(value);
            }
            return Edit.replace(Bytes.concat(parts));
        }
    }
}
