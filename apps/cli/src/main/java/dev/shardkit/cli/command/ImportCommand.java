package dev.shardkit.cli.command;

import dev.shardkit.ArraySpec;
import dev.shardkit.Existing;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.GroupsAbove;
import dev.shardkit.cli.base.InputFile;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.StagedImport;
import dev.shardkit.cli.option.LayoutOptions;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.option.PageDimensions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.Progress;
import dev.shardkit.cli.print.WrongUse;
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
    private static final String CSV = "shardkit writes CSV, but does not read it: make an npy file, as with Python: "
            + "numpy.save('data.npy', numpy.loadtxt('data.csv', delimiter=','))";
    private static final Pattern IMAGE = Pattern.compile("(?i).*\\.(png|tiff?)");
    /** Files that are locations of arrays or groups. */
    private static final Pattern OPENED = Pattern.compile("(?i).*\\.(h5|hdf5|he5|nc|nc4|b2nd|zip|ozx)");

    private static final Pattern DIGITS = Pattern.compile("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)");

    @Parameters(
            arity = "2..*",
            paramLabel = "FILE... URL",
            hideParamSyntax = true,
            description =
                    "The files or a folder of images, then the URL of the new array. FILE - reads an npy or raw file "
                            + "from standard input.")
    private List<String> places = new ArrayList<>();

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
    private Order order = Order.LITTLE;

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

    /** Whether what was at the place before is removed. */
    private volatile boolean hasRoom;

    public ImportCommand(Output output) {
        super(output);
    }

    @Override
    public boolean takesStreams() {
        return true;
    }

    @Override
    public Optional<String> afterSignal(String command) {
        return Optional.of(left(command));
    }

    @Override
    public Optional<String> afterFailure(String command) {
        return hasBegun() ? Optional.of(left(command)) : Optional.empty();
    }

    private String left(String command) {
        boolean isRemoved = hasRoom && overwrite && !isInArchive(places.get(places.size() - 1));
        return (isRemoved
                        ? "the place is empty, because --overwrite removes what was there first"
                        : "nothing was changed")
                + "; to begin again, "
                + again(places.stream().filter(InputFile::isStream).findFirst().orElse(""), command);
    }

    @Override
    public int run() throws IOException {
        List<String> names = places.subList(0, places.size() - 1);
        if (names.size() > 1 && names.stream().anyMatch(InputFile::isStandardInput)) {
            throw new WrongUse("FILE - is standard input, which is the only file then");
        }
        List<InputFile> files = new ArrayList<>();
        try {
            for (String name : names) {
                files.add(InputFile.of(name, shape == null ? ".npy" : ".raw", output()));
            }
            read(files.stream().map(InputFile::path).toList());
            return 0;
        } finally {
            for (InputFile file : files) {
                file.close();
            }
        }
    }

    private void read(List<Path> files) throws IOException {
        try (ImportSource source = open(files)) {
            create(source);
        }
    }

    private ImportSource open(List<Path> files) throws IOException {
        Path first = files.get(0);
        boolean isNpy =
                files.size() == 1 && first.toString().toLowerCase(Locale.ROOT).endsWith(".npy");
        if (dimensions != null && (isNpy || shape != null || dataType != null)) {
            throw new WrongUse("--dimensions is for PNG and TIFF images");
        } else if (shape != null && dataType != null && files.size() == 1) {
            Json type = Options.dataType("--data-type", dataType);
            ByteOrder bytes = order == Order.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            return ImportSource.raw(first, type, shape.values(), bytes);
        } else if (shape != null || dataType != null) {
            throw new WrongUse("--shape and --data-type together describe one raw file");
        } else if (isNpy) {
            return ImportSource.npy(first);
        }
        List<Path> images = files.size() == 1 && Files.isDirectory(first) ? images(first) : files;
        for (Path image : images) {
            if (!IMAGE.matcher(image.toString()).matches()) {
                throw new WrongUse(image + ": expected a name that ends in .npy, .png, .tif or .tiff; "
                        + (image.toString().toLowerCase(Locale.ROOT).endsWith(".csv")
                                ? CSV
                                : OPENED.matcher(image.toString()).matches()
                                        ? "shardkit opens such files itself: use shardkit copy"
                                        : "for a raw file give --shape and --data-type"));
            }
        }
        return dimensions == null ? ImportSource.images(images) : dimensions.of(images);
    }

    private static List<Path> images(Path folder) throws IOException {
        List<Path> images = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> {
                if (IMAGE.matcher(entry.toString()).matches()) {
                    images.add(entry);
                }
            });
        }
        if (images.isEmpty()) {
            throw new WrongUse(folder + " holds no .png, .tif or .tiff file");
        }
        images.sort(Comparator.comparing(image -> image.getFileName().toString(), ImportCommand::byNumbers));
        return images;
    }

    /** Compares names so that {@code z9} comes before {@code z10}. */
    public static int byNumbers(String a, String b) {
        String[] left = DIGITS.split(a);
        String[] right = DIGITS.split(b);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            String x = left[i].replaceFirst("^0+(?=\\d)", "");
            String y = right[i].replaceFirst("^0+(?=\\d)", "");
            boolean areNumbers = x.matches("\\d+") && y.matches("\\d+");
            int order = areNumbers && x.length() != y.length() ? x.length() - y.length() : x.compareTo(y);
            if (order != 0) {
                return order;
            }
        }
        return left.length != right.length ? left.length - right.length : a.compareTo(b);
    }

    private void create(ImportSource source) throws IOException {
        ZarrOptions options = options();
        ArraySpec found = ArraySpec.of(source.dataType(), source.shape());
        String[] names = source.dimensionNames().toArray(String[]::new);
        ArraySpec named = names.length == 0 ? found : found.withDimensionNames(names);
        String url = places.get(places.size() - 1);
        boolean isOther;
        try (Store store = Zarr.openStore(url, options)) {
            isOther = NamedFormat.name(store).isPresent();
            if (isOther) {
                NamedFormat.creation(store, options.registry()).ifPresent(ImportCommand::checkDimensions);
            } else {
                WrongUse.unlessOptions(() -> Zarr.describe(layout.of(named), options));
            }
            source.notes().forEach(note -> output().message(note));
            if (isOther && overwrite) {
                throw new WrongUse("--overwrite replaces no array of another format: remove the old one first");
            }
            write(source, store, isOther ? layout.ofFormat(named) : layout.of(named), options);
            GroupsAbove.noteRoot(store, options, output());
        }
        if (!isOther) {
            GroupsAbove.make(url, plainOptions(), output());
        }
    }

    /** Refuses a format that adds dimensions to an array, or orders them. */
    private static void checkDimensions(ArrayCreation creation) {
        if (!creation.dimensions().isEmpty()) {
            throw new WrongUse("import: expected a location of Zarr or N5, found one whose arrays have the dimensions "
                    + creation.dimensions() + "; import into a Zarr array, then use shardkit copy");
        }
    }

    private void write(ImportSource source, Store store, ArraySpec spec, ZarrOptions options) throws IOException {
        try (Progress progress = Progress.of("import", output())) {
            StagedImport target =
                    StagedImport.begin(store, spec, overwrite ? Existing.OVERWRITE : Existing.REFUSE, options);
            hasRoom = true;
            ZarrArray array = target.array();
            try {
                source.writeTo(array, array.domain(), (path, done, total) -> {
                    begin();
                    progress.onProgress(done, total);
                });
                target.publish();
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                target.fail();
                throw e;
            }
        }
    }
}
