package dev.shardkit;

import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.type.StructType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The asynchronous calls of the API and the blocking calls that take memory of the caller, by their signatures. Tests
 * compare the signatures with the methods of the API, so a new method cannot be left out.
 */
final class AsyncCalls {
    static final int LENGTH = 1024;

    /** 16 shards of 4 inner chunks. */
    static final ArraySpec SPEC =
            ArraySpec.of("int32", LENGTH).withChunkShape(16).withShardShape(64).withFillValue(-1);

    private static final List<Class<?>> TYPES = List.of(
            Zarr.class,
            ZarrArray.class,
            ZarrGroup.class,
            ZarrView.class,
            ZarrPoints.class,
            ZarrField.class,
            SliceWriter.class,
            Transaction.class,
            ChunkPresence.class);

    private static final Set<Class<?>> MEMORY = Set.of(NdArray.class, Feed.class, Target.class, Object.class);

    /** The elements of a call, and what it is made with. */
    static final class Scene {
        final Store store;
        final String path;
        final ZarrArray array;
        final int[] memory = new int[LENGTH];
        private final ZarrOptions options;
        final List<AutoCloseable> after = new ArrayList<>();

        Scene(Store store, String path, ZarrArray array, int value, ZarrOptions options) {
            this.options = options;
            this.store = store;
            this.path = path;
            this.array = array;
            Arrays.fill(memory, value);
        }

        NdArray values() {
            return NdArray.of(array.dataType(), new long[] {LENGTH}, memory);
        }

        Feed feed() {
            return JavaArrayAdapters.feed(array.dataType(), new long[] {LENGTH}, memory, 0);
        }

        Target target() {
            return JavaArrayAdapters.target(array.dataType(), new long[] {LENGTH}, memory, 0);
        }

        Box all() {
            return Box.of(new long[] {0}, new long[] {LENGTH});
        }

        ZarrPoints points() {
            long[][] points = new long[LENGTH][];
            Arrays.setAll(points, i -> new long[] {i});
            return array.view().points(points);
        }

        /** Returns a stream that overwrites the array. It is closed after the call has ended. */
        SliceWriter slices() {
            SliceWriter slices = array.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.FIXED));
            after.add(slices);
            return slices;
        }

        /** Returns a transaction, which is closed after the call has ended: it discards what it did not commit. */
        Transaction transaction() {
            Transaction transaction = array.transaction(1 << 20);
            after.add(transaction);
            return transaction;
        }

        ZarrGroup group() {
            return Zarr.createGroup(store, path + "-group", Json.object(), IfExists.OVERWRITE, options());
        }

        /** Returns the location of a new array or group, whose files are deleted after the call. */
        String folder(String kind) {
            try {
                Path folder = Files.createTempDirectory("calls");
                after.add(() -> {
                    try (Store files = FileStore.at(folder)) {
                        BlockingStore.to(files).deleteAll("");
                    }
                    Files.deleteIfExists(folder);
                });
                if (kind.equals("array")) {
                    Zarr.createArray(folder.toString(), SPEC).close();
                } else {
                    Zarr.createGroup(folder.toString(), Json.object(), IfExists.OVERWRITE, options)
                            .close();
                }
                return folder.toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Closes a node after the call, before its files are deleted. */
        <N extends AutoCloseable> N closing(N node) {
            after.add(0, node);
            return node;
        }

        ZarrOptions options() {
            return options;
        }
    }

    /** Asynchronous writes and reads of the caller's memory. */
    static final TreeMap<String, Function<Scene, CompletableFuture<?>>> WITH_MEMORY = new TreeMap<>();

    /** Blocking writes and reads of the caller's memory. */
    static final TreeMap<String, Consumer<Scene>> BLOCKING = new TreeMap<>();

    /** The other asynchronous calls. */
    static final TreeMap<String, Function<Scene, CompletableFuture<?>>> OTHERS = new TreeMap<>();

    static {
        WITH_MEMORY.put("ZarrArray.writeAsync(Box, NdArray)", s -> s.array.writeAsync(s.all(), s.values()));
        WITH_MEMORY.put("ZarrArray.writeAsync(Box, Feed)", s -> s.array.writeAsync(s.all(), s.feed()));
        WITH_MEMORY.put("ZarrArray.readAsync(Box, Target)", s -> s.array.readAsync(s.all(), s.target()));
        WITH_MEMORY.put("ZarrView.writeAsync(NdArray)", s -> s.array.view().writeAsync(s.values()));
        WITH_MEMORY.put("ZarrPoints.writeAsync(NdArray)", s -> s.points().writeAsync(s.values()));
        WITH_MEMORY.put("SliceWriter.writeAsync(NdArray)", s -> s.slices().writeAsync(s.values()));

        BLOCKING.put("ZarrArray.write(Box, NdArray)", s -> s.array.write(s.all(), s.values()));
        BLOCKING.put("ZarrArray.write(Box, Object, int)", s -> s.array.write(s.all(), s.memory, 0));
        BLOCKING.put("ZarrArray.write(Box, Feed)", s -> s.array.write(s.all(), s.feed()));
        BLOCKING.put("ZarrArray.read(Box, Target)", s -> s.array.read(s.all(), s.target()));
        BLOCKING.put("ZarrArray.readInto(Object, int, Box)", s -> s.array.readInto(s.memory, 0, s.all()));
        BLOCKING.put("ZarrView.write(NdArray)", s -> s.array.view().write(s.values()));
        BLOCKING.put("ZarrView.write(Object, int)", s -> s.array.view().write(s.memory, 0));
        BLOCKING.put("ZarrView.write(Feed)", s -> s.array.view().write(s.feed()));
        BLOCKING.put("ZarrView.read(Target)", s -> s.array.view().read(s.target()));
        BLOCKING.put("ZarrView.readInto(Object, int)", s -> s.array.view().readInto(s.memory, 0));
        BLOCKING.put("ZarrPoints.write(NdArray)", s -> s.points().write(s.values()));
        BLOCKING.put("SliceWriter.write(NdArray)", s -> s.slices().write(s.values()));
        BLOCKING.put("SliceWriter.write(Object, int)", s -> s.slices().write(s.memory, 0));
        BLOCKING.put("SliceWriter.write(Object, int, int)", s -> s.slices().write(s.memory, 0, LENGTH));
        BLOCKING.put("SliceWriter.writeTile(long[], NdArray)", s -> {
            SliceWriter slices = s.slices();
            int[] element = new int[1]; // a tile is copied, so the next one may have its memory
            for (int value : s.memory) {
                element[0] = value;
                slices.writeTile(new long[] {0}, NdArray.of(s.array.dataType(), new long[] {1}, element));
            }
        });
        BLOCKING.put("Transaction.write(Box, NdArray)", s -> {
            Transaction transaction = s.transaction();
            transaction.write(s.all(), s.values());
            transaction.commit();
        });
        BLOCKING.put("Transaction.write(Box, Object, int)", s -> {
            Transaction transaction = s.transaction();
            transaction.write(s.all(), s.memory, 0);
            transaction.commit();
        });
        BLOCKING.put("Transaction.writeOwned(Box, NdArray)", s -> {
            Transaction transaction = s.transaction();
            transaction.writeOwned(s.all(), s.values());
            transaction.commit();
        });

        OTHERS.put(
                "Zarr.openArrayAsync(Store, String, ZarrOptions)",
                s -> Zarr.openArrayAsync(s.store, s.path, s.options()));
        OTHERS.put("Zarr.openGroupAsync(Store, String, ZarrOptions)", s -> {
            s.group();
            return Zarr.openGroupAsync(s.store, s.path + "-group", s.options());
        });
        OTHERS.put(
                "Zarr.createArrayAsync(Store, String, ArraySpec, IfExists, ZarrOptions)",
                s -> Zarr.createArrayAsync(s.store, s.path + "-array", SPEC, IfExists.OVERWRITE, s.options()));
        OTHERS.put(
                "Zarr.createGroupAsync(Store, String, Obj, IfExists, ZarrOptions)",
                s -> Zarr.createGroupAsync(s.store, s.path + "-group", Json.object(), IfExists.OVERWRITE, s.options()));
        OTHERS.put("ZarrGroup.createArrayAsync(String, ArraySpec, IfExists)", s -> s.group()
                .createArrayAsync("a", SPEC, IfExists.OVERWRITE));
        OTHERS.put("ZarrGroup.createGroupAsync(String, Obj, IfExists)", s -> s.group()
                .createGroupAsync("g", Json.object(), IfExists.OVERWRITE));
        OTHERS.put("Zarr.openArrayAsync(String, ZarrOptions)", s -> Zarr.openArrayAsync(s.folder("array"), s.options())
                .thenApply(s::closing));
        OTHERS.put("Zarr.openGroupAsync(String, ZarrOptions)", s -> Zarr.openGroupAsync(s.folder("group"), s.options())
                .thenApply(s::closing));
        OTHERS.put("ZarrArray.refreshAsync()", s -> s.array.refreshAsync());
        OTHERS.put("ZarrArray.readAsync(Box)", s -> s.array.readAsync(s.all()));
        OTHERS.put("ZarrArray.eraseAsync(Box)", s -> s.array.eraseAsync(s.all()));
        OTHERS.put(
                "ZarrArray.resizeAsync(long[], ResizePolicy)",
                s -> s.array.resizeAsync(new long[] {LENGTH}, ResizePolicy.REMOVE));
        OTHERS.put("ZarrView.readAsync()", s -> s.array.view().readAsync());
        OTHERS.put("ZarrPoints.readAsync()", s -> s.points().readAsync());
        OTHERS.put("ZarrField.readAsync(Box)", s -> {
            ArraySpec records = ArraySpec.of(StructType.of("x", CoreTypes.INT32).json(), LENGTH);
            ZarrArray array = Zarr.createArray(s.store, s.path + "-records", records, IfExists.OVERWRITE, s.options());
            return array.field("x").readAsync(s.all());
        });
        OTHERS.put("SliceWriter.flushAsync()", s -> {
            SliceWriter slices = s.slices();
            slices.write(s.memory, 0);
            return slices.flushAsync();
        });
        OTHERS.put("Transaction.commitAsync()", s -> {
            Transaction transaction = s.transaction();
            transaction.write(s.all(), s.values());
            return transaction.commitAsync();
        });
        OTHERS.put("ChunkPresence.existsAsync(long[])", s -> s.array.presence().existsAsync(3));
        OTHERS.put("ChunkPresence.bitmapAsync()", s -> s.array.presence().bitmapAsync());
    }

    private AsyncCalls() {}

    /** Returns the signatures of the asynchronous calls of the API. */
    static Set<String> asynchronous() {
        return signatures(method -> CompletableFuture.class.isAssignableFrom(method.getReturnType()));
    }

    /**
     * Returns the signatures of the blocking calls of the API that take memory. Not those that take it over: they use
     * it after they have returned, and say when they release it.
     */
    static Set<String> blockingWithMemory() {
        return signatures(method -> method.getReturnType() == void.class
                && takesMemory(method)
                && (method.getDeclaringClass() == Transaction.class
                        || !method.getName().equals("writeOwned"))); // streams use what they own after the call
    }

    private static boolean takesMemory(Method method) {
        return Arrays.stream(method.getParameterTypes()).anyMatch(MEMORY::contains);
    }

    private static Set<String> signatures(Predicate<Method> wanted) {
        return TYPES.stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> method.getDeclaringClass() != Object.class)
                .filter(wanted)
                .map(AsyncCalls::signature)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String signature(Method method) {
        Class<?> type = method.getDeclaringClass();
        String name = type.getSimpleName();
        return name + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
