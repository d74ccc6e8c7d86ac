package dev.shardkit.store.file;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.NameChecks;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Reads;
import dev.shardkit.store.StagedPuts;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.disk.DirectorySync;
import dev.shardkit.store.file.open.LocalDiskCheck;
import dev.shardkit.store.file.open.OpenFiles;
import dev.shardkit.store.keys.Keys;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Stores objects as files below a directory of any {@link java.nio.file.FileSystem}. Thread-safe. Closing the store
 * closes the files that it keeps open. {@code docs/durability.md} says what survives crashes, what concurrent readers
 * see, which rights new files have, and which files the store makes beside the objects.
 *
 * <ul>
 *   <li><b>Reading.</b> A snapshot is one open file. Its version consists of the file's identity (inode), size,
 *       modification time and, on POSIX systems, the change time, which programs cannot set. Without a change time, a
 *       file whose modification time was set back looks unchanged. If a file changed within the clock's resolution, the
 *       store waits one tick (at most 20 ms) before it opens the file. A directory is not an object, and nothing exists
 *       below a file: both read as absent. Every other failure is an error. On local disks of POSIX systems up to 64
 *       recently read files stay open for some seconds; the space of a deleted file may be freed that much later.
 *   <li><b>Writing.</b> A put writes a temporary file beside the target, forces it ({@link Durability#FORCED}), moves
 *       it atomically, and forces the directory if the platform supports it. {@link Durability#NONE} differs from
 *       {@link Durability#ATOMIC} only on file systems without atomic moves. Deletes keep empty directories (listed as
 *       prefixes), and are not forced.
 *   <li><b>Copying.</b> {@link #copy} creates a hard link, or copies the file if the file system has no links.
 *   <li><b>Changing in place.</b> A patch writes into the file, and keeps a journal beside it. Opening a file during a
 *       patch waits for its end, at most five seconds without progress. {@link ObjectSnapshot#confirm} detects a patch
 *       of an open file. An owner without durability ({@link #openOwned}) writes no journal. If the file system lacks
 *       random access or times of microseconds, the store does not change files in place.
 *   <li><b>Locks</b> are byte ranges of {@code ARRAY/__shardkit/lock}. They exclude other processes and class loaders,
 *       and the system releases them when a process dies. On file systems without file locks (in memory, zip) they work
 *       within the process only; on network file systems they are as reliable as the file system's locks. A lock is not
 *       reentrant.
 *   <li><b>Links.</b> See {@link LinkPolicy}. A put through a link replaces the link's target; a delete removes the
 *       link. The store never reaches its own files ({@code __shardkit}) through a link.
 * </ul>
 */
public final class FileStore
        implements Store,
                LocalReads,
                BlockingWrites,
                BlockingListings,
                TreeDeletions,
                Locks,
                Patches,
                StagedPuts,
                Copies,
                Moves,
                DeviceSync,
                LeftoverCleanup,
                ObjectLocations,
                NameChecks {
    /**
     * How often a reader checks a running patch that makes no progress, before the reader fails. With pauses of up to
     * 10 ms, this takes about five seconds.
     */
    private static final int MAX_PATCH_CHECKS = 500;

    /** How long a file without a reader stays open. */
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(5);
    /** The number of files that all stores of the process keep open now. */
    private static final AtomicInteger KEPT_OPEN = new AtomicInteger();

    private final StoreDirectory tree;
    private final FoldedNames names;
    private final LocalDiskCheck local;
    private final DeferredClose replaced;
    private final DirectoryEntrySync entries;
    private final AtomicPut put;
    private final LockedObjects locked;
    private final StableFileOpener opener;
    private final OpenFiles openFiles;
    private final OwnedFiles ownedFiles;
    private final PatchProbe patchProbe;
    private final FilePatches patching;
    private final ObjectDeletion deletion;

    private FileStore(StoreDirectory tree) {
        this.tree = tree;
        this.names = new FoldedNames(tree);
        this.local = new LocalDiskCheck(tree.root());
        this.replaced = new DeferredClose(local);
        this.entries = new DirectoryEntrySync(tree);
        this.put = new AtomicPut(tree, replaced, entries);
        this.locked = new LockedObjects(tree);
        this.opener = new StableFileOpener(tree, names, locked, MAX_PATCH_CHECKS);
        this.openFiles = new OpenFiles(local, LONGEST_IDLE, KEPT_OPEN);
        this.patchProbe = new PatchProbe(tree, local);
        this.patching = new FilePatches(tree, entries, patchProbe, new IdleJournals(), locked);
        this.ownedFiles = new OwnedFiles(tree, patching, local, KEPT_OPEN);
        this.deletion = new ObjectDeletion(tree);
    }

    /**
     * Returns the store with the root {@code directory}, which the first write creates if necessary. Links must stay
     * inside the root.
     */
    public static FileStore at(Path directory) {
        return at(directory, LinkPolicy.INSIDE_ROOT);
    }

    /** Returns the store with the root {@code directory}, which the first write creates if necessary. */
    public static FileStore at(Path directory, LinkPolicy links) {
        return new FileStore(new StoreDirectory(directory, links));
    }

    /**
     * Ends all puts of file stores in this process, for a program that a signal terminates. Waits at most
     * {@code patience} for the running puts, then removes their temporary files. Every later put fails.
     */
    public static void endPuts(Duration patience) {
        UnfinishedPuts.ofProcess().end(patience.toMillis());
    }

    /** Returns the root directory of the keys. */
    public Path root() {
        return tree.root();
    }

    @Override
    public void close() {
        openFiles.close();
        ownedFiles.close();
        replaced.closeHeld();
        patching.leave();
    }

    @Override
    public String describe() {
        return tree.describe();
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) {
        return openFiles.find(key).or(() -> opener.forReader(key, openFiles));
    }

    @Override
    public Optional<ObjectSnapshot> openToChange(String key) {
        return opener.toChange(key);
    }

    @Override
    public Optional<String> version(String key) {
        return opener.version(key);
    }

    @Override
    public Reads reads() {
        return this;
    }

    /**
     * Returns an ability of this store; {@link Patches} and {@link StagedPuts} only if the file system supports them.
     */
    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        boolean lacks = ability == Patches.class && !patchProbe.patches()
                || ability == StagedPuts.class && root().getFileSystem() != FileSystems.getDefault();
        return lacks ? Optional.empty() : Store.super.find(ability);
    }

    @Override
    public WriteResult putNow(String key, Content content, Condition condition, Durability durability) {
        refuse(condition);
        put(key, content, durability);
        return WriteResult.DONE;
    }

    @Override
    public WriteResult deleteNow(String key, Condition condition) {
        refuse(condition);
        return delete(key) ? WriteResult.DONE : WriteResult.NOTHING;
    }

    private void refuse(Condition condition) {
        if (!honours().contains(condition.kind())) {
            throw new UnsupportedException(
                    "the store " + describe() + " does not support conditional writes; it has locks");
        }
    }

    @Override
    public Optional<Location> locate(String key) {
        return Optional.of(new Location(tree.path(key).toUri(), 0));
    }

    @Override
    public void check(String prefix, Set<String> names) throws IOException {
        this.names.check(prefix, names);
    }

    /** Stores an object like {@link #putNow}, unconditionally. */
    public void put(String key, Content content, Durability durability) {
        Path path = tree.path(key);
        try {
            Duration patience = beforeChange(key);
            if (Keys.isDocument(key)) {
                names.refuseOther("writing", key);
            }
            put.put(path, key, content, durability, patience);
        } catch (IOException e) {
            throw tree.failed("writing", key, e);
        }
    }

    @Override
    public Staged stage(String key) {
        Path path = tree.path(key);
        try {
            return put.stage(path, key, () -> beforeChange(key));
        } catch (IOException e) {
            throw tree.failed("staging", key, e);
        }
    }

    /**
     * Closes cached files of an object that is about to be replaced or deleted. Returns how long the change may wait
     * for programs that have the file open.
     */
    private Duration beforeChange(String key) {
        Duration patience = locked.patience(key);
        forgetCached(key);
        return patience;
    }

    @Override
    public boolean copy(String sourceKey, String targetKey, Durability durability) {
        Path path = tree.path(sourceKey);
        return tree.call(
                path,
                "linking",
                targetKey,
                false,
                () -> put.link(tree.real(path), tree.path(targetKey), targetKey, durability)
                        || BlockingStore.to(this).rewrite(sourceKey, targetKey, durability));
    }

    @Override
    public void force(String prefix) {
        Path path = tree.directory(prefix);
        tree.call(path, "forcing all below", prefix, false, () -> {
            Path real = tree.real(path);
            DirectorySync.forceAll(real);
            entries.force(real);
            return true;
        });
    }

    /** Deletes an object like {@link #deleteNow}, unconditionally. Returns whether it existed. */
    public boolean delete(String key) {
        return deletion.delete(key, beforeChange(key));
    }

    private void forgetCached(String key) {
        locked.forget(key);
        openFiles.drop(key);
        ownedFiles.drop(key);
    }

    @Override
    public void patch(String array, String key, Edit.Patch patch, Durability durability) {
        patching.patch(key, patch, durability);
    }

    @Override
    public Optional<Owned> openOwned(String key) {
        return patchProbe.patches() ? ownedFiles.open(key) : Optional.empty();
    }

    @Override
    public boolean takeOver(Store source, String sourceKey, String key, Durability durability) {
        if (!(source instanceof FileStore sourceStore)) {
            throw new UnsupportedException(
                    "the store " + describe() + " cannot move objects from " + source.describe());
        }
        return sourceStore.tree.call(sourceStore.tree.path(sourceKey), "moving", sourceKey, false, () -> new AtomicMove(
                        sourceStore.tree, tree, entries)
                .run(sourceStore.tree.path(sourceKey), sourceKey, tree.path(key), key, durability));
    }

    @Override
    public boolean takeOverTree(Store source) throws IOException {
        Optional<FileStore> files = source.find(Moves.class) // the source may be a wrapper of a file store
                .filter(FileStore.class::isInstance)
                .map(FileStore.class::cast);
        if (files.isEmpty()) {
            return false;
        }
        files.get().closeOpenFiles();
        closeOpenFiles();
        return AtomicMove.renameFolder(files.get().root(), root());
    }

    /** Closes the idle open files and forgets cached paths, before a tree is moved or deleted. */
    private void closeOpenFiles() {
        locked.forgetAll();
        openFiles.dropAll();
        ownedFiles.dropAll();
    }

    @Override
    public Recovered recover(String array, String key) {
        return patching.recover(key);
    }

    @Override
    public void deleteAll(String prefix, Duration patience) {
        closeOpenFiles();
        deletion.deleteBelow(prefix, patience);
    }

    @Override
    public void deleteAll(String prefix) {
        deleteAll(prefix, Duration.ofMinutes(1));
    }

    @Override
    public void reserved(String prefix, Consumer<String> names) {
        deletion.reserved(prefix, names);
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) {
        new DirectoryListing(tree).run(prefix, entries);
    }

    @Override
    public void leftovers(String prefix, Consumer<Leftover> leftovers) {
        Leftovers.find(tree, local, prefix, leftovers);
    }

    @Override
    public boolean remove(Leftover leftover) {
        return Leftovers.remove(tree, leftover);
    }

    @Override
    public Locks.Lock lock(String array, String key, Duration patience) {
        return locked.lock(array, key, patience);
    }
}
