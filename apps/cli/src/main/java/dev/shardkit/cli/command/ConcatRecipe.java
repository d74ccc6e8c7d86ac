package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.compare.Comparison.Difference;
import dev.shardkit.maintenance.concat.Concatenation;
import dev.shardkit.maintenance.concat.Concatenation.Source;
import dev.shardkit.maintenance.concat.VirtualConcatenation;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.pictures.ShellWords;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The commands that join groups array by array: of the whole tree, with the attributes of groups, and with the options
 * that each array needs. Arrays without the dimension are copied from the first group, and compared with those of the
 * others. Used once.
 */
final class ConcatRecipe {
    /** Larger arrays are compared by a command. */
    private static final long MAX_COMPARED = 1L << 23;

    private static final int MAX_DIFFERENCES = 3;

    private final List<String> urls;
    private final String dimension;
    private final String target;
    private final boolean isVirtual;
    private final List<String> switches;
    private final ZarrOptions options;
    private final List<String> commands = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private boolean isInFile;

    ConcatRecipe(
            List<String> urls,
            String dimension,
            Optional<String> target,
            boolean isVirtual,
            List<String> switches,
            ZarrOptions options) {
        this.urls = urls;
        this.dimension = dimension;
        this.target = target.orElse("NEW");
        this.isVirtual = isVirtual;
        this.switches = switches;
        this.options = options;
    }

    /** Returns the refusal of the first group, which says how to join its arrays. */
    WrongUse of(ZarrGroup first) {
        isInFile = !urls.get(0).contains("!") && first.location().matches("(?s)(hdf5|zip):.*");
        Map<String, NodeMetadata> nodes = new TreeMap<>(first.descendants());
        String refusal = urls.get(0) + " is a group, and concat joins arrays; ";
        if (nodes.values().stream().noneMatch(ArrayMetadata.class::isInstance)) {
            return new WrongUse(refusal + "it has no arrays");
        } else if (nodes.values().stream().noneMatch(this::hasDimension)) {
            return new WrongUse(refusal + "none of its arrays has a dimension of the name " + dimension);
        }
        group("", first.metadata());
        nodes.forEach((path, node) -> {
            if (node instanceof GroupMetadata group) {
                group(path, group);
            } else if (hasDimension(node)) {
                noting(path, () -> join(path, (ArrayMetadata) node));
            } else if (!isVirtual && node instanceof ArrayMetadata array) {
                noting(path, () -> copy(path, array));
            } else if (!isVirtual) {
                notes.add(path + " needs a plug-in that is missing");
            }
        });
        urls.stream().skip(1).forEach(url -> noting(url, () -> others(url, nodes)));
        if (!isVirtual) {
            commands.add("shardkit consolidate " + ShellWords.quoted(target));
        }
        String left = notes.isEmpty() ? "" : "what does not fit: " + String.join("; ", notes) + "; ";
        return new WrongUse(refusal + left + "join its arrays one by one: " + String.join(" && ", commands));
    }

    private void noting(String what, Runnable step) {
        try {
            step.run();
        } catch (ZarrException e) {
            notes.add(what + " (" + e.getMessage() + ")");
        }
    }

    private boolean hasDimension(NodeMetadata node) {
        return node instanceof ArrayMetadata array
                && array.dimensionNames().orElse(List.of()).contains(Optional.of(dimension));
    }

    private void group(String path, GroupMetadata group) {
        if (!isVirtual) {
            boolean isPlain = group.attributes().members().isEmpty();
            commands.add("shardkit group " + ShellWords.quoted(place(path))
                    + (isPlain
                            ? ""
                            : " --attributes "
                                    + ShellWords.quoted(group.attributes().toString())));
        }
    }

    /** Notes nodes that only another group has. */
    private void others(String url, Map<String, NodeMetadata> nodes) {
        try (ZarrNode node = Zarr.open(url, options)) {
            if (!(node instanceof ZarrGroup group)) {
                notes.add(url + " is an array");
                return;
            }
            TreeSet<String> more = new TreeSet<>(group.descendants().keySet());
            more.removeAll(nodes.keySet());
            more.forEach(path -> notes.add(path + " is only in " + url));
        }
    }

    private void join(String path, ArrayMetadata first) {
        int axis = first.dimensionNames().orElseThrow().indexOf(Optional.of(dimension));
        List<String> added = new ArrayList<>(switches);
        List<ZarrArray> arrays = new ArrayList<>();
        List<Store> stores = new ArrayList<>();
        try {
            for (String url : urls) {
                arrays.add(Zarr.openArray(child(url, path), options));
            }
            if (isVirtual) {
                VirtualConcatenation.of(arrays, axis, options);
            } else {
                for (String url : urls) {
                    stores.add(Zarr.openStore(child(url, path), options));
                }
                if (needsTimes(stores, axis)) {
                    added.remove("--move"); // which cannot change elements
                    add(added, "--recode-times");
                }
                if (endsWithinChunk(arrays, axis)) {
                    add(added, "--reencode-edges");
                }
            }
        } finally {
            stores.forEach(Store::close);
            arrays.forEach(ZarrArray::close);
        }
        List<String> words = new ArrayList<>(List.of("shardkit", "concat"));
        urls.forEach(url -> words.add(ShellWords.quoted(child(url, path))));
        words.addAll(List.of("--axis", ShellWords.quoted(dimension)));
        words.addAll(
                isVirtual
                        ? List.of("--virtual", "-o", ShellWords.quoted(path.replace('/', '.') + ".json"))
                        : List.of("--to", ShellWords.quoted(place(path))));
        words.addAll(added);
        commands.add(String.join(" ", words));
    }

    private static void add(List<String> words, String word) {
        if (!words.contains(word)) {
            words.add(word);
        }
    }

    /** Whether arrays fit together only if times are changed. Throws if they do not. */
    private boolean needsTimes(List<Store> stores, int axis) {
        Concatenation all = Concatenation.copying(
                stores.stream().map(store -> new Source(store, "")).toList(), axis, options);
        try {
            all.describe();
            return false;
        } catch (MetadataException e) {
            all.recodingTimes().describe();
            return true;
        }
    }

    /** Whether an array before the last that has elements ends within a chunk. */
    private static boolean endsWithinChunk(List<ZarrArray> arrays, int axis) {
        boolean ends = false;
        for (ZarrArray array : arrays) {
            long length = array.shape()[axis];
            if (length > 0 && ends) {
                return true;
            } else if (length > 0) {
                long[] cell = new long[array.shape().length];
                cell[axis] = array.metadata().chunkGrid().cells()[axis] - 1;
                ends = array.metadata().chunkGrid().chunk(cell).end(axis) > length;
            }
        }
        return false;
    }

    /** Copies an array that does not have the dimension, and compares it with those of the other groups. */
    private void copy(String path, ArrayMetadata first) {
        String own = child(urls.get(0), path);
        boolean isLarge = Shapes.count(first.shape()) > MAX_COMPARED;
        for (String url : urls.subList(1, urls.size())) {
            String other = child(url, path);
            if (isLarge) {
                commands.add("shardkit diff " + ShellWords.quoted(own) + " " + ShellWords.quoted(other)
                        + " --ignore-layout");
            } else {
                noting(path, () -> compare(path, own, other));
            }
        }
        commands.add("shardkit copy " + ShellWords.quoted(own) + " " + ShellWords.quoted(place(path)));
    }

    private void compare(String path, String own, String other) {
        try (ZarrNode one = Zarr.open(own, options);
                ZarrNode two = Zarr.open(other, options)) {
            List<Difference> found = new ArrayList<>();
            Comparison.of(one, two).ignoringLayout().reporting(1).run(found::add);
            found.stream()
                    .limit(MAX_DIFFERENCES)
                    .forEach(d -> notes.add(path + " (copied from the first group, but its "
                            + (d.kind() == Comparison.Kind.ELEMENT ? "element " : "") + d.place() + " is "
                            + d.left().map(Object::toString).orElse("absent") + " in " + own + ", "
                            + d.right().map(Object::toString).orElse("absent") + " in " + other + ")"));
        }
    }

    private String place(String path) {
        return path.isEmpty() ? target : target + "/" + path;
    }

    /** Returns the location of a descendant, which is in a file if the group is one. */
    private String child(String url, String path) {
        return url + (isInFile && !url.contains("!") ? "!" : "/") + path;
    }
}
