package dev.shardkit.it.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.files.Export;
import dev.shardkit.files.FileFormat;
import dev.shardkit.maintenance.concat.Concatenation;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.copy.PartedCopy;
import dev.shardkit.ome.pyramid.PartedPyramid;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs publish nothing of a source that is moved or removed while they read it. */
@Timeout(300)
class VanishedSourceTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withParallelism(1);
    private static final int SIDE = 32;
    private static final int CHUNKS = 16;

    /** A job that makes something of the array at the root of a store. */
    enum Job {
        COPY {
            @Override
            void run(Store from, Store to) {
                Copy.of(Zarr.openArray(from, "", OPTIONS)).to(to, OPTIONS);
            }
        },
        COPY_IN_ANOTHER_LAYOUT {
            @Override
            void run(Store from, Store to) {
                Copy.of(Zarr.openArray(from, "", OPTIONS)).withShardShape(16, 8).to(to, OPTIONS);
            }
        },
        COPY_OF_MISSING_OBJECTS {
            @Override
            void run(Store from, Store to) {
                Copy.of(Zarr.openArray(from, "", OPTIONS)).missingOnlyTo(to, OPTIONS);
            }
        },
        COPY_IN_PARTS {
            @Override
            void run(Store from, Store to) {
                PartedCopy copy = Copy.of(Zarr.openArray(from, "", OPTIONS)).inParts(to, OPTIONS);
                copy.begin();
                copy.write(0, copy.shards());
                copy.publish();
            }
        },
        CONCATENATION {
            @Override
            void run(Store from, Store to) {
                Concatenation.copying(List.of(new Concatenation.Source(from, "")), 0, OPTIONS)
                        .to(to, "");
            }
        },
        PYRAMID {
            @Override
            void run(Store from, Store to) {
                Pyramid.of(Zarr.openArray(from, "", OPTIONS)).withLevels(2).to(to, OPTIONS);
            }
        },
        PYRAMID_IN_PARTS {
            @Override
            void run(Store from, Store to) {
                PartedPyramid made = Pyramid.of(Zarr.openArray(from, "", OPTIONS))
                        .withLevels(1)
                        .inParts(to, OPTIONS);
                made.begin();
                made.write(0, 0, made.shards(0));
                made.publish(0);
                made.publish();
            }
        },
        EXPORT {
            @Override
            void run(Store from, Store to) throws IOException {
                Export.of(Zarr.openArray(from, "", OPTIONS)).to(new ByteArrayOutputStream(), FileFormat.NPY);
            }
        };

        abstract void run(Store from, Store to) throws IOException;
    }

    /** A store whose objects are gone from some read of a chunk on. */
    private static final class Vanishing extends ForwardingStore implements LocalReads {
        private final LocalReads reads;
        private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

        Vanishing(MemoryStore store) {
            super(store);
            this.reads = store;
        }

        private boolean isGone() {
            return left.get() <= 0;
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            return ability == Listings.class ? Optional.empty() : super.find(ability);
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            return isGone() ? Optional.empty() : reads.open(key).map(found -> counted(key, found));
        }

        private ObjectSnapshot counted(String key, ObjectSnapshot found) {
            return new ObjectSnapshot() {
                @Override
                public String version() {
                    return found.version();
                }

                @Override
                public long size() {
                    return found.size();
                }

                @Override
                public void read(long offset, ByteBuffer into) throws IOException {
                    found.read(offset, into);
                    if (key.startsWith("c/")) {
                        left.decrementAndGet();
                    }
                }

                @Override
                public void close() throws IOException {
                    found.close();
                }
            };
        }
    }

    private static int[] values() {
        return IntStream.rangeClosed(1, SIDE * SIDE).toArray();
    }

    private static void fill(Store store) {
        ArraySpec spec = ArraySpec.of("int32", SIDE, SIDE).withChunkShape(8, 8);
        ZarrArray array = Zarr.createArray(store, "", spec, IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), values(), 0);
    }

    private static void assertRefused(Job job, Vanishing vanishing, Store from, Store to, int reads)
            throws IOException {
        vanishing.left.set(reads);
        MetadataException e = assertThrows(MetadataException.class, () -> job.run(from, to));
        assertTrue(e.getMessage().contains("moved or removed"), e.getMessage());
        assertFalse(Zarr.find(to, "", OPTIONS).isPresent(), "nothing is published");
        vanishing.left.set(Integer.MAX_VALUE);
    }

    private static MemoryStore filled() {
        MemoryStore store = MemoryStore.conditional("from");
        fill(store);
        return store;
    }

    private static void assertMade(Job job, Store to) {
        if (job == Job.EXPORT) {
            return;
        }
        boolean isImage = job == Job.PYRAMID || job == Job.PYRAMID_IN_PARTS;
        ZarrArray made = Zarr.openArray(to, isImage ? "0" : "", OPTIONS);
        assertArrayEquals(values(), made.read().ints());
    }

    @ParameterizedTest
    @EnumSource
    void job_whoseLocalSourceVanishes_publishesNothing_andCanBeResumed(Job job) throws IOException {
        Vanishing from = new Vanishing(filled());
        MemoryStore to = MemoryStore.create();
        assertRefused(job, from, from, to, 3);
        job.run(from, to);
        assertMade(job, to);
    }

    @ParameterizedTest
    @EnumSource
    void job_whoseRemoteSourceVanishes_publishesNothing_andCanBeResumed(Job job) throws IOException {
        Vanishing behind = new Vanishing(filled());
        Store from = RemoteAdapter.of(behind);
        MemoryStore to = MemoryStore.create();
        int sizes = job == Job.CONCATENATION ? CHUNKS : 0; // of the objects, to recognize a changed source
        assertRefused(job, behind, from, to, sizes + 3);
        if (job != Job.COPY && job != Job.COPY_IN_ANOTHER_LAYOUT) { // copies of remote sources are not resumed
            job.run(from, to);
            assertMade(job, to);
        }
    }
}
