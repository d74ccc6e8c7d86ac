package dev.shardkit.cli.command.files;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.InputFile;
import dev.shardkit.cli.base.ParentGroupCreation;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.StagedImport;
import dev.shardkit.cli.option.LayoutOptions;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.option.PageDimensions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.files.ImportSource;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code import}: creates an array from files of another format. */
@Command(
        name = "import",
        description = {
            "Create an array from an npy file, a raw file, or PNG or TIFF images.",
            "Images of the same size become a stack: in the order given, or in a folder by the numbers in their names. "
                    + "Other programs see no array before the import is complete.",
            "The pages of an ImageJ hyperstack or an OME-TIFF file become the dimensions t, c and z; --dimensions states "
                    + "those of other images.",
            "URL may begin with n5: to make an array of that format; --codecs is then raw, gzip, zlib, bzip2, xz, zstd, "
                    + "blosc or lz4, with an optional level as in gzip:6."
        },
        footer = {
            "",
            "Examples: shardkit import slices/ volume.zarr --chunk-shape 64,64,64 --shard-shape 256,256,256",
            "          shardkit import movie.tif movie.zarr --dimensions t=3,c=2,z=5",
            "          shardkit import rows.bin rows.zarr --shape 1000,512 --data-type uint16 --byte-order big"
        })
public final class ImportCommand extends ShardkitCommand {
    private static final String CSV_ADVICE =
            "shardkit writes CSV, but does not read it: make an npy file, as with Python: "
                    + "numpy.save('data.npy', numpy.loadtxt('data.csv', delimiter=','))";
    private static final Pattern IMAGE = Pattern.compile("(?i).*\\.(png|tiff?)");
    /** Files that shardkit opens as arrays or groups, so they are not imported. */
    private static final Pattern OPENABLE = Pattern.compile("(?i).*\\.(h5|hdf5|he5|nc|nc4|b2nd|zip|ozx)");

    /** The places in a name where a number begins or ends. */
    private static final Pattern NUMBER_BOUNDARY = Pattern.compile("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)");

    @Parameters(
            arity = "2..*",
            paramLabel = "FILE... URL",
            hideParamSyntax = true,
            description =
                    "The files or a folder of images, then the URL of the new array. FILE - reads an npy or raw file "
                            + "from standard input.")
    private List<String> locations = new ArrayList<>();

    @Option(names = "--shape", paramLabel = "SHAPE", description = "The shape of a raw file.")
    private @Nullable Lengths shape;

    @Option(
            names = "--data-type",
            paramLabel = "TYPE",
            description = "The data type of a raw file, whose elements have a fixed size.")
    private @Nullable String dataType;

    @Option(
            names = "--byte-order",
            paramLabel = "little|big",
            description = "The byte order of a raw file (default: little).")
    private Order byteOrder = Order.LITTLE;

    @Option(
            names = "--dimensions",
            paramLabel = "NAME=LENGTH,...",
            description = "The dimensions of the pages or images, such as t=3,c=2,z=5, slowest first. Descriptions in "
                    + "the files are ignored.")
    private @Nullable PageDimensions dimensions;

    @Mixin
    private final LayoutOptions layout = new LayoutOptions();

    @Option(names = "--overwrite", description = "Replace an existing array, group or unfinished import.")
    private boolean overwrite;

    /** A byte order. */
    private enum Order {
        LITTLE,
        BIG
    }

    /** Whether the import has begun. With {@code --overwrite}, it has then removed earlier content of the target. */
    private volatile boolean hasBegun;

    public ImportCommand(Output output) {
        super(output);
    }

    @Override
    public boolean acceptsStreams() {
        return true;
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return Optional.of(describeState(command));
    }

    @Override
    public Optional<String> adviceAfterFailure(String command) {
        return mayHaveChanged() ? Optional.of(describeState(command)) : Optional.empty();
    }

    /** Returns the state that an interrupted import leaves. Archives keep their content until the import succeeds. */
    private String describeState(String command) {
        boolean isRemoved = hasBegun && overwrite && !isInArchive(locations.get(locations.size() - 1));
        return (isRemoved
                        ? "the place is empty, because --overwrite removes what was there first"
                        : "nothing was changed")
                + "; to begin again, "
                + repeatAdvice(
                        locations.stream()
                                .filter(InputFile::isStream)
                                .findFirst()
                                .orElse(""),
                        command);
    }

    @Override
    public int run() throws IOException {
        List<String> names = locations.subList(0, locations.size() - 1);
        if (names.size() > 1 && names.stream().anyMatch(InputFile::isStandardInput)) {
            throw new UsageException("FILE - is standard input, which is the only file then");
        }
        List<InputFile> files = new ArrayList<>();
        try {
            for (String name : names) {
                // The suffix is for a file that holds standard input: it tells openSource the format.
                files.add(InputFile.open(name, shape == null ? ".npy" : ".raw", output()));
            }
            importFiles(files.stream().map(InputFile::path).toList());
            return 0;
        } finally {
            for (InputFile file : files) {
                file.close();
            }
        }
    }

    private void importFiles(List<Path> files) throws IOException {
        try (ImportSource source = openSource(files)) {
            createArray(source);
        }
    }

    /** Opens the files as the kind of source that the options and the names of the files say. */
    private ImportSource openSource(List<Path> files) throws IOException {
        Path first = files.get(0);
        boolean isNpy =
                files.size() == 1 && first.toString().toLowerCase(Locale.ROOT).endsWith(".npy");
        if (dimensions != null && (isNpy || shape != null || dataType != null)) {
            throw new UsageException("--dimensions is for PNG and TIFF images");
        } else if (shape != null && dataType != null && files.size() == 1) {
            Json type = Options.dataType("--data-type", dataType);
            ByteOrder order = byteOrder == Order.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            return ImportSource.raw(first, type, shape.values(), order);
        } else if (shape != null || dataType != null) {
            throw new UsageException("--shape and --data-type together describe one raw file");
        } else if (isNpy) {
            return ImportSource.npy(first);
        }
        List<Path> images = files.size() == 1 && Files.isDirectory(first) ? listImages(first) : files;
        for (Path image : images) {
            if (!IMAGE.matcher(image.toString()).matches()) {
                throw new UsageException(image + ": expected a name that ends in .npy, .png, .tif or .tiff; "
                        + adviceFor(image.toString()));
            }
        }
        return dimensions == null ? ImportSource.images(images) : dimensions.openImages(images);
    }

    /** Returns what the user can do with a file that import does not know by its name. */
    private static String adviceFor(String fileName) {
        if (fileName.toLowerCase(Locale.ROOT).endsWith(".csv")) {
            return CSV_ADVICE;
        } else if (OPENABLE.matcher(fileName).matches()) {
            return "shardkit opens such files itself: use shardkit copy";
        }
        return "for a raw file give --shape and --data-type";
    }

    /** Returns the images in a folder, ordered by the numbers in their names. */
    private static List<Path> listImages(Path folder) throws IOException {
        List<Path> images = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> {
                if (IMAGE.matcher(entry.toString()).matches()) {
                    images.add(entry);
                }
            });
        }
        if (images.isEmpty()) {
            throw new UsageException(folder + " holds no .png, .tif or .tiff file");
        }
        images.sort(Comparator.comparing(image -> image.getFileName().toString(), ImportCommand::compareByNumbers));
        return images;
    }

    /**
     * Compares names so that {@code z9} comes before {@code z10}. Numbers are compared without leading zeros: by their
     * length, then as text.
     */
    public static int compareByNumbers(String first, String second) {
        String[] firstParts = NUMBER_BOUNDARY.split(first);
        String[] secondParts = NUMBER_BOUNDARY.split(second);
        for (int i = 0; i < Math.min(firstParts.length, secondParts.length); i++) {
            String firstPart = firstParts[i].replaceFirst("^0+(?=\\d)", "");
            String secondPart = secondParts[i].replaceFirst("^0+(?=\\d)", "");
            boolean areNumbers = firstPart.matches("\\d+") && secondPart.matches("\\d+");
            int comparison = areNumbers && firstPart.length() != secondPart.length()
                    ? firstPart.length() - secondPart.length()
                    : firstPart.compareTo(secondPart);
            if (comparison != 0) {
                return comparison;
            }
        }
        return firstParts.length != secondParts.length
                ? firstParts.length - secondParts.length
                : first.compareTo(second);
    }

    /** Creates the array in the format of the target, and writes the elements. */
    private void createArray(ImportSource source) throws IOException {
        ZarrOptions options = options();
        ArraySpec spec = ArraySpec.of(source.dataType(), source.shape());
        String[] names = source.dimensionNames().toArray(String[]::new);
        ArraySpec withNames = names.length == 0 ? spec : spec.withDimensionNames(names);
        String url = locations.get(locations.size() - 1);
        boolean isForeignFormat;
        try (Store store = Zarr.openStore(url, options)) {
            isForeignFormat = NamedFormat.name(store).isPresent();
            if (isForeignFormat) {
                NamedFormat.arrayCreation(store, options.registry()).ifPresent(ImportCommand::checkDimensions);
            } else {
                UsageException.reportingOptions(() -> Zarr.describe(layout.applyTo(withNames), options));
            }
            source.notes().forEach(note -> output().printMessage(note));
            if (isForeignFormat && overwrite) {
                throw new UsageException("--overwrite replaces no array of another format: remove the old one first");
            }
            writeArray(
                    source,
                    store,
                    isForeignFormat ? layout.applyToFormat(withNames) : layout.applyTo(withNames),
                    options);
            ParentGroupCreation.createRoot(store, options, output());
        }
        if (!isForeignFormat) {
            ParentGroupCreation.createMissing(url, plainOptions(), output());
        }
    }

    /** Refuses a format that prescribes the dimensions of its arrays. */
    private static void checkDimensions(ArrayCreation creation) {
        if (!creation.dimensions().isEmpty()) {
            throw new UsageException(
                    "import: expected a location of Zarr or N5, found one whose arrays have the dimensions "
                            + creation.dimensions() + "; import into a Zarr array, then use shardkit copy");
        }
    }

    /** Writes the elements and publishes the array; removes the array if the import fails. */
    private void writeArray(ImportSource source, Store store, ArraySpec spec, ZarrOptions options) throws IOException {
        try (ProgressDisplay progress = ProgressDisplay.of("import", output())) {
            StagedImport target =
                    StagedImport.begin(store, spec, overwrite ? IfExists.OVERWRITE : IfExists.REFUSE, options);
            hasBegun = true;
            ZarrArray array = target.array();
            try {
                source.writeTo(array, array.domain(), (path, done, total) -> {
                    markChanging();
                    progress.onProgress(done, total);
                });
                target.publish();
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                target.fail(e);
                throw e;
            }
        }
    }
}
