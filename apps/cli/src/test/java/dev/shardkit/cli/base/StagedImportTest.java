package dev.shardkit.cli.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A failed import removes its array, or says why it cannot, and always discards what an archive has not published. */
class StagedImportTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    /** An archive whose record of unfinished work cannot be read from some moment on. */
    private static final class Archive
            implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions, Commits {
        private final MemoryStore objects = MemoryStore.create();
        private boolean failsToRead;
        private boolean isDiscarded;

        @Override
        public String describe() {
            return "archive";
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Set<Condition.Kind> honours() {
            return objects.honours();
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            if (failsToRead && key.equals(PublicationRecord.KEY)) {
                throw new IOException("the disk fails");
            }
            return objects.open(key);
        }

        @Override
        public void list(String prefix, Consumer<Entry> entries) throws IOException {
            objects.list(prefix, entries);
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            return objects.putNow(key, content, condition, durability);
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            return objects.deleteNow(key, condition);
        }

        @Override
        public void deleteAll(String prefix) throws IOException {
            objects.deleteAll(prefix);
        }

        @Override
        public void commit() {
            isDiscarded = false;
        }

        @Override
        public void discard() {
            isDiscarded = true;
        }

        @Override
        public boolean hasChanges() {
            return true;
        }
    }

    private final Archive archive = new Archive();
    private final RuntimeException failure = new RuntimeException("the import failed");

    private StagedImport begin() throws IOException {
        return StagedImport.begin(archive, ArraySpec.of("int32", 4).withChunkShape(2), IfExists.REFUSE, OPTIONS);
    }

    @Test
    void recordThatCannotBeRead_isReported_andNothingIsPublished() throws IOException {
        StagedImport target = begin();
        archive.failsToRead = true;
        target.fail(failure);
        assertEquals(1, failure.getSuppressed().length);
        assertTrue(failure.getSuppressed()[0].getMessage().contains("the disk fails"));
        assertTrue(archive.isDiscarded);
    }

    @Test
    void placeThatAnotherProgramHasTaken_isKept_andNothingIsPublished() throws IOException {
        StagedImport target = begin();
        PublicationRecord other = PublicationRecord.started(WorkKind.COPY, "another", Json.object());
        Publication.at(archive, "").write(other, Durability.ATOMIC);
        target.fail(failure);
        assertEquals(0, failure.getSuppressed().length);
        assertEquals(Optional.of(other), Publication.at(archive, "").record());
        assertTrue(archive.isDiscarded);
    }

    @Test
    void placeThatAnotherProgramHasTaken_isNotPublished() throws IOException {
        StagedImport target = begin();
        PublicationRecord other = PublicationRecord.started(WorkKind.COPY, "another", Json.object());
        Publication.at(archive, "").write(other, Durability.ATOMIC);
        assertThrows(StoreException.class, target::publish);
        assertTrue(Zarr.find(archive, "", OPTIONS).isEmpty());
        assertEquals(Optional.of(other), Publication.at(archive, "").record());
        target.fail(failure); // as the import does
    }

    @Test
    void ownArray_isRemoved() throws IOException {
        StagedImport target = begin();
        target.array().write(target.array().domain(), new int[] {1, 2, 3, 4}, 0);
        target.fail(failure);
        assertEquals(0, failure.getSuppressed().length);
        assertFalse(Publication.at(archive, "").isMarked());
        assertTrue(Zarr.find(archive, "", OPTIONS).isEmpty());
        assertTrue(archive.isDiscarded);
    }
}
