package dev.shardkit.testkit.store;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Ability;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.Writes;
import dev.shardkit.testkit.ContractRun;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test of the suites of local and remote reads fails for a store with a flaw. */
@Tag("one-jdk")
class ReadsSuitesFailTest {
    @Test
    void localReads() {
        Map<String, Supplier<? extends SmallStore>> flaws = new HashMap<>();
        flaws.put("open_objects_haveTheirBytes", () -> new SmallStore() {
            @Override
            void read(Value value, long offset, ByteBuffer into) {
                into.position(into.limit());
            }
        });
        flaws.put("open_whatIsNoObject_isEmpty", () -> new SmallStore() {
            @Override
            public Optional<ObjectSnapshot> open(String key) {
                return Optional.ofNullable(objects.ceilingEntry(checked(key))).map(Map.Entry::getValue);
            }
        });
        flaws.put("read_anyRange_fillsTheBufferAndNoMore", () -> new SmallStore() {
            @Override
            void read(Value value, long offset, ByteBuffer into) throws IOException {
                super.read(value, offset, into);
                into.limit(into.capacity()).put(into.position(), (byte) 1);
            }
        });
        flaws.put("transferTo_range_copiesIt", () -> new SmallStore() {
            @Override
            void read(Value value, long offset, ByteBuffer into) throws IOException {
                super.read(value, offset == 1000 ? 999 : offset, into);
            }
        });
        flaws.put("version_otherContent_differs", () -> new SmallStore() {
            @Override
            Value value(byte[] bytes) {
                return new Value(this, bytes, "size " + bytes.length);
            }
        });
        flaws.put("list_prefix_namesWhatLiesBelow", () -> new SmallStore() {
            @Override
            boolean isListed(String name) {
                return true;
            }
        });
        flaws.put("put_withoutWrites_saysThatItCannot", () -> new SmallStore() {
            @Override
            public <A extends Ability> Optional<A> find(Class<A> ability) {
                return ability == Writes.class ? Optional.empty() : super.find(ability);
            }

            @Override
            public <A extends Ability> A need(Class<A> ability, String purpose) {
                return ability.cast(this);
            }
        });
        ContractRun.<SmallStore>assertEachCanFail(
                store -> new LocalReadsContract() {
                    @Override
                    protected Store storeOf(Map<String, byte[]> objects) {
                        SmallStore made = store.get();
                        made.versions.set(objects.hashCode()); // versions differ from store to store
                        objects.forEach((key, bytes) -> made.objects.put(key, made.value(bytes)));
                        return made;
                    }
                },
                SmallStore::new,
                flaws);
    }

    /** A remote store in memory; subclasses do one thing wrong each. */
    private static class SmallRemote implements Store, RemoteReads {
        final Map<String, SmallStore.Value> objects = new HashMap<>();
        final SmallStore local = new SmallStore();

        @Override
        public String describe() {
            return "small remote:";
        }

        @Override
        public Reads reads() {
            return this;
        }

        String checked(String key) {
            return local.checked(key);
        }

        @Override
        public CompletableFuture<FetchResult> fetch(FetchRequest request) {
            checked(request.key());
            try {
                return CompletableFuture.completedFuture(found(request.key(), request.range(), request.pin()));
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        FetchResult found(String key, ByteRange range, Optional<String> pin) {
            SmallStore.Value value = objects.get(key);
            if (value == null) {
                return absent();
            } else if (pin.isPresent() && !pin.get().equals(value.version)) {
                return changed(key, range);
            }
            try {
                return answer(value, range);
            } catch (IndexOutOfBoundsException e) {
                return pastTheEnd(value);
            }
        }

        FetchResult absent() {
            return new FetchResult.Absent();
        }

        FetchResult changed(String key, ByteRange range) {
            throw new ObjectChangedException("another version of " + key);
        }

        FetchResult pastTheEnd(SmallStore.Value value) {
            throw new CorruptDataException("a range past the end");
        }

        FetchResult answer(SmallStore.Value value, ByteRange range) {
            Bytes part = Bytes.of(value.bytes).slice(range);
            return new FetchResult.Found(part, value.bytes.length, Optional.of(value.version));
        }
    }

    private static Map<String, Supplier<? extends SmallRemote>> flawsOfRanges() {
        Map<String, Supplier<? extends SmallRemote>> flaws = new HashMap<>();
        flaws.put("fetch_anyRange_isExactlyThatRange", () -> new SmallRemote() {
            @Override
            FetchResult answer(SmallStore.Value value, ByteRange range) {
                return super.answer(value, range instanceof ByteRange.Suffix ? ByteRange.whole() : range);
            }
        });
        flaws.put("fetch_arrivals_areBeginningsOfTheRange", () -> new SmallRemote() {
            @Override
            public CompletableFuture<FetchResult> fetch(FetchRequest request) {
                request.progress().received((FetchResult.Found) found(request.key(), ByteRange.whole(), request.pin()));
                return super.fetch(request);
            }
        });
        flaws.put("fetch_emptyRange_isEmptyAndTellsTheSize", () -> new SmallRemote() {
            @Override
            FetchResult answer(SmallStore.Value value, ByteRange range) {
                FetchResult.Found found = (FetchResult.Found) super.answer(value, range);
                return found.bytes().size() > 0 ? found : new FetchResult.Found(Bytes.EMPTY, 0, found.version());
            }
        });
        flaws.put("fetch_emptyObject_isFound", () -> new SmallRemote() {
            @Override
            FetchResult answer(SmallStore.Value value, ByteRange range) {
                return value.bytes.length == 0 ? new FetchResult.Absent() : super.answer(value, range);
            }
        });
        flaws.put("fetch_absentKey_isAbsent", () -> new SmallRemote() {
            @Override
            FetchResult absent() {
                throw new StoreException("not found");
            }
        });
        flaws.put("fetch_rangePastTheEnd_isCorruptData", () -> new SmallRemote() {
            @Override
            FetchResult pastTheEnd(SmallStore.Value value) {
                return answer(value, ByteRange.whole());
            }
        });
        return flaws;
    }

    private static Map<String, Supplier<? extends SmallRemote>> flaws() {
        Map<String, Supplier<? extends SmallRemote>> flaws = flawsOfRanges();
        flaws.put("fetch_unusualKeys_findTheirObjects", () -> new SmallRemote() {
            @Override
            FetchResult found(String key, ByteRange range, Optional<String> pin) {
                return super.found(URLDecoder.decode(key, StandardCharsets.UTF_8), range, pin);
            }
        });
        flaws.put("fetch_illegalKeys_areTheCallersMistake", () -> new SmallRemote() {
            @Override
            String checked(String key) {
                return key;
            }
        });
        flaws.put("fetch_pinned_isThatVersionOrObjectChanged", Unpinned::new);
        flaws.put("fetch_manyAtOnce_allAnswer", () -> new SmallRemote() {
            private final AtomicInteger asked = new AtomicInteger();

            @Override
            FetchResult found(String key, ByteRange range, Optional<String> pin) {
                if (asked.incrementAndGet() > 150) {
                    throw new StoreException("too many requests");
                }
                return super.found(key, range, pin);
            }
        });
        flaws.put("fetch_cancelled_isCancelled", () -> new SmallRemote() {
            @Override
            public CompletableFuture<FetchResult> fetch(FetchRequest request) {
                return new CompletableFuture<>() {
                    @Override
                    public boolean cancel(boolean interrupts) {
                        return false;
                    }
                };
            }
        });
        flaws.put("describe_always_saysSomething", () -> new SmallRemote() {
            @Override
            public String describe() {
                return " ";
            }
        });
        return flaws;
    }

    /** Answers with what there is, whatever version was asked for. */
    private static final class Unpinned extends SmallRemote {
        @Override
        FetchResult changed(String key, ByteRange range) {
            return found(key, range, Optional.empty());
        }
    }

    @Test
    void remoteReads() {
        ContractRun.<SmallRemote>assertEachCanFail(
                store -> new RemoteReadsContract() {
                    @Override
                    protected Store storeOf(Map<String, byte[]> objects) {
                        SmallRemote made = store.get();
                        objects.forEach((key, bytes) -> made.objects.put(key, made.local.value(bytes)));
                        return made;
                    }
                },
                SmallRemote::new,
                flaws());
    }

    @Test
    void remoteChanges() {
        Map<String, Supplier<? extends SmallRemote>> flaws = flaws();
        flaws.put("fetch_pinnedToAnOldVersion_isObjectChanged", Unpinned::new);
        ContractRun.<SmallRemote>assertEachCanFail(Changing::new, SmallRemote::new, flaws);
    }

    private static final class Changing extends RemoteChangesContract {
        private final SmallRemote store;

        Changing(Supplier<? extends SmallRemote> store) {
            this.store = store.get();
        }

        @Override
        protected Store freshStore() {
            return store;
        }

        @Override
        protected void serve(String key, byte[] value) {
            store.objects.put(key, store.local.value(value));
        }
    }
}
