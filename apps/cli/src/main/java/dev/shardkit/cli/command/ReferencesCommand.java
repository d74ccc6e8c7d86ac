package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.Refusal;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.files.TiffReferences;
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.pictures.ShellWords;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
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
    record Found(Json.Obj references, List<String> leftOut, List<String> notes) {}

    @Override
    public int faultStatus() {
        return skipUnsupported ? 3 : 1;
    }

    @Override
    public Optional<String> afterSignal(String command) {
        return beginAgain(command);
    }

    @Override
    public int run() throws IOException {
        ZarrOptions options = options();
        Map<String, Json> all = new LinkedHashMap<>();
        List<String> leftOut = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        if (files.size() > 1) {
            all.put(".zgroup", Json.of("{\"zarr_format\":2}"));
        }
        for (String file : files) {
            ForeignFile foreign = ForeignFile.of(file);
            Found found = read(foreign, options);
            String below = files.size() > 1 ? foreign.stem() : "";
            if (!below.isEmpty() && all.keySet().stream().anyMatch(key -> key.startsWith(below + "/"))) {
                throw new WrongUse("two files are called " + below + "; write a document for each");
            }
            found.references().members().forEach((key, value) -> all.put(StoreKeys.join(below, key), value));
            found.leftOut().forEach(text -> leftOut.add(file + ": " + text));
            found.notes().forEach(text -> notes.add("note: " + file + ": " + text));
        }
        leftOut.forEach(text -> output().message((skipUnsupported ? "left out: " : "cannot be expressed: ") + text));
        if (!leftOut.isEmpty() && !skipUnsupported) {
            throw new Refusal("nothing was written, because "
                    + NodeFacts.count(leftOut.size(), "dataset or image", "datasets or images")
                    + " cannot be expressed as ranges of files; --skip-unsupported leaves them out, and shardkit copy copies "
                    + "them with the others");
        }
        ReferenceFile target = new ReferenceFile(document);
        long count = target.write(Json.object().with("version", Json.of(1)).with("refs", new Json.Obj(all)), output());
        notes.forEach(output()::message);
        target.tell(
                NodeFacts.count(count, "reference") + " in " + document + "; opened as "
                        + ShellWords.quoted("reference:" + (document.equals("-") ? "FILE" : document) + allowed()),
                output());
        return leftOut.isEmpty() ? 0 : 1;
    }

    /** Returns what a location needs to say so that references may lead out of the document's own folder. */
    private String allowed() {
        String folders = files.stream()
                .map(file -> url(ForeignFile.of(file)))
                .filter(target -> target.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*"))
                .map(target -> "allow=" + folder(target))
                .distinct()
                .collect(Collectors.joining("&"));
        return folders.isEmpty() ? "" : "#" + folders;
    }

    /** Returns the folder of a URL as an option of a location, which {@code &} and {@code #} would end. */
    private static String folder(String target) {
        String path = target.replaceFirst("[?].*", "");
        return path.substring(0, path.lastIndexOf('/') + 1).replace("&", "%26").replace("#", "%23");
    }

    private Found read(ForeignFile file, ZarrOptions options) throws IOException {
        try (Store store = Zarr.openStore(file.folder().toString(), options)) {
            if (file.path().isEmpty() && TiffReferences.isTiff(head(store, file.name()))) {
                TiffReferences found = TiffReferences.of(store, file.name(), url(file));
                return new Found(found.references(), found.leftOut(), found.notes());
            }
            Hdf5References found = Hdf5References.of(store, file.name(), file.path(), url(file));
            return new Found(found.references(), found.leftOut(), found.notes());
        }
    }

    /** Returns the first bytes of a file; none if there is no such file, which the reader then says. */
    private static byte[] head(Store store, String key) throws IOException {
        Optional<Snapshot> found = StoreAccess.to(store).open(key);
        if (found.isEmpty()) {
            return new byte[0];
        }
        try (Snapshot file = found.get()) {
            byte[] head = new byte[(int) Math.min(4, file.size())];
            file.read(0, ByteBuffer.wrap(head));
            return head;
        }
    }

    private String url(ForeignFile file) {
        return url == null
                ? new ReferenceFile(document).url(file.uri())
                : url.replaceAll("/+$", "") + "/" + file.name();
    }

    /**
     * A file of another format.
     *
     * @param uri its URL
     * @param path the path inside it; empty for all of it
     */
    record ForeignFile(URI uri, String path) {
        static ForeignFile of(String text) {
            int bang = text.lastIndexOf('!');
            String outer = bang < 0 ? text : text.substring(0, bang);
            outer = outer.startsWith("hdf5:") ? outer.substring("hdf5:".length()) : outer;
            boolean isUrl = outer.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*");
            URI uri = isUrl
                    ? URI.create(outer)
                    : Path.of(outer).toAbsolutePath().normalize().toUri();
            if (uri.getRawPath() == null || uri.getRawPath().endsWith("/")) {
                throw new WrongUse("expected a file, found " + text);
            }
            return new ForeignFile(uri, bang < 0 ? "" : text.substring(bang + 1));
        }

        URI folder() {
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            return URI.create(uri.resolve(".") + query);
        }

        /** Returns the name of the file. */
        String name() {
            String raw = uri.getRawPath();
            return URLDecoder.decode(
                    raw.substring(raw.lastIndexOf('/') + 1).replace("+", "%2B"), StandardCharsets.UTF_8);
        }

        /** Returns the name of the file without its ending. */
        String stem() {
            String name = name();
            int dot = name.lastIndexOf('.');
            return dot > 0 ? name.substring(0, dot) : name;
        }
    }
}
