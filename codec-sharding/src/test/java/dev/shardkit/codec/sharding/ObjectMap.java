package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stored objects in a map: answers requests, counts them, carries out edits. */
final class ObjectMap {
    final Map<String, byte[]> map = new HashMap<>();
    int requests;
    long bytes;

    ReadResult answer(String key, ByteRange range) {
        requests++;
        byte[] object = map.get(key);
        if (object == null) {
            return new ReadResult.Absent();
        }
        if (range instanceof ByteRange.Slice s && s.end() > object.length) {
            throw new CorruptDataException("416: " + s + " of " + object.length);
        }
        Bytes found = Bytes.of(object).slice(range);
        bytes += found.size();
        return new ReadResult.Found(found, object.length);
    }

    void apply(String key, Edit edit) {
        if (edit instanceof Edit.Delete) {
            map.remove(key);
        } else if (edit instanceof Edit.Replace replace) {
            Bytes old = map.containsKey(key) ? Bytes.of(map.get(key)) : Bytes.EMPTY;
            map.put(
                    key,
                    Bytes.concat(replace.pieces().stream()
                                    .map(p -> bytes(p, old))
                                    .toList())
                            .toArray());
        } else if (edit instanceof Edit.Patch patch) {
            map.put(key, patched(map.get(key), patch));
        }
    }

    private static byte[] patched(byte[] old, Edit.Patch patch) {
        List<Bytes> content = new ArrayList<>(List.of(Bytes.of(old).slice(0, patch.oldSize())));
        patch.appended().forEach(p -> content.add(bytes(p, Bytes.of(old))));
        byte[] object = Bytes.concat(content).toArray();
        for (Edit.Write write : patch.overwritten()) {
            System.arraycopy(
                    write.bytes().toArray(),
                    0,
                    object,
                    Math.toIntExact(write.offset()),
                    Math.toIntExact(write.bytes().size()));
        }
        return object;
    }

    private static Bytes bytes(Piece piece, Bytes old) {
        if (piece instanceof Piece.Copied m) {
            return old.slice(m.offset(), m.size());
        }
        return piece instanceof Piece.Literal l ? l.bytes() : Bytes.of(new byte[Math.toIntExact(piece.size())]);
    }

    <T> T run(Plan<T> plan) {
        return Driver.plain().run(plan, this);
    }

    Model read(ChunkCodec codec, String key, Box part, Driver driver) {
        Model.Output out = Model.output(part.shape());
        driver.run(codec.decodeInto(Source.stored(key), part, out.target()), this);
        return out.model();
    }

    Model read(ChunkCodec codec, String key, Box part) {
        return read(codec, key, part, Driver.plain());
    }

    Edit write(ChunkCodec codec, String key, Box part, Model values, ShardWritePolicy policy, Driver driver) {
        Edit edit = driver.run(codec.update(Source.stored(key), part, values.feed(), policy), this);
        apply(key, edit);
        return edit;
    }

    Edit write(ChunkCodec codec, String key, Box part, Model values, ShardWritePolicy policy) {
        return write(codec, key, part, values, policy, Driver.plain());
    }
}
