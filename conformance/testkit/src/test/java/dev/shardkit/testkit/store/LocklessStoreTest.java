package dev.shardkit.testkit.store;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;

/** A store without locks that says so passes the contracts of those that can write. */
class LocklessStoreTest {
    @Nested
    class Contract extends WritesContract {
        @Override
        protected Store freshStore() {
            return new Lockless();
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        @Override
        protected Store freshStore() {
            return new Lockless();
        }
    }

    /** Objects in memory, without locks, conditions or patches. */
    private static final class Lockless implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions {
        private final ConcurrentSkipListMap<String, Value> objects = new ConcurrentSkipListMap<>();
        private final AtomicLong versions = new AtomicLong();

        @Override
        public String describe() {
            return "lockless";
        }

        @Override
        public Reads reads() {
            return this;
        }

        private static String checked(String key) {
            boolean text = StandardCharsets.UTF_8.newEncoder().canEncode(key) && key.indexOf(0) < 0;
            for (String name : List.of(key.split("/", -1))) {
                if (!text || name.matches("\\.*") || name.startsWith("__shardkit")) {
                    throw new IllegalArgumentException("not a key: " + key);
                }
            }
            return key;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) {
            return Optional.ofNullable(objects.get(checked(key)));
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            checked(key);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            content.writeTo(Channels.newChannel(out));
            if (out.size() != content.size()) {
                throw new StoreException("expected " + content.size() + " bytes, found " + out.size());
            }
            objects.put(key, new Value(Bytes.of(out.toByteArray()), Long.toString(versions.incrementAndGet())));
            return WriteResult.DONE;
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) {
            return objects.remove(checked(key)) == null ? WriteResult.NOTHING : WriteResult.DONE;
        }

        @Override
        public void deleteAll(String prefix) {
            String start = prefix.isEmpty() ? "" : checked(prefix) + "/";
            objects.keySet().removeIf(key -> key.startsWith(start));
        }

        @Override
        public void list(String prefix, Consumer<Entry> entries) {
            String start = prefix.isEmpty() ? "" : checked(prefix) + "/";
            Map<String, Entry.Kind> children = new TreeMap<>();
            objects.keySet().stream().filter(key -> key.startsWith(start)).forEach(key -> {
                int slash = key.indexOf('/', start.length());
                String name = slash < 0 ? key.substring(start.length()) : key.substring(start.length(), slash);
                children.put(name, slash < 0 ? Entry.Kind.OBJECT : Entry.Kind.PREFIX);
            });
            children.forEach((name, kind) -> {
                if (!OwnNames.isOwn(name)) {
                    entries.accept(new Entry(name, kind));
                }
            });
        }
    }

    /** One value of one object. */
    private record Value(Bytes bytes, String version) implements ObjectSnapshot {
        @Override
        public long size() {
            return bytes.size();
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
            if (offset < 0 || offset > size() - into.remaining()) {
                throw new EOFException(
                        "expected " + into.remaining() + " bytes from offset " + offset + ", found " + size());
            }
            bytes.slice(offset, into.remaining()).pieces().forEach(into::put);
        }

        @Override
        public void close() {
            return; // nothing is held
        }
    }
}
