package dev.shardkit.crash.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path of a {@link Disk}. */
record DiskPath(DiskFileSystem files, Path real) implements Path {
    static Path real(Path path) {
        if (path instanceof DiskPath p) {
            return p.real;
        }
        throw new ProviderMismatchException(path.toString());
    }

    private @Nullable Path wrap(@Nullable Path path) {
        return path == null ? null : files.wrap(path);
    }

    @Override
    public DiskFileSystem getFileSystem() {
        return files;
    }

    @Override
    public boolean isAbsolute() {
        return real.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return wrap(real.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return wrap(real.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return wrap(real.getParent());
    }

    @Override
    public int getNameCount() {
        return real.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return files.wrap(real.getName(index));
    }

    @Override
    public Path subpath(int from, int to) {
        return files.wrap(real.subpath(from, to));
    }

    @Override
    public boolean startsWith(Path other) {
        return other instanceof DiskPath p && real.startsWith(p.real);
    }

    @Override
    public boolean endsWith(Path other) {
        return other instanceof DiskPath p && real.endsWith(p.real);
    }

    @Override
    public Path normalize() {
        return files.wrap(real.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return files.wrap(real.resolve(real(other)));
    }

    @Override
    public Path relativize(Path other) {
        return files.wrap(real.relativize(real(other)));
    }

    @Override
    public URI toUri() {
        return real.toUri();
    }

    @Override
    public Path toAbsolutePath() {
        return files.wrap(real.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        files.provider().disk().call("real path of", this);
        return files.wrap(real.toRealPath(options));
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Path other) {
        return real.compareTo(real(other));
    }

    @Override
    public String toString() {
        return real.toString();
    }
}
