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
 * The access rights of a file: its POSIX mode, and the ids of its owner and group if Java shows them. A new version of
 * an object gets the rights of its predecessor by this class. Immutable.
 *
 * @param mode read, write and execute rights of owner, group and others
 * @param owner {@code uid} and {@code gid}
 */
public record FileAccessRights(Set<PosixFilePermission> mode, Optional<Owner> owner) {
    private static final Set<PosixFilePermission> OF_OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    /** The ids of a user and a group. */
    public record Owner(int user, int group) {}

    /** Returns the rights of a regular file; empty if there is none, or if the file system has no modes. */
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

    @SuppressWarnings("unchecked") // the attribute is specified to have this type
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

    /** Returns these rights with another mode, and with another group if {@code group} is present. */
    public FileAccessRights with(Set<PosixFilePermission> newMode, Optional<Integer> group) {
        return new FileAccessRights(newMode, owner.map(old -> new Owner(old.user(), group.orElse(old.group()))));
    }

    public Optional<Integer> group() {
        return owner.map(Owner::group);
    }

    /** Returns whether the group has a right that others do not have. */
    public boolean favoursGroup() {
        return !withoutGroup(mode).equals(mode);
    }

    /** Returns a mode in which the group has no right that others do not have. */
    private static Set<PosixFilePermission> withoutGroup(Set<PosixFilePermission> mode) {
        Set<PosixFilePermission> restricted = EnumSet.noneOf(PosixFilePermission.class);
        restricted.addAll(mode);
        restrict(restricted);
        return restricted;
    }

    /**
     * Returns the attribute for creating a file of data: the owner may read and write it, group and others only if
     * these rights allow it. The process's umask restricts them further.
     */
    public FileAttribute<?> ofNew() {
        Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rw-rw-rw-");
        permissions.removeIf(permission -> !OF_OWNER.contains(permission) && !mode.contains(permission));
        return PosixFilePermissions.asFileAttribute(permissions);
    }

    /**
     * Returns the attribute for creating a file that will get these rights later. At first, only its owner has access.
     */
    public FileAttribute<?> atFirst() {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        permissions.addAll(mode);
        permissions.retainAll(OF_OWNER);
        return PosixFilePermissions.asFileAttribute(permissions);
    }

    /** Returns the attribute for creating an empty file that has these rights at once. */
    public FileAttribute<?> toMake() {
        return PosixFilePermissions.asFileAttribute(mode);
    }

    /**
     * Applies these rights to a file that this process has created. If the process may not set the group, the group
     * gets only the rights of others. If it may not set the owner, the owner stays.
     */
    public void applyTo(Path file) throws IOException {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        permissions.addAll(mode);
        Optional<FileAccessRights> currentRights = owner.isPresent() ? Optional.of(read(file)) : Optional.empty();
        Optional<Owner> currentOwner = currentRights.flatMap(FileAccessRights::owner);
        if (currentOwner.isPresent()
                && currentOwner.get().group() != owner.get().group()
                && !setGroup(file, owner.get().group())) {
            restrict(permissions);
        }
        if (!permissions.equals(currentRights.map(FileAccessRights::mode).orElse(null))) {
            Files.setAttribute(file, "posix:permissions", permissions);
        }
        if (currentOwner.isPresent() && currentOwner.get().user() != owner.get().user()) {
            set(file, "unix:uid", owner.get().user());
        }
    }

    /** Removes the rights of the group that others do not have. */
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
    private static boolean setGroup(Path file, int group) throws IOException {
        set(file, "unix:gid", group);
        return readOwner(file).filter(current -> current.group() == group).isPresent();
    }

    private static FileAccessRights read(Path file) throws IOException {
        Map<String, Object> attributes =
                Files.readAttributes(file, "unix:permissions,uid,gid", LinkOption.NOFOLLOW_LINKS);
        return new FileAccessRights(mode(attributes), owner(attributes));
    }

    private static Optional<Owner> readOwner(Path file) throws IOException {
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
