package dev.shardkit.store.file.disk;

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
 * The access rights of a file: its mode, and the numbers of its owner and group if the file system has them.
 *
 * @param mode read, write and execute rights of owner, group and others
 * @param owner {@code uid} and {@code gid}
 */
public record FileAccessRights(Set<PosixFilePermission> mode, Optional<Owner> owner) {
    private static final Set<PosixFilePermission> OF_OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    /** Numbers of a user and of a group. */
    public record Owner(int user, int group) {}

    /** Returns the access of a regular file; empty if there is none, or if the file system has no modes. */
    public static Optional<FileAccessRights> of(Path file) throws IOException {
        Set<String> views = file.getFileSystem().supportedFileAttributeViews();
        String wanted =
                views.contains("unix") ? "unix:isRegularFile,permissions,uid,gid" : "posix:isRegularFile,permissions";
        if (!views.contains("posix")) {
            return Optional.empty();
        }
        try {
            Map<String, Object> found = Files.readAttributes(file, wanted, LinkOption.NOFOLLOW_LINKS);
            return (Boolean) found.get("isRegularFile")
                    ? Optional.of(new FileAccessRights(mode(found), owner(found)))
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

    /** Returns what both allow. If their groups differ, a group has only the rights of others. */
    public FileAccessRights and(FileAccessRights other) {
        boolean same = owner.map(Owner::group).equals(other.owner.map(Owner::group));
        Set<PosixFilePermission> both = EnumSet.noneOf(PosixFilePermission.class);
        both.addAll(same ? mode : withoutGroup(mode));
        both.retainAll(same ? other.mode : withoutGroup(other.mode));
        return new FileAccessRights(both, owner);
    }

    /** Returns this access with another mode and group. */
    public FileAccessRights with(Set<PosixFilePermission> changed, Optional<Integer> group) {
        return new FileAccessRights(changed, owner.map(o -> new Owner(o.user(), group.orElse(o.group()))));
    }

    public Optional<Integer> group() {
        return owner.map(Owner::group);
    }

    /** Returns whether the group may do more than others. */
    public boolean favoursGroup() {
        return !withoutGroup(mode).equals(mode);
    }

    private static Set<PosixFilePermission> withoutGroup(Set<PosixFilePermission> mode) {
        Set<PosixFilePermission> rest = EnumSet.noneOf(PosixFilePermission.class);
        rest.addAll(mode);
        restrict(rest);
        return rest;
    }

    /**
     * Returns the attributes for creating a file for data: the owner may read and write it, group and others only if
     * they may do so here. The process's umask restricts them further.
     */
    public FileAttribute<?> ofNew() {
        Set<PosixFilePermission> most = PosixFilePermissions.fromString("rw-rw-rw-");
        most.removeIf(p -> !OF_OWNER.contains(p) && !mode.contains(p));
        return PosixFilePermissions.asFileAttribute(most);
    }

    /** Returns the attributes for creating a file that will get this access: the owner's rights alone. */
    public FileAttribute<?> atFirst() {
        Set<PosixFilePermission> first = EnumSet.noneOf(PosixFilePermission.class);
        first.addAll(mode);
        first.retainAll(OF_OWNER);
        return PosixFilePermissions.asFileAttribute(first);
    }

    /** Returns the attributes for creating an empty file that others may open. */
    public FileAttribute<?> toMake() {
        return PosixFilePermissions.asFileAttribute(mode);
    }

    /**
     * Applies this access to a file of this process. If the process may not set the group, the group gets only the
     * rights of others. If it may not set the owner, the owner stays.
     */
    public void give(Path file) throws IOException {
        Set<PosixFilePermission> all = EnumSet.noneOf(PosixFilePermission.class);
        all.addAll(mode);
        Optional<FileAccessRights> found = owner.isPresent() ? Optional.of(read(file)) : Optional.empty();
        Optional<Owner> now = found.flatMap(FileAccessRights::owner);
        if (now.isPresent()
                && now.get().group() != owner.get().group()
                && !hasGroup(file, owner.get().group())) {
            restrict(all);
        }
        if (!all.equals(found.map(FileAccessRights::mode).orElse(null))) {
            Files.setAttribute(file, "posix:permissions", all);
        }
        if (now.isPresent() && now.get().user() != owner.get().user()) {
            set(file, "unix:uid", owner.get().user());
        }
    }

    private static void restrict(Set<PosixFilePermission> all) {
        restrict(all, PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
        restrict(all, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
        restrict(all, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);
    }

    private static void restrict(Set<PosixFilePermission> all, PosixFilePermission group, PosixFilePermission others) {
        if (!all.contains(others)) {
            all.remove(group);
        }
    }

    /** Sets a file's group and returns whether it took effect; some file systems ignore the call silently. */
    private static boolean hasGroup(Path file, int group) throws IOException {
        set(file, "unix:gid", group);
        return numbers(file).filter(n -> n.group() == group).isPresent();
    }

    private static FileAccessRights read(Path file) throws IOException {
        Map<String, Object> found = Files.readAttributes(file, "unix:permissions,uid,gid", LinkOption.NOFOLLOW_LINKS);
        return new FileAccessRights(mode(found), owner(found));
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
            return; // the process lacks the permission
        }
    }
}
