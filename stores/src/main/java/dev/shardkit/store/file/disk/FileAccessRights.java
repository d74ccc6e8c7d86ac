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
        String names =
                views.contains("unix") ? "unix:isRegularFile,permissions,uid,gid" : "posix:isRegularFile,permissions";
        if (!views.contains("posix")) {
            return Optional.empty();
        }
        try {
            Map<String, Object> attributes = Files.readAttributes(file, names, LinkOption.NOFOLLOW_LINKS);
            return (Boolean) attributes.get("isRegularFile")
                    ? Optional.of(new FileAccessRights(mode(attributes), owner(attributes)))
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

    /** Returns the rights that both allow. If their groups differ, the group gets only the rights of others. */
    public FileAccessRights and(FileAccessRights other) {
        boolean sameGroup = owner.map(Owner::group).equals(other.owner.map(Owner::group));
        Set<PosixFilePermission> common = EnumSet.noneOf(PosixFilePermission.class);
        common.addAll(sameGroup ? mode : withoutGroup(mode));
        common.retainAll(sameGroup ? other.mode : withoutGroup(other.mode));
        return new FileAccessRights(common, owner);
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
        Set<PosixFilePermission> restricted = EnumSet.noneOf(PosixFilePermission.class);
        restricted.addAll(mode);
        restrict(restricted);
        return restricted;
    }

    /**
     * Returns the attributes for creating a file for data: the owner may read and write it, group and others only if
     * they may do so here. The process's umask restricts them further.
     */
    public FileAttribute<?> ofNew() {
        Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rw-rw-rw-");
        permissions.removeIf(p -> !OF_OWNER.contains(p) && !mode.contains(p));
        return PosixFilePermissions.asFileAttribute(permissions);
    }

    /** Returns the attributes for creating a file that will get this access: the owner's rights alone. */
    public FileAttribute<?> atFirst() {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        permissions.addAll(mode);
        permissions.retainAll(OF_OWNER);
        return PosixFilePermissions.asFileAttribute(permissions);
    }

    /** Returns the attributes for creating an empty file that others may open. */
    public FileAttribute<?> toMake() {
        return PosixFilePermissions.asFileAttribute(mode);
    }

    /**
     * Applies this access to a file of this process. If the process may not set the group, the group gets only the
     * rights of others. If it may not set the owner, the owner stays.
     */
    public void applyTo(Path file) throws IOException {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        permissions.addAll(mode);
        Optional<FileAccessRights> currentRights = owner.isPresent() ? Optional.of(read(file)) : Optional.empty();
        Optional<Owner> currentOwner = currentRights.flatMap(FileAccessRights::owner);
        if (currentOwner.isPresent()
                && currentOwner.get().group() != owner.get().group()
                && !hasGroup(file, owner.get().group())) {
            restrict(permissions);
        }
        if (!permissions.equals(currentRights.map(FileAccessRights::mode).orElse(null))) {
            Files.setAttribute(file, "posix:permissions", permissions);
        }
        if (currentOwner.isPresent() && currentOwner.get().user() != owner.get().user()) {
            set(file, "unix:uid", owner.get().user());
        }
    }

    private static void restrict(Set<PosixFilePermission> permissions) {
        restrict(permissions, PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
        restrict(permissions, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
        restrict(permissions, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);
    }

    private static void restrict(
            Set<PosixFilePermission> permissions, PosixFilePermission group, PosixFilePermission others) {
        if (!permissions.contains(others)) {
            permissions.remove(group);
        }
    }

    /** Sets a file's group and returns whether it took effect; some file systems ignore the call silently. */
    private static boolean hasGroup(Path file, int group) throws IOException {
        set(file, "unix:gid", group);
        return numbers(file).filter(n -> n.group() == group).isPresent();
    }

    private static FileAccessRights read(Path file) throws IOException {
        Map<String, Object> attributes =
                Files.readAttributes(file, "unix:permissions,uid,gid", LinkOption.NOFOLLOW_LINKS);
        return new FileAccessRights(mode(attributes), owner(attributes));
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
