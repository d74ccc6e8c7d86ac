package dev.shardkit.fuzz;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.files.TiffReferences;
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.reference.ReferenceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Fuzz targets for files of other formats: Blosc2, HDF5 and TIFF. The input is the file. Its nodes are opened, and
 * small arrays are read.
 */
final class ForeignFiles {
    private static final ZarrOptions OPTIONS = ForeignObjects.OPTIONS;

    private ForeignFiles() {}

    /**
     * Reads a frame of Blosc2. If the input begins with a zero byte, it is a sparse frame, which is a folder: the input
     * has its files, each after its size in two bytes. The first file is the frame, the others are chunks.
     */
    static void frame(byte[] input) {
        if (input.length > 0 && input[0] == 0) {
            inFolder(files(input), ForeignFiles::frame);
        } else {
            inFile(input, ".b2nd", ForeignFiles::frame);
        }
    }

    private static void frame(Path location) {
        FuzzTarget.declared(() -> Zarr.openArray("b2nd:" + location, OPTIONS)).ifPresent(array -> {
            try (array) {
                ForeignObjects.read(array);
            }
        });
    }

    /** Reads an HDF5 file: opens its groups and datasets, two levels deep, and creates references to its chunks. */
    static void hdf5(byte[] input) {
        inFile(input, ".h5", file -> FuzzTarget.declared(() -> Zarr.openStore("hdf5:" + file, OPTIONS))
                .ifPresent(opened -> {
                    try (opened) {
                        readTree(opened, "", 2);
                    }
                }));
        MemoryStore store = MemoryStore.create();
        Stored.put(store, "a.h5", input);
        FuzzTarget.declared(() -> checked(() -> Hdf5References.of(store, "a.h5", "", "a.h5")));
    }

    /** Reads a TIFF file: creates references to its strips and tiles, and reads the images through the references. */
    static void tiff(byte[] input) {
        MemoryStore files = MemoryStore.create();
        Stored.put(files, "a.tif", input);
        FuzzTarget.declared(() -> checked(() -> TiffReferences.of(files, "a.tif", "a.tif")))
                .ifPresent(found -> {
                    Json.Obj document =
                            Json.object().with("version", Json.of(1)).with("refs", found.references());
                    Stored.put(files, "refs.json", document.toString().getBytes(StandardCharsets.UTF_8));
                    URI location = URI.create("http://host.test/refs.json");
                    FuzzTarget.declared(() -> checked(() -> ReferenceStore.builder(location, uri -> files)
                                    .open()))
                            .ifPresent(store -> readTree(store, "", 1));
                });
    }

    /** Returns the files of a sparse frame of Blosc2 by their names: at most eight. */
    private static Map<String, byte[]> files(byte[] input) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (int at = 1; at + 2 <= input.length && files.size() < 8; ) {
            int size = (input[at] & 0xff) << 8 | input[at + 1] & 0xff;
            String name = files.isEmpty() ? "chunks.b2frame" : String.format("%08X.chunk", files.size() - 1);
            files.put(name, Arrays.copyOfRange(input, at + 2, Math.min(input.length, at + 2 + size)));
            at += 2 + size;
        }
        return files;
    }

    /** Writes files into a temporary folder, reads the folder, and deletes it. */
    private static void inFolder(Map<String, byte[]> files, Consumer<Path> reading) {
        try {
            Path folder = Files.createTempDirectory("shardkit-fuzz");
            try {
                for (var file : files.entrySet()) {
                    Files.write(folder.resolve(file.getKey()), file.getValue());
                }
                reading.accept(folder);
            } finally {
                for (String name : files.keySet()) {
                    Files.deleteIfExists(folder.resolve(name));
                }
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a temporary file, reads it, and deletes it. */
    private static void inFile(byte[] input, String suffix, Consumer<Path> reading) {
        try {
            Path file = Files.createTempFile("shardkit-fuzz", suffix);
            try {
                Files.write(file, input);
                reading.accept(file);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Calls code with checked exceptions, which are failures here. Declared errors are unchecked, and are passed on.
     */
    private static <T> T checked(Callable<T> call) {
        try {
            return call.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the node at a path, and up to eight nodes below it on each of {@code levels} levels. */
    private static void readTree(Store store, String path, int levels) {
        Optional<ZarrNode> node =
                FuzzTarget.declared(() -> Zarr.find(store, path, OPTIONS)).flatMap(found -> found);
        node.ifPresent(ForeignObjects::read);
        if (levels == 0 || node.filter(ZarrArray.class::isInstance).isPresent()) {
            return;
        }
        List<String> names = new ArrayList<>();
        checked(() -> {
            BlockingStore.to(store).list(path, entry -> names.add(entry.name()));
            return names;
        });
        for (String name : names.subList(0, Math.min(8, names.size()))) {
            if (!name.equals("zarr.json")) {
                readTree(store, path.isEmpty() ? name : path + "/" + name, levels - 1);
            }
        }
    }
}
