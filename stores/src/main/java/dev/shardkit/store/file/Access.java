package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may do what with a file: its mode, and the numbers of its owner and group where the file system has such.
 *
 * @param mode read, write and execute of owner, group and others
 * @param owner {@code uid} and {@code gid}
 */
record Access(Set<PosixFilePermission> mode, Optional<Owner> owner) {
    private static final Set<PosixFilePermission> OF_OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    /** Numbers of a user and of a group. */
    record Owner(int user, int group) {}

    /** The access to a regular file; empty if there is none, or if the file system has no modes. */
    static Optional<Access> of(Path file) throws IOException {
        Set<String> views = file.getFileSystem().supportedFileAttributeViews();
        String wanted =
                views.contains("unix") ? "unix:isRegularFile,permissions,uid,gid" : "posix:isRegularFile,permissions";
        if (!views.contains("posix")) {
            return Optional.empty();
        }
        try {
            Map<String, Object> found = Files.readAttributes(file, wanted, LinkOption.NOFOLLOW_LINKS);
            return (Boolean) found.get("isRegularFile")
                    ? Optional.of(new Access(mode(found), owner(found)))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @SuppressWarnings("unchecked") // as the attribute is specified
    private static Set<PosixFilePermission> mode(Map<String, Object> attributes) {
        return (Set<PosixFilePermission>) attributes.get("permissions");
    }

    private static Optional<Owner> owner(Map<String, Object> attributes) {
        return attributes.containsKey("uid")
                ? Optional.of(new Owner((Integer) attributes.get("uid"), (Integer) attributes.get("gid")))
                : Optional.empty();
    }

    /** How a file is made that is going to have this access: the owner's part of it alone. */
    FileAttribute<?> atFirst() {
        Set<PosixFilePermission> first = EnumSet.noneOf(PosixFilePermission.class);
        first.addAll(mode);
        first.retainAll(OF_OWNER);
        return PosixFilePermissions.asFileAttribute(first);
    }

    /** How a file is made that others may look at while it is empty. */
    FileAttribute<?> toMake() {
        return PosixFilePermissions.asFileAttribute(mode);
    }

    /**
     * Gives a file of this process this access. A group that the process may not give it has no more rights than all
     * others had; an owner that it may not give it is left out.
     */
    void give(Path file) throws IOException {
        Set<PosixFilePermission> all = EnumSet.noneOf(PosixFilePermission.class);
        all.addAll(mode);
        Optional<Owner> now = owner.isPresent() ? numbers(file) : Optional.empty();
        if (now.isPresent()
                && now.get().group() != owner.get().group()
                && !hasGroup(file, owner.get().group())) {
            restrict(all, PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
            restrict(all, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
            restrict(all, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);
        }
        Files.setAttribute(file, "posix:permissions", all);
        if (now.isPresent() && now.get().user() != owner.get().user()) {
            set(file, "unix:uid", owner.get().user());
        }
    }

    private static void restrict(Set<PosixFilePermission> all, PosixFilePermission group, PosixFilePermission others) {
        if (!all.contains(others)) {
            all.remove(group);
        }
    }

    /** Sets a file's group; whether it has it now, since some file systems pass over it without a word. */
    private static boolean hasGroup(Path file, int group) throws IOException {
        set(file, "unix:gid", group);
        return numbers(file).filter(n -> n.group() == group).isPresent();
    }

    private static Optional<Owner> numbers(Path file) throws IOException {
        return owner(Files.readAttributes(file, "unix:uid,gid", LinkOption.NOFOLLOW_LINKS));
    }

    private static void set(Path file, String name, int number) throws IOException {
        try {
            Files.setAttribute(file, name, number, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (FileSystemException e) {
            return; // the process may not
        }
    }
}
