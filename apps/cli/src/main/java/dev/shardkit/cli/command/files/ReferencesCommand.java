package dev.shardkit.cli.command.files;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.RefusedException;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.files.TiffReferences;
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.pictures.ShellWords;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code references}: writes a document of references to files of other formats. */
@Command(
        name = "references",
        description = {
            "Write a document of references to HDF5, NetCDF4 and TIFF files, as kerchunk does; copies no chunk.",
            "shardkit opens the document as reference:DOCUMENT; fsspec and zarr-python read it too, if its URLs are "
                    + "absolute (--url). The nodes are those of Zarr v2. With several files, the nodes of each are in a "
                    + "group with the name of the file.",
            "If a dataset or image is unsupported, the command names it and writes nothing, unless --skip-unsupported is "
                    + "given.",
            "Exit status: 0 done; 1 something is unsupported, and nothing was written; 2 wrong usage. With "
                    + "--skip-unsupported: 1 some datasets or images were left out, 3 the command did not finish."
        })
public final class ReferencesCommand extends ShardkitCommand {
    /** A URL. Its scheme has at least two characters, because one is the drive of a Windows path. */
    private static final String URL_PATTERN = "(?s)[A-Za-z][A-Za-z0-9+.-]+:.*";

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "The files: paths or URLs; FILE!PATH for a group or dataset of an HDF5 file.")
    private List<String> files = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DOCUMENT",
            required = true,
            description = "The file to write; - for standard output. On a stream, the URLs of files are absolute.")
    private String document = "";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The folder of the files as the document names it, such as https://example.org/data "
                    + "(default: relative to the document, or the URL itself). fsspec resolves no relative names.")
    private @Nullable String url;

    @Option(
            names = "--skip-unsupported",
            description = "Leave out unsupported datasets and images, and name them (default: write nothing).")
    private boolean skipUnsupported;

    public ReferencesCommand(Output output) {
        super(output);
    }

    /** The references to one file. */
    record FileReferences(Json.Obj references, List<String> leftOut, List<String> notes) {}

    @Override
    public int faultStatus() {
        return skipUnsupported ? 3 : 1;
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return restartAdvice(command);
    }

    @Override
    public int run() throws IOException {
        ZarrOptions options = options();
        Map<String, Json> references = new LinkedHashMap<>();
        List<String> leftOut = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        if (files.size() > 1) {
            references.put(".zgroup", Json.of("{\"zarr_format\":2}"));
        }
        for (String file : files) {
            ForeignFile foreign = ForeignFile.of(file);
            FileReferences fileReferences = readReferences(foreign, options);
            String groupName = files.size() > 1 ? foreign.stem() : "";
            if (!groupName.isEmpty() && references.keySet().stream().anyMatch(key -> key.startsWith(groupName + "/"))) {
                throw new UsageException("two files are called " + groupName + "; write a document for each");
            }
            fileReferences
                    .references()
                    .members()
                    .forEach((key, value) -> references.put(StoreKeys.join(groupName, key), value));
            fileReferences.leftOut().forEach(text -> leftOut.add(file + ": " + text));
            fileReferences.notes().forEach(text -> notes.add("note: " + file + ": " + text));
        }
        leftOut.forEach(
                text -> output().printMessage((skipUnsupported ? "left out: " : "cannot be expressed: ") + text));
        if (!leftOut.isEmpty() && !skipUnsupported) {
            throw new RefusedException("nothing was written, because "
                    + NodeText.count(leftOut.size(), "dataset or image", "datasets or images")
                    + " cannot be expressed as ranges of files; --skip-unsupported leaves them out, and shardkit copy copies "
                    + "them with the others");
        }
        ReferenceFile target = new ReferenceFile(document);
        long count = target.write(
                Json.object().with("version", Json.of(1)).with("refs", new Json.Obj(references)), output());
        notes.forEach(output()::printMessage);
        target.printSummary(
                NodeText.count(count, "reference") + " in " + document + "; opened as "
                        + ShellWords.quoted("reference:" + (document.equals("-") ? "FILE" : document) + allowOptions()),
                output());
        return leftOut.isEmpty() ? 0 : 1;
    }

    /**
     * Returns the options of a location that allow references outside the folder of the document, in the form
     * {@code #allow=FOLDER&allow=FOLDER}; empty if the document needs none.
     */
    private String allowOptions() {
        String folders = files.stream()
                .map(file -> url(ForeignFile.of(file)))
                .filter(target -> target.matches(URL_PATTERN))
                .map(target -> "allow=" + escapedFolder(target))
                .distinct()
                .collect(Collectors.joining("&"));
        return folders.isEmpty() ? "" : "#" + folders;
    }

    /** Returns the folder of a URL, escaped as an option of a location. */
    private static String escapedFolder(String target) {
        String path = target.replaceFirst("[?].*", "");
        return path.substring(0, path.lastIndexOf('/') + 1).replace("&", "%26").replace("#", "%23");
    }

    private FileReferences readReferences(ForeignFile file, ZarrOptions options) throws IOException {
        try (Store store = Zarr.openStore(file.folder().toString(), options)) {
            if (file.path().isEmpty() && TiffReferences.isTiff(readHead(store, file.name()))) {
                TiffReferences tiff = TiffReferences.of(store, file.name(), url(file));
                return new FileReferences(tiff.references(), tiff.leftOut(), tiff.notes());
            }
            Hdf5References hdf5 = Hdf5References.of(store, file.name(), file.path(), url(file));
            return new FileReferences(hdf5.references(), hdf5.leftOut(), hdf5.notes());
        }
    }

    /** Returns the first bytes of a file; empty if it is missing. The reader then reports that. */
    private static byte[] readHead(Store store, String key) throws IOException {
        Optional<ObjectSnapshot> snapshot = BlockingStore.to(store).open(key);
        if (snapshot.isEmpty()) {
            return new byte[0];
        }
        try (ObjectSnapshot file = snapshot.get()) {
            byte[] bytes = new byte[(int) Math.min(4, file.size())]; // as many as tell a TIFF file
            file.read(0, ByteBuffer.wrap(bytes));
            return bytes;
        }
    }

    /** Returns the URL of a file as the document names it; relative if the file is below the document's folder. */
    private String url(ForeignFile file) {
        return url == null
                ? new ReferenceFile(document).urlInDocument(file.uri())
                : url.replaceAll("/+$", "") + "/" + file.name();
    }

    /**
     * A file of another format.
     *
     * @param uri the URL of the file
     * @param path the path inside the file; empty for the whole file
     */
    record ForeignFile(URI uri, String path) {
        static ForeignFile of(String text) {
            int separator = text.lastIndexOf('!');
            String location = separator < 0 ? text : text.substring(0, separator);
            location = location.startsWith("hdf5:") ? location.substring("hdf5:".length()) : location;
            boolean isUrl = location.matches(URL_PATTERN);
            URI uri = isUrl
                    ? URI.create(location)
                    : Path.of(location).toAbsolutePath().normalize().toUri();
            if (uri.getRawPath() == null || uri.getRawPath().endsWith("/")) {
                throw new UsageException("expected a file, found " + text);
            }
            return new ForeignFile(uri, separator < 0 ? "" : text.substring(separator + 1));
        }

        /** Returns the folder of the file. It keeps the query, which {@code resolve} drops. */
        URI folder() {
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            return URI.create(uri.resolve(".") + query);
        }

        /** Returns the decoded name of the file. Only in forms, a {@code +} means a space: here it stays. */
        String name() {
            String raw = uri.getRawPath();
            return URLDecoder.decode(
                    raw.substring(raw.lastIndexOf('/') + 1).replace("+", "%2B"), StandardCharsets.UTF_8);
        }

        /** Returns the name of the file without its suffix. */
        String stem() {
            String name = name();
            int dot = name.lastIndexOf('.');
            return dot > 0 ? name.substring(0, dot) : name;
        }
    }
}
