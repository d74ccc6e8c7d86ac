package dev.shardkit.store.hadoop;

import dev.shardkit.store.Condition;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.WriteResult;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;

/**
 * The operations on HDFS: opens files in a pinned version, and creates and renames files. A version is the number of
 * the file's inode, which is never used again, with the time of the last change and the size, which other programs
 * change by appending or truncating. A pinned file is opened by Hadoop's handle of the version: the name node checks
 * the version and returns the block locations in one request.
 */
final class HdfsFiles implements FileSystemKind, FileSystemKind.Publishing {
    private static final Pattern VERSION = Pattern.compile("(\\d{1,19})\\.(\\d{1,19})\\.(\\d{1,18})");

    private final DistributedFileSystem files;

    HdfsFiles(DistributedFileSystem files) {
        this.files = files;
    }

    @Override
    public String version(FileStatus status) {
        long inode = status instanceof HdfsFileStatus own ? own.getFileId() : 0;
        return inode + "." + status.getModificationTime() + "." + status.getLen();
    }

    @Override
    public OpenedFile open(Path path, Optional<String> pin) throws IOException {
        String version;
        if (pin.isPresent()) {
            version = pin.get();
        } else {
            FileStatus status = files.getFileStatus(path);
            if (status.isDirectory()) {
                throw new FileNotFoundException("a folder");
            }
            version = version(status);
        }
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            throw new ObjectChangedException(path + ": expected a version of HDFS, found " + version);
        }
        return new OpenedFile(
                open(path, Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2))),
                version,
                Long.parseLong(parts.group(3)));
    }

    private FSDataInputStream open(Path path, long inode, long time) throws IOException {
        HdfsPathHandle handle = new HdfsPathHandle(path.toUri().getPath(), Optional.of(inode), Optional.of(time));
        try {
            return files.open(handle);
        } catch (InvalidPathHandleException e) {
            throw new ObjectChangedException(path + " has changed: " + e.getMessage());
        }
    }

    /** Returns false, because the name node refuses names with colons. */
    @Override
    public boolean holdsColons() {
        return false;
    }

    @Override
    public Optional<Publishing> publishing() {
        return Optional.of(this);
    }

    @Override
    public Set<Condition.Kind> honours() {
        return Set.of(Condition.Kind.ANY, Condition.Kind.ABSENT);
    }

    @Override
    public FSDataOutputStream create(Path temporary, boolean forced) throws IOException {
        EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE);
        if (forced) {
            flags.add(CreateFlag.SYNC_BLOCK);
        }
        return files.create(
                temporary,
                FsPermission.getFileDefault().applyUMask(FsPermission.getUMask(files.getConf())),
                flags,
                files.getConf().getInt("io.file.buffer.size", 4096),
                files.getDefaultReplication(temporary),
                files.getDefaultBlockSize(temporary),
                null);
    }

    /**
     * Does not keep the ACLs of replaced files. The new file gets the default ACL of its folder, limited by the
     * permissions that this method sets.
     */
    @Override
    public void restrict(Path temporary, List<Path> replaced) throws IOException {
        FsPermission rights = null;
        for (Path path : replaced) {
            try {
                FileStatus current = files.getFileStatus(path);
                if (!current.isDirectory()) {
                    FsPermission withoutAcl =
                            current.hasAcl() ? withoutAcl(path, current.getPermission()) : current.getPermission();
                    rights = rights == null ? withoutAcl : intersection(rights, withoutAcl);
                }
            } catch (FileNotFoundException e) {
                // There is no such file yet, so it restricts nothing.
            }
        }
        if (rights != null) {
            files.setPermission(temporary, rights);
        }
    }

    /**
     * Returns the permissions of the owner, the group and others, without the entries of an ACL for single users and
     * groups. The group bits of a file with an ACL are its mask, which can be wider than the group's own entry.
     */
    private FsPermission withoutAcl(Path path, FsPermission bits) throws IOException {
        FsAction group = files.getAclStatus(path).getEntries().stream()
                .filter(entry -> entry.getScope() == AclEntryScope.ACCESS
                        && entry.getType() == AclEntryType.GROUP
                        && entry.getName() == null)
                .map(entry -> entry.getPermission().and(bits.getGroupAction()))
                .findFirst()
                .orElse(FsAction.NONE);
        return new FsPermission(bits.getUserAction(), group, bits.getOtherAction());
    }

    private static FsPermission intersection(FsPermission first, FsPermission second) {
        return new FsPermission(
                first.getUserAction().and(second.getUserAction()),
                first.getGroupAction().and(second.getGroupAction()),
                first.getOtherAction().and(second.getOtherAction()));
    }

    @Override
    public WriteResult rename(Path temporary, Path path, Condition condition) throws IOException {
        boolean absent = condition instanceof Condition.Absent;
        try {
            files.rename(temporary, path, absent ? Options.Rename.NONE : Options.Rename.OVERWRITE);
            return WriteResult.DONE;
        } catch (FileAlreadyExistsException e) {
            if (absent) {
                return WriteResult.NOT_MET;
            }
            throw e;
        }
    }
}
