package dev.shardkit.crash.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** Counts each call of a {@link Disk}, then lets it fail or hands it on. */
final class DiskProvider extends FileSystemProvider {
    private final Disk disk;
    private final DiskFileSystem files;
    private final FileSystemProvider real;

    DiskProvider(Disk disk, DiskFileSystem files, FileSystemProvider real) {
        this.disk = disk;
        this.files = files;
        this.real = real;
    }

    Disk disk() {
        return disk;
    }

    private Path real(String call, Path path) throws IOException {
        disk.call(call, path);
        return DiskPath.real(path);
    }

    @Override
    public String getScheme() {
        return "disk";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return files;
    }

    @Override
    public Path getPath(URI uri) {
        return files.wrap(real.getPath(uri));
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        Path file = real("open", path);
        Optional<PowerLog> log = disk.log();
        FileChannel channel = log.isEmpty()
                ? real.newFileChannel(file, options, attributes)
                : log.get().open(file, () -> real.newFileChannel(file, options, attributes));
        return new DiskChannel(disk, path, channel, log.map(l -> l.find(file)).orElse(PowerLog.NONE));
    }

    @Override
    public AsynchronousFileChannel newAsynchronousFileChannel(
            Path path,
            Set<? extends OpenOption> options,
            @Nullable ExecutorService executor,
            FileAttribute<?>... attributes)
            throws IOException {
        Path file = real("open", path);
        Optional<PowerLog> log = disk.log();
        AsynchronousFileChannel channel = log.isEmpty()
                ? real.newAsynchronousFileChannel(file, options, executor, attributes)
                : log.get().open(file, () -> real.newAsynchronousFileChannel(file, options, executor, attributes));
        return new DiskLockChannel(
                disk, path, channel, log.map(l -> l.find(file)).orElse(PowerLog.NONE));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> stream = real.newDirectoryStream(real("list", path), p -> filter.accept(files.wrap(p)));
        disk.opened();
        return new DirectoryStream<>() {
            private boolean open = true;

            @Override
            public Iterator<Path> iterator() {
                Iterator<Path> paths = stream.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return paths.hasNext();
                    }

                    @Override
                    public Path next() {
                        return files.wrap(paths.next());
                    }
                };
            }

            @Override
            public void close() throws IOException {
                if (open) {
                    open = false;
                    disk.closed();
                    stream.close();
                }
            }
        };
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
        Path directory = real("make", path);
        change(
                log -> log.makeDirectory(directory, () -> {
                    real.createDirectory(directory, attributes);
                    return null;
                }),
                () -> real.createDirectory(directory, attributes));
    }

    @Override
    public void delete(Path path) throws IOException {
        Path file = real("delete", path);
        change(
                log -> log.delete(file, () -> {
                    real.delete(file);
                    return null;
                }),
                () -> real.delete(file));
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) throws IOException {
        real.copy(real("copy", from), DiskPath.real(to), options);
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        Path source = real("move", from);
        Path target = DiskPath.real(to);
        change(
                log -> log.move(source, target, () -> {
                    real.move(source, target, options);
                    return null;
                }),
                () -> real.move(source, target, options));
    }

    private interface Logged {
        void run(PowerLog log) throws IOException;
    }

    private interface Plain {
        void run() throws IOException;
    }

    private void change(Logged logged, Plain plain) throws IOException {
        Optional<PowerLog> log = disk.log();
        if (log.isPresent()) {
            logged.run(log.get());
        } else {
            plain.run();
        }
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return real.isSameFile(real("compare", one), DiskPath.real(other));
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return real.getFileStore(real("file store of", path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        real.checkAccess(real("check", path), modes);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        BasicFileAttributeView view =
                real.getFileAttributeView(DiskPath.real(path), BasicFileAttributeView.class, options);
        return type != BasicFileAttributeView.class
                ? null
                : type.cast(new BasicFileAttributeView() {
                    @Override
                    public String name() {
                        return view.name();
                    }

                    @Override
                    public BasicFileAttributes readAttributes() throws IOException {
                        disk.call("look at", path);
                        return view.readAttributes();
                    }

                    @Override
                    public void setTimes(FileTime modified, FileTime read, FileTime made) throws IOException {
                        disk.call("set the times of", path);
                        view.setTimes(modified, read, made);
                    }
                });
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return real.readAttributes(real("look at", path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
        return real.readAttributes(real("look at", path), names, options);
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) throws IOException {
        real.setAttribute(real("set " + name + " of", path), name, value, options);
    }
}
