package dev.shardkit.store.hadoop;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Reads and writes a folder of HDFS or of Hadoop's local file system, and reads folders of other file systems of Apache
 * Hadoop, through Hadoop's client. Thread-safe.
 *
 * <ul>
 *   <li><b>Abilities:</b> {@link Listings}. On HDFS and on the local file system also
 *       {@link dev.shardkit.store.Writes}, {@link dev.shardkit.store.TreeDeletions} and
 *       {@link dev.shardkit.store.LeftoverCleanup}. The other file systems do not replace a file in one step, so they
 *       are read-only.
 *   <li><b>Reads:</b> on HDFS, a read of a range sends one request to the name node if the version is pinned, otherwise
 *       two, and then reads from data nodes. On other file systems, each read asks for the file's status twice. Reads
 *       run on threads of the store, at most 32 at once. Cancelling a read interrupts it. Deadlines and retries are
 *       those of Hadoop's client.
 *   <li><b>Versions</b> on HDFS are the inode's number, the time of the last change and the size: each put creates a
 *       new one, even for equal bytes. On other file systems they are ETags, or else time and size.
 *   <li><b>A put</b> writes a new file beside the object and renames it, which is atomic. On HDFS, the condition
 *       {@link dev.shardkit.store.Condition.Absent} is supported. Files of interrupted puts have names that begin with
 *       {@code __shardkit-put-}; listings leave them out.
 *   <li><b>Several writers:</b> HDFS has neither locks nor conditional replacements. So only the owner of a shard can
 *       change a part of it ({@link dev.shardkit.store.policy.WriteOwnership#OWNED}).
 *   <li><b>Keys:</b> HDFS has no names with a colon. Such a key is absent, and a put of it is refused.
 *   <li><b>Rights:</b> on HDFS, a new file gets only the permissions that all files it replaces have. ACLs of single
 *       files are not kept. Other file systems keep no permissions.
 * </ul>
 */
public final class HadoopStore implements Store, RemoteReads, Listings {
    /** The age from which a temporary file counts as abandoned. */
    private static final Duration ABANDONED_AFTER = Duration.ofHours(24);

    private final FileSystem files;
    private final FileSystemKind kind;
    private final HadoopLocation hadoopLocation;
    private final BlockingCalls calls;
    private final FileReads reads;
    private final Optional<HadoopWrites> changes;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HadoopStore(FileSystem files, URI location, Duration abandonedAfter) {
        this.files = files instanceof LocalFileSystem local ? local.getRawFileSystem() : files;
        this.kind = this.files instanceof DistributedFileSystem own
                ? new HdfsFiles(own)
                : new GenericHadoopFiles(this.files);
        this.hadoopLocation = HadoopLocation.of(location, files.getUri());
        this.calls = new BlockingCalls(describe());
        this.reads = new FileReads(this.files, kind);
        this.changes = kind.publishing().map(p -> {
            HadoopBlockingWrites writes = new HadoopBlockingWrites(this.files, p, hadoopLocation);
            return new HadoopWrites(
                    calls, p, writes, new FileTrees(this.files, writes, hadoopLocation, abandonedAfter), this::check);
        });
    }

    /**
     * Returns the store at a location such as {@code hdfs://namenode:8020/path} with the settings of Hadoop's
     * configuration files, on the class path and in the folder {@code HADOOP_CONF_DIR}. Percent-encoded characters of
     * the path are decoded. Sends no request.
     *
     * @throws IllegalArgumentException if {@code location} is not the URL of a folder
     * @throws StoreException if Hadoop has no file system of this kind, or its settings are not valid
     */
    public static HadoopStore at(URI location) {
        return at(location, ConfigurationFiles.ofEnvironment());
    }

    /**
     * Returns the store at a location, as {@link #at(URI)} does, with the caller's settings.
     *
     * @param settings the settings of Hadoop, which are copied
     */
    public static HadoopStore at(URI location, Configuration settings) {
        return at(location, settings, ABANDONED_AFTER);
    }

    static HadoopStore at(URI location, Configuration settings, Duration abandonedAfter) {
        FileSystem files;
        try {
            files = FileSystem.newInstance(location, new Configuration(settings));
        } catch (IOException | RuntimeException e) {
            throw HadoopErrors.of("opening", new Path(location.getScheme() + ":/"), e);
        }
        try {
            return new HadoopStore(files, location, abandonedAfter);
        } catch (RuntimeException e) {
            close(files);
            throw e;
        }
    }

    /**
     * Checks that the store is open. Returns the path of a key; empty if the key has a colon, which HDFS does not allow
     * in the names of files.
     */
    private Optional<Path> check(String key) {
        Path path = hadoopLocation.of(key);
        calls.checkOpen();
        return key.indexOf(':') >= 0 && !kind.holdsColons() ? Optional.empty() : Optional.of(path);
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        if (request.key().isEmpty()) {
            throw new IllegalArgumentException("not a key: \"\"");
        }
        return check(request.key())
                .map(path -> calls.make(() -> reads.read(path, request.range(), request.pin())))
                .orElseGet(() -> CompletableFuture.completedFuture(new FetchResult.Absent()));
    }

    @Override
    public Names list(String prefix, Depth depth) {
        Path root = hadoopLocation.of(prefix);
        calls.checkOpen();
        return new FileListing(calls, files, kind, root, depth);
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        return ability.isInstance(this)
                ? Optional.of(ability.cast(this))
                : changes.filter(ability::isInstance).map(ability::cast);
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public String describe() {
        return hadoopLocation.describe();
    }

    /** Cancels running calls and closes Hadoop's client. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            calls.close();
            close(files);
        }
    }

    private static void close(FileSystem files) {
        try {
            files.close();
        } catch (IOException | RuntimeException e) {
            // Nothing is lost: all files that the store wrote are closed.
        }
    }
}
