package dev.shardkit.testkit.store;

import static dev.shardkit.testkit.Waits.until;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.ContractRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test of the suites of writes, their concurrency and their conditions fails for a store with a flaw. */
@Tag("one-jdk")
class WritesSuitesFailTest {
    /** A store whose opening of objects has a flaw. */
    private abstract static class Opening extends SmallStore {
        abstract Optional<ObjectSnapshot> opened(String key) throws IOException;

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            checked(key);
            return opened(key);
        }
    }

    private static Map<String, Supplier<? extends Store>> flawsOfReading() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("open_absentKey_isEmptyAndCreatesNothing", () -> new Opening() {
            @Override
            Optional<ObjectSnapshot> opened(String key) {
                return Optional.of(objects.computeIfAbsent(key, k -> value(new byte[0])));
            }
        });
        flaws.put("open_prefixOfKeys_isEmpty", () -> new Opening() {
            @Override
            Optional<ObjectSnapshot> opened(String key) {
                return Optional.ofNullable(objects.ceilingEntry(key)).map(Map.Entry::getValue);
            }
        });
        flaws.put("open_keyBelowAnObject_isEmpty", () -> new Opening() {
            @Override
            Optional<ObjectSnapshot> opened(String key) {
                return Optional.ofNullable(objects.floorEntry(key)).map(Map.Entry::getValue);
            }
        });
        flaws.put("read_anyRange_fillsTheBufferAndNoMore", () -> new SmallStore() {
            @Override
            void read(Value value, long offset, ByteBuffer into) throws IOException {
                super.read(value, offset, into);
                into.put(0, (byte) 1);
            }
        });
        flaws.put("read_pastTheEnd_isAnIOException", () -> new SmallStore() {
            @Override
            void read(Value value, long offset, ByteBuffer into) throws IOException {
                if (offset + into.remaining() <= value.bytes.length) {
                    super.read(value, offset, into);
                } else {
                    into.position(into.limit());
                }
            }
        });
        flaws.put("transferTo_anyRange_writesIt", () -> new SmallStore() {
            @Override
            void read(Value value, long offset, ByteBuffer into) throws IOException {
                super.read(value, offset == 17 ? 16 : offset, into);
            }
        });
        flaws.put("snapshot_ofAReplacedOrDeletedObject_staysAsItWas", () -> new SmallStore() {
            @Override
            void read(Value value, long offset, ByteBuffer into) throws IOException {
                super.read(objects.getOrDefault("k", value), offset, into);
            }
        });
        flaws.put("version_ofAnUnchangedObject_staysTheSame", () -> new Opening() {
            @Override
            Optional<ObjectSnapshot> opened(String key) {
                return Optional.ofNullable(objects.get(key)).map(v -> value(v.bytes));
            }
        });
        return flaws;
    }

    /** A store whose puts have a flaw. */
    private abstract static class Putting extends SmallStore {
        abstract void put(String key, byte[] bytes, long claimed);

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            checked(key);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try {
                content.writeTo(Channels.newChannel(out));
            } catch (RuntimeException e) {
                failed(key, out.toByteArray());
                throw e;
            }
            put(key, out.toByteArray(), content.size());
            return WriteResult.DONE;
        }

        void failed(String key, byte[] written) {
            return; // nothing is stored
        }
    }

    @Test
    void writes() {
        Map<String, Supplier<? extends Store>> flaws = flawsOfReading();
        flaws.put("put_anySize_readsBack", () -> new Putting() {
            @Override
            void put(String key, byte[] bytes, long claimed) {
                objects.put(key, value(Arrays.copyOf(bytes, Math.min(bytes.length, 1 << 20))));
            }
        });
        flaws.put("put_overAnObject_replacesIt", () -> new Putting() {
            @Override
            void put(String key, byte[] bytes, long claimed) {
                objects.putIfAbsent(key, value(bytes));
            }
        });
        flaws.put("put_contentOfAnotherSizeThanItSays_failsAndChangesNothing", () -> new Putting() {
            @Override
            void put(String key, byte[] bytes, long claimed) {
                objects.put(key, value(bytes));
                if (bytes.length != claimed) {
                    throw new StoreException("too late");
                }
            }
        });
        flaws.put("put_contentThatFails_changesNothing", () -> new Putting() {
            @Override
            void put(String key, byte[] bytes, long claimed) {
                objects.put(key, value(bytes));
            }

            @Override
            void failed(String key, byte[] written) {
                objects.put(key, value(written));
            }
        });
        flaws.put("version_ofEveryPut_isAnother", () -> new Putting() {
            @Override
            void put(String key, byte[] bytes, long claimed) {
                objects.put(key, new Value(this, bytes, "1"));
            }
        });
        flaws.put("delete_key_removesItAndSaysWhetherItWasThere", () -> new SmallStore() {
            @Override
            public synchronized WriteResult deleteNow(String key, Condition condition) {
                super.deleteNow(key, condition);
                return WriteResult.DONE;
            }
        });
        flaws.put("keys_unusual_work", () -> new SmallStore() {
            @Override
            String checked(String key) {
                return super.checked(key.replace('%', '/'));
            }
        });
        flaws.put("keys_illegal_areTheCallersMistake", CarelessStore::new);
        ContractRun.<Store>assertEachCanFail(
                store -> new WritesContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                SmallStore::new,
                flaws);
    }

    /** The second put is seen half made by a reader. */
    private static final class Torn extends SmallStore {
        private final AtomicInteger puts = new AtomicInteger();
        private final AtomicInteger opened = new AtomicInteger();

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            Optional<ObjectSnapshot> found = super.open(key);
            opened.incrementAndGet();
            return found;
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            if (puts.incrementAndGet() == 2) {
                byte[] half = objects.get(key).bytes.clone();
                Arrays.fill(half, 0, half.length / 2, (byte) 77);
                objects.put(key, value(half));
                int before = opened.get();
                until(() -> opened.get() > before + 1);
            }
            return super.putNow(key, content, condition, durability);
        }
    }

    @Test
    void concurrency() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("put_besideReaders_isSeenWholeOrNotAtAll", Torn::new);
        flaws.put("put_ofManyKeysAtOnce_losesNone", () -> new SmallStore() {
            private final AtomicInteger puts = new AtomicInteger();

            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                return puts.incrementAndGet() == 50
                        ? WriteResult.DONE
                        : super.putNow(key, content, condition, durability);
            }
        });
        flaws.put("read_interruptedReader_harmsNoOther", () -> new SmallStore() {
            private volatile boolean broken;

            @Override
            void read(Value value, long offset, ByteBuffer into) throws IOException {
                broken |= Thread.currentThread().isInterrupted();
                if (broken) {
                    throw new StoreException("closed by an interrupt");
                }
                super.read(value, offset, into);
            }
        });
        ContractRun.<Store>assertEachCanFail(
                store -> new StoreConcurrencyContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                SmallStore::new,
                flaws);
    }

    /** Takes any condition for none. The first reader waits for the second, so both see the same. */
    private static final class Unconditional extends SmallStore {
        private final AtomicInteger opened = new AtomicInteger();

        @Override
        boolean holds(Condition condition, Value now) {
            return true;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            Optional<ObjectSnapshot> found = super.open(key);
            opened.incrementAndGet();
            if (key.equals("n")) {
                until(() -> opened.get() > 1);
            }
            return found;
        }
    }

    @Test
    void conditions() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("honours_namesThem", () -> new SmallStore() {
            @Override
            public Set<Condition.Kind> honours() {
                return Set.of(Condition.Kind.ANY);
            }
        });
        flaws.put("putIf_nothingThere_creates_onlyOnce", Unconditional::new);
        flaws.put("putIf_version_isTakenOnce", () -> new SmallStore() {
            @Override
            Value value(byte[] bytes) {
                return new Value(this, bytes, Integer.toString(Arrays.hashCode(bytes)));
            }
        });
        flaws.put("putIf_contentThatFails_changesNothing", () -> new SmallStore() {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                try {
                    return super.putNow(key, content, condition, durability);
                } catch (RuntimeException e) {
                    objects.remove(key);
                    throw e;
                }
            }
        });
        flaws.put("deleteIf_version_removesThatOneOnly", () -> new SmallStore() {
            @Override
            public synchronized WriteResult deleteNow(String key, Condition condition) {
                return super.deleteNow(key, Condition.ANY);
            }
        });
        flaws.put("keys_illegal_areTheCallersMistake", CarelessStore::new);
        flaws.put("putIf_byManyThreads_losesNothing", Unconditional::new);
        ContractRun.<Store>assertEachCanFail(
                store -> new ConditionsContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                SmallStore::new,
                flaws);
    }
}
