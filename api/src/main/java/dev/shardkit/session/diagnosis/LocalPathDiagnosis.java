package dev.shardkit.session.diagnosis;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.location.Locations;
import dev.shardkit.session.search.ArrayDocuments;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Examines the local file or folder at a location where no node was found, and describes it for the error. Immutable.
 *
 * @param path the absolute path of that file or folder, which need not exist
 */
record LocalPathDiagnosis(Path path) {
    /** The beginning of a local archive's location. */
    private static final String ARCHIVE = "zip:file:";

    private static final String EXPECTED =
            "a folder, a ZIP archive (.zip, .ozx), a frame of Blosc2 (.b2nd), an HDF5 or "
                    + "NetCDF4 file, FILE!PATH for a node in such an archive or file, or a URL";
    /** A fragment that only locations of webknossos-wrap have. */
    private static final String SHAPE = "#shape=";

    private static final List<String> V2_DOCUMENTS = List.of(".zarray", ".zgroup");
    private static final List<String> DOCUMENTS = List.of(NodePath.DOCUMENT, ".zarray", ".zgroup", ".zmetadata");
    private static final List<String> HDF5_SUFFIXES = List.of(".h5", ".hdf5", ".he5", ".nc", ".nc4");
    private static final List<String> TIFF_SUFFIXES = List.of(".tif", ".tiff");
    private static final List<String> IMPORTED_SUFFIXES = List.of(".npy", ".png");

    /**
     * Returns the path of a node in a store of local files, or of the archive that contains the node; empty for other
     * stores.
     */
    static Optional<LocalPathDiagnosis> of(StoredNode node) {
        Optional<Path> folder = Locations.localFolder(node.session().store());
        String root = node.session().store().describe();
        try {
            if (folder.isPresent()) {
                return Optional.of(new LocalPathDiagnosis(folder.get().resolve(node.path())));
            } else if (root.startsWith(ARCHIVE)) {
                int inside = root.indexOf('!');
                Path archive = Path.of(root.substring(ARCHIVE.length(), inside < 0 ? root.length() : inside));
                return Files.exists(archive) ? Optional.empty() : Optional.of(new LocalPathDiagnosis(archive));
            }
        } catch (InvalidPathException e) {
            return Optional.empty(); // the text is not a path on this operating system
        }
        return Optional.empty();
    }

    boolean isFolder() {
        return Files.isDirectory(path);
    }

    /** Describes the file at the path, or its absence, and suggests what to do. */
    String description() {
        return Files.exists(path) ? fileDescription() : missingParent();
    }

    private String fileDescription() {
        String name = String.valueOf(path.getFileName());
        String lower = name.toLowerCase(Locale.ROOT);
        if (!Files.isRegularFile(path)) {
            return "this is a pipe or a device, and arrays and files are read at any position; copy it to a file first";
        }
        if (isNetCdf3()) {
            return "this is a NetCDF 3 file (classic format), which shardkit does not read; convert it to NetCDF 4: "
                    + "nccopy -k nc4 " + path + " OUT.nc";
        } else if (DOCUMENTS.contains(name)) {
            return name + " is a metadata document; give its folder " + path.getParent();
        } else if (TIFF_SUFFIXES.stream().anyMatch(lower::endsWith)) {
            return "TIFF files are read through a document of references. Write it with shardkit references " + path
                    + " -o DOCUMENT.json, then give reference:DOCUMENT.json. shardkit import copies files below 4 GiB";
        } else if (HDF5_SUFFIXES.stream().anyMatch(lower::endsWith)) {
            return "this file is of another format, or does not begin as HDF5 and NetCDF4 do; if another program's"
                    + " block of more than 512 bytes precedes HDF5, give"
                    + " hdf5:" + path + "!PATH; chunks of other files are "
                    + "read through a document of references: reference:DOCUMENT!PATH";
        } else if (lower.endsWith(".json")) {
            return "this is a file, expected the folder of a node; if it holds kerchunk references, give "
                    + "reference:" + path + "!PATH";
        }
        if (IMPORTED_SUFFIXES.stream().anyMatch(lower::endsWith)) {
            return "shardkit import makes an array of such a file";
        }
        return "this is a file of an unknown kind, expected " + EXPECTED + "; if it is a ZIP archive, give zip:" + path;
    }

    private boolean isNetCdf3() {
        try (InputStream in = Files.newInputStream(path)) {
            // "CDF" and the version: 1 is classic, 2 has 64-bit offsets, 5 has 64-bit data
            byte[] signature = in.readNBytes(4);
            return signature.length == 4
                    && signature[0] == 'C'
                    && signature[1] == 'D'
                    && signature[2] == 'F'
                    && (signature[3] == 1 || signature[3] == 2 || signature[3] == 5);
        } catch (IOException e) {
            return false; // reading the file fails again and reports the reason
        }
    }

    /** Describes a path that does not exist by the nearest file or folder above it. */
    private String missingParent() {
        Path existing = path;
        while (existing != null && !Files.exists(existing)) {
            if (Files.isSymbolicLink(existing)) {
                return "the symbolic link " + existing + " leads to a place that does not exist";
            }
            existing = existing.getParent();
        }
        if (existing != null && Files.isRegularFile(existing)) {
            String kind = Locations.uri(existing.toUri().toString()).getScheme();
            if (!kind.equals("zip") && !kind.equals("hdf5")) {
                return existing + " is a file, which has nothing below it";
            }
            return existing + (kind.equals("zip") ? " is a ZIP archive" : " is an HDF5 file")
                    + "; a path in it is given as " + existing + "!"
                    + existing.relativize(path).toString().replace(File.separatorChar, '/');
        }
        return missingFile();
    }

    /** Describes a path that does not exist, below a folder. */
    private String missingFile() {
        int bang = path.toString().lastIndexOf('!');
        Path outer = Path.of(path.toString().substring(0, Math.max(0, bang)));
        if (bang > 0 && Files.exists(outer)) {
            return outer
                    + (Files.isDirectory(outer)
                            ? " is a folder; give /PATH in place of !PATH"
                            : " is neither a ZIP archive nor an HDF5 file, so !PATH names no node in it; expected "
                                    + EXPECTED);
        }
        int fragment = path.toString().indexOf(SHAPE);
        if (fragment > 0 && Files.isDirectory(Path.of(path.toString().substring(0, fragment)))) {
            return "a location with #shape= is one of webknossos-wrap and begins with wkw: (wkw:" + path + ")";
        }
        Optional<Path> similar = Optional.ofNullable(path.getParent()).flatMap(this::sameButForCase);
        if (similar.isPresent()) {
            return "this place does not exist, but " + similar.get() + " does; upper and lower case differ";
        }
        return above().map(text -> "this place does not exist; " + text).orElseGet(() -> {
            Path existing = path.getParent();
            while (existing != null && !Files.exists(existing)) {
                existing = existing.getParent();
            }
            return "this place does not exist"
                    + (existing == null || existing.equals(path.getParent())
                            ? ""
                            : ", nor its folder; " + existing + " exists")
                    + "; check the path. Expected " + EXPECTED;
        });
    }

    /** Returns the entry of a folder that differs from the path's name only in upper and lower case. */
    private Optional<Path> sameButForCase(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        String name = String.valueOf(path.getFileName());
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(p -> p.getFileName().toString().equalsIgnoreCase(name))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Describes the nearest node above this path, for the message; empty if there is none. */
    Optional<String> above() {
        return Stream.iterate(path.getParent(), Objects::nonNull, Path::getParent)
                .filter(p -> Files.exists(p.resolve(NodePath.DOCUMENT))
                        || V2_DOCUMENTS.stream().anyMatch(v2 -> Files.exists(p.resolve(v2))))
                .findFirst()
                .map(p -> ArrayDocuments.isArray(p)
                        ? "it lies in the folder of the array " + p + ", which has no children; give that folder"
                        : "it lies in the folder of the group " + p + ", which has no such child; list its children");
    }
}
