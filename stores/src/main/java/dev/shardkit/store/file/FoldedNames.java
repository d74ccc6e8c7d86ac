package dev.shardkit.store.file;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.filesystem.DirectoryOpener;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keeps nodes apart on file systems that treat two names as one. Some ignore upper and lower case (Windows, macOS, FAT,
 * ext4 with {@code casefold}), others how a letter with an accent is composed (macOS; NFC and NFD of Unicode). There,
 * {@code A/zarr.json} would be the document of the node {@code a}. Thread-safe.
 */
final class FoldedNames {
    /** The document of Zarr with the longest name. */
    private static final String LONGEST_DOCUMENT = ".zmetadata";

    private final StoreDirectory tree;
    /** Whether the folder of the first document that was read ignores case; null before the first read. */
    private volatile @Nullable Boolean ignoresCase;

    FoldedNames(StoreDirectory tree) {
        this.tree = tree;
    }

    /**
     * Refuses a document if a folder of its path has another name on the disk than in the key. Does nothing if the file
     * system distinguishes the names.
     *
     * @param action the beginning of the message, such as "writing"
     * @throws StoreException if a folder of the key has another name
     */
    void refuseOther(String action, String key) throws IOException {
        Path folder = tree.root();
        List<String> parts = Keys.parts(key);
        for (String part : parts.subList(0, parts.size() - 1)) {
            Path inner = folder.resolve(part);
            Optional<String> other = Files.isDirectory(inner) ? otherName(folder, part) : Optional.empty();
            if (other.isPresent()) {
                throw new StoreException(action + " " + StoreDirectory.shown(key) + " in " + tree.describe()
                        + ": its folder " + part + " is the existing folder " + other.get()
                        + ", because this file system takes the two names for one; choose another name, or another "
                        + "place such as a ZIP archive");
            }
            folder = inner;
        }
    }

    /**
     * Refuses to read an existing document if a folder of its path has another name on the disk. If the file system
     * distinguishes upper and lower case, this costs one access to the disk for each store.
     *
     * @param path the path of {@code key}
     * @throws StoreException if a folder of the key has another name
     */
    void refuseOtherToRead(String key, Path path) throws IOException {
        Boolean known = ignoresCase;
        if (known == null) {
            Path upper = path.resolveSibling(path.getFileName().toString().toUpperCase(Locale.ROOT));
            known = Files.exists(upper) && Files.isSameFile(upper, path) && !listsOtherNames(path);
            ignoresCase = known;
        }
        if (known) {
            refuseOther("reading", key);
        }
    }

    /**
     * Checks the names of nodes in one folder before anything is stored.
     *
     * @throws IllegalArgumentException if the file system does not allow a name
     * @throws StoreException if it treats two of the names as one, or a path is too long
     */
    void check(String prefix, Set<String> names) throws IOException {
        Map<String, String> byFolded = new HashMap<>();
        for (String name : new TreeSet<>(names)) {
            tree.path(StoreKeys.join(StoreKeys.join(prefix, name), LONGEST_DOCUMENT));
            String other = byFolded.put(folded(name), name);
            if (other != null && areOne(tree.directory(prefix), other, name)) {
                throw new StoreException("the nodes " + other + " and " + name + " of \"" + prefix
                        + "\" cannot both be in "
                        + tree.describe() + ": this file system takes the two names for one; rename one of them, or "
                        + "choose another place such as a ZIP archive");
            }
        }
    }

    /** Tests in a temporary folder whether the file system of {@code folder} treats two names as one. */
    private static boolean areOne(Path folder, String name, String other) throws IOException {
        Path existing = folder;
        while (!Files.isDirectory(existing)) {
            existing = Objects.requireNonNull(existing.getParent(), "the root of the file system exists");
        }
        Path testFolder = Files.createDirectory(existing.resolve(Keys.RESERVED + "-tmp-" + UUID.randomUUID()));
        try {
            Path file = Files.createFile(testFolder.resolve(name));
            try {
                return Files.exists(testFolder.resolve(other));
            } finally {
                Files.delete(file);
            }
        } finally {
            Files.delete(testFolder);
        }
    }

    /**
     * Returns whether a driver in user space may list other names than those on the disk: ntfs-3g with
     * {@code ignore_case} lists all names in lower case.
     */
    private static boolean listsOtherNames(Path path) throws IOException {
        // Windows has no such drivers, and its JDK cannot name the file store of every drive.
        return !OpenFileReplacement.hinder(path)
                && Files.getFileStore(path).type().startsWith("fuse");
    }

    /** Returns the name on the disk of the existing folder {@code name}; empty if it is {@code name}. */
    private static Optional<String> otherName(Path folder, String name) throws IOException {
        Path path = folder.resolve(name);
        boolean folded = false;
        for (String variant : variants(name)) {
            Path other = folder.resolve(variant);
            folded |= Files.exists(other) && Files.isSameFile(other, path);
        }
        if (!folded) {
            return Optional.empty(); // the file system distinguishes the names
        }
        String real = path.toRealPath(LinkOption.NOFOLLOW_LINKS).getFileName().toString();
        return real.equals(name) ? listedName(folder, path, name) : Optional.of(real);
    }

    /**
     * Finds the name on the disk in the listing of the parent folder; empty if it is {@code name}. This is needed on
     * Linux, where Java's real path has the requested name instead of the one on the disk.
     */
    private static Optional<String> listedName(Path folder, Path path, String name) throws IOException {
        String folded = folded(name);
        Optional<String> other = Optional.empty();
        try (DirectoryStream<Path> files = DirectoryOpener.open(folder)) {
            for (Path file : files) {
                String stored = file.getFileName().toString();
                if (stored.equals(name)) {
                    return Optional.empty();
                } else if (folded(stored).equals(folded) && Files.isSameFile(file, path)) {
                    other = Optional.of(stored);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return other;
    }

    /** Returns other names that a file system may treat as {@code name}. */
    private static Set<String> variants(String name) {
        Set<String> variants = new TreeSet<>();
        variants.add(name.toUpperCase(Locale.ROOT));
        variants.add(name.toLowerCase(Locale.ROOT));
        variants.add(Normalizer.normalize(name, Normalizer.Form.NFC));
        variants.add(Normalizer.normalize(name, Normalizer.Form.NFD));
        variants.remove(name);
        return variants;
    }

    /** Returns a text that is equal for all names that some file system treats as one. */
    static String folded(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFC)
                .toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT);
    }
}
