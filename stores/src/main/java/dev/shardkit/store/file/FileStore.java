package dev.shardkit.store.file;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingLists;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Forces;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.Locates;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Prunes;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import dev.shardkit.store.Sweeps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Objects are files below a directory, of any {@link java.nio.file.FileSystem}. Thread-safe; closing it closes the
 * files that it keeps open.
 *
 * <ul>
 *   <li><b>Reading.</b> A snapshot is one open file. Its version is made of the file's identity (inode), size,
 *       modification time and, where the JDK shows it (POSIX systems), the change time, which programs cannot set. A
 *       file that another program has just changed is opened a tick of the clock later (20 ms at most), when its times
 *       tell it from all later states. Without a change time, a file whose modification time was set back looks
 *       unchanged. A directory is no object, and nothing lies below a file; both read as absent. Every other failure is
 *       one. On the local disk of a POSIX system up to 64 files that were read stay open for some seconds, and one look
 *       at a file's attributes tells whether it is still what it was; the space of a file that another program deletes
 *       may be freed as much later.
 *   <li><b>Writing.</b> A put writes a new file beside the target, whose name begins with {@code __shardkit-tmp-} and
 *       is never listed, forces it ({@link Durability#FORCED}), gives it the mode of the file that it replaces, and its
 *       group and owner where the process may, moves it atomically and forces the directory where the platform can.
 *       {@link Durability#NONE} is no different from {@link Durability#ATOMIC} but on file systems without atomic
 *       moves. What killed processes leave is removed by a later put into the same directory, when it is more than an
 *       hour old. A large file that a put replaces stays open for some milliseconds, for another thread to free its
 *       space. Deleting leaves empty directories (listed as prefixes), and is not forced.
 *   <li><b>Linking.</b> {@link #copy} makes a hard link, or copies where the file system has none.
 *   <li><b>Changing in place.</b> A patch writes into the file; no other library knows of that, and may meet a torn
 *       shard meanwhile. Our readers do not: while {@code DIRECTORY/__shardkit/patches/NAME/} beside the file holds a
 *       journal, opening it waits for the patch (five seconds, if nothing of the file changes), and
 *       {@link Snapshot#confirm} tells those who had it open, by its identity and time. They are told too when a file
 *       was replaced or deleted in a directory where {@code __shardkit/patches} is, since it may have been patched
 *       before that. A journal (whose file is locked while its patch is under way) that a killed process has left is
 *       carried out by {@link #recover}, if the file's content is what the patch found or what it may have left; if
 *       another program has written the file since, the journal is set aside. One that is incomplete or wrong means
 *       that the file was not touched, and one whose file is gone or was replaced means nothing any more: readers pass
 *       by the former, and both are removed, by a put or a delete too. Where the file system holds no times of
 *       microseconds or has no random access, nothing is changed in place.
 *   <li><b>Locks.</b> Byte ranges of {@code ARRAY/__shardkit/lock}, made by the first lock and then left, so they hold
 *       among processes, and a dead process holds none; {@code ARRAY/__shardkit/lock-holders} says who took them, for
 *       messages. Not on file systems without file locks (in memory, zip), where they hold within the process. Network
 *       file systems lock as well as they lock. A lock is not reentrant. All class loaders of a JVM share one channel
 *       to a lock file, through an entry of the system properties that exists while a lock is in use. Nothing but
 *       regular files is opened there, and no other call opens them: {@link #force} leaves them out, and a key that is
 *       a link to one is refused.
 *   <li><b>Links.</b> See {@link LinkPolicy}. A put through a link replaces its target, a delete removes the link. What
 *       the store keeps for itself ({@code __shardkit}) is never reached through a link, whatever the policy.
 * </ul>
 */
public final class FileStore
        implements Store,
                NearReads,
                BlockingWrites,
                BlockingLists,
                Prunes,
                Locks,
                Patches,
                Copies,
                Moves,
                Forces,
                Sweeps,
                Locates {
    private static final Duration STANDSTILL = Duration.ofSeconds(5);
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(5);
    /** How many files all stores of the process keep open. */
    private static final AtomicInteger KEPT_OPEN = new AtomicInteger();

    private final Tree tree;
    private final Replaced replaced;
    private final Entries entries;
    private final Put put;
    private final Opening opening;
    private final OpenFiles openFiles;
    private final Abilities abilities;
    private final IdlePlaces idlePlaces = new IdlePlaces();

    private FileStore(Tree tree) {
        this.tree = tree;
        LocalFiles local = new LocalFiles(tree.root());
        this.replaced = new Replaced(local);
        this.entries = new Entries(tree);
        this.put = new Put(tree, replaced, entries);
        this.opening = new Opening(tree, STANDSTILL);
        this.openFiles = new OpenFiles(local, LONGEST_IDLE, KEPT_OPEN);
        this.abilities = new Abilities(tree);
    }

    /** The store whose root is {@code root}, which need not be there before the first write; links stay inside. */
    public static FileStore at(Path root) {
        return at(root, LinkPolicy.INSIDE_ROOT);
    }

    /** The store whose root is {@code root}, which need not be there before the first write. */
    public static FileStore at(Path root, LinkPolicy links) {
        return new FileStore(new Tree(root, links));
    }

    /** The directory below which the keys lie. */
    public Path root() {
        return tree.root();
    }

    @Override
    public void close() {
        openFiles.close();
        replaced.letGo();
        idlePlaces.leave();
    }

    @Override
    public String describe() {
        return tree.describe();
    }

    @Override
    public Optional<Snapshot> open(String key) {
        Optional<Snapshot> kept = openFiles.find(key);
        return kept.isPresent()
                ? kept
                : open(key, path -> opening.forReader(path, key).map(file -> openFiles.keep(key, path, file)));
    }

    @Override
    public Optional<Snapshot> openToChange(String key) {
        return open(key, path -> opening.open(path, key).map(file -> file));
    }

    @Override
    public Optional<String> version(String key) {
        return open(key, path -> opening.look(tree.real(path), key).map(FileState::version));
    }

    private <T> Optional<T> open(String key, Opener<T> opener) {
        Path path = tree.path(key);
        try {
            return opener.open(path);
        } catch (IOException e) {
            if (tree.isAbsent(path, e)) {
                return Optional.empty();
            }
            throw tree.failed("opening", key, e);
        }
    }

    private interface Opener<T> {
        Optional<T> open(Path path) throws IOException;
    }

    @Override
    public Reads reads() {
        return this;
    }

    /** What its class can; {@link Patches} if its file system has what they need. */
    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        return ability == Patches.class && !abilities.patches() ? Optional.empty() : Store.super.find(ability);
    }

    @Override
    public Outcome putNow(String key, Content content, Condition condition, Durability durability) {
        refuse(condition);
        put(key, content, durability);
        return Outcome.DONE;
    }

    @Override
    public Outcome deleteNow(String key, Condition condition) {
        refuse(condition);
        return delete(key) ? Outcome.DONE : Outcome.NOTHING;
    }

    private void refuse(Condition condition) {
        if (!honours().contains(condition.kind())) {
            throw new UnsupportedException("store " + describe() + " cannot write under a condition: it has locks");
        }
    }

    @Override
    public Optional<Place> locate(String key) {
        return Optional.of(new Place(tree.path(key).toUri(), 0));
    }

    /** As {@link #putNow}, under no condition. */
    public void put(String key, Content content, Durability durability) {
        Path path = tree.path(key);
        try {
            openFiles.drop(key);
            put.put(path, key, content, durability);
        } catch (IOException e) {
            throw tree.failed("writing", key, e);
        }
    }

    @Override
    public boolean copy(String from, String to, Durability durability) throws IOException {
        Path path = tree.path(from);
        try {
            if (put.link(tree.real(path), tree.path(to), to, durability)) {
                return true;
            }
            return StoreAccess.to(this).rewrite(from, to, durability);
        } catch (IOException e) {
            if (tree.isAbsent(path, e)) {
                return false;
            }
            throw tree.failed("linking", to, e);
        }
    }

    @Override
    public void force(String prefix) {
        Path path = tree.directory(prefix);
        try {
            Path real = tree.real(path);
            Directories.forceAll(real);
            entries.force(real);
        } catch (IOException e) {
            if (!tree.isAbsent(path, e)) {
                throw tree.failed("forcing all below", prefix, e);
            }
        }
    }

    /** As {@link #deleteNow}, under no condition; whether it was there. */
    public boolean delete(String key) {
        Path path = tree.path(key);
        try {
            openFiles.drop(key);
            Path real = tree.real(path.getParent()).resolve(path.getFileName());
            BasicFileAttributes file = Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            boolean deleted = !file.isDirectory() && Files.deleteIfExists(real);
            if (deleted) {
                PatchPlace.of(real).clear();
            }
            return deleted;
        } catch (IOException e) {
            if (tree.isAbsent(path, e)) {
                return false;
            }
            throw tree.failed("deleting", key, e);
        }
    }

    @Override
    public void patch(String array, String key, Edit.Patch patch, Durability durability) {
        Path path = tree.path(key);
        if (!abilities.patches()) {
            throw new UnsupportedException(
                    "store " + describe() + " cannot change objects in place: its file system has no "
                            + "random access, or no times of microseconds");
        }
        try {
            Path real = tree.real(path);
            PatchPlace place = PatchPlace.of(real);
            try {
                if (durability == Durability.FORCED) {
                    entries.force(real);
                }
                new Patch(key + " in " + describe(), place, patch, durability).run();
            } finally {
                idlePlaces.add(place);
            }
        } catch (IOException e) {
            if (tree.isAbsent(path, e)) {
                throw new ObjectChangedException("changing " + key + " in " + describe() + ": found no file");
            }
            throw tree.failed("changing", key, e);
        }
    }

    @Override
    public boolean takeOver(Store source, String from, String key, Durability durability) {
        if (!(source instanceof FileStore files)) {
            throw new UnsupportedException("store " + describe() + " cannot take over objects of " + source.describe());
        }
        Path path = files.tree.path(from);
        try {
            return new TakeOver(files.tree, tree, entries).run(path, from, tree.path(key), key, durability);
        } catch (IOException e) {
            if (files.tree.isAbsent(path, e)) {
                return false;
            }
            throw files.tree.failed("moving", from, e);
        }
    }

    @Override
    public Recovered recover(String array, String key) {
        Path path = tree.path(key);
        try {
            return Recovery.all(PatchPlace.of(tree.place(path)), key + " in " + describe());
        } catch (IOException e) {
            if (tree.isAbsent(path, e)) {
                return Recovered.NOTHING;
            }
            throw tree.failed("recovering", key, e);
        }
    }

    @Override
    public void deleteAll(String prefix) {
        Path path = tree.directory(prefix);
        try {
            openFiles.dropAll();
            if (prefix.isEmpty()) {
                Removal.below(tree.real(path));
                return;
            }
            Path real = tree.real(path.getParent()).resolve(path.getFileName());
            if (Files.readAttributes(real, BasicFileAttributes.class).isDirectory()) {
                Removal.all(real);
            }
        } catch (IOException e) {
            if (!tree.isAbsent(path, e)) {
                throw tree.failed("deleting all below", prefix, e);
            }
        }
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) {
        new Listing(tree).run(prefix, entries);
    }

    @Override
    public void leftovers(String prefix, Consumer<Leftover> leftovers) {
        Leftovers.find(tree, prefix, leftovers);
    }

    @Override
    public boolean remove(Leftover leftover) {
        return Leftovers.remove(tree, leftover);
    }

    @Override
    public Locks.Lock lock(String array, String key, Duration patience) {
        return new TreeLocks(tree).acquire(array, key, patience);
    }
}
