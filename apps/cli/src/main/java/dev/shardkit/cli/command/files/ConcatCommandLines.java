package dev.shardkit.cli.command.files;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.UsageException;
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
 * Composes the commands that join groups array by array. They create the tree with the attributes of its groups and
 * join each array with the options that it needs. Arrays without the dimension are copied from the first group and
 * compared with those of the other groups. Used once.
 */
final class ConcatCommandLines {
    /** The maximum number of elements of an array that is compared here. For others, the user gets a command. */
    private static final long MAX_COMPARED = 1L << 23;

    /** The maximum number of reported differences: one element, and others such as the shape or attributes. */
    private static final int MAX_DIFFERENCES = 3;

    private final List<String> urls;
    private final String dimension;
    private final String target;
    private final boolean isVirtual;
    /** The options of the user's command, which each join gets too. */
    private final List<String> switches;

    private final ZarrOptions zarrOptions;
    private final List<String> commands = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    /** Whether the URLs are those of files that hold groups, without {@code !}. */
    private boolean isGroupInFile;

    ConcatCommandLines(
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
        this.zarrOptions = options;
    }

    /** Returns the exception that refuses the first group. Its message says how to join the arrays. */
    UsageException refusal(ZarrGroup firstGroup) {
        isGroupInFile = !urls.get(0).contains("!") && firstGroup.location().matches("(?s)(hdf5|zip):.*");
        Map<String, NodeMetadata> nodes = new TreeMap<>(firstGroup.descendantMetadata());
        String prefix = urls.get(0) + " is a group, and concat joins arrays; ";
        if (nodes.values().stream().noneMatch(ArrayMetadata.class::isInstance)) {
            return new UsageException(prefix + "it has no arrays");
        } else if (nodes.values().stream().noneMatch(this::hasDimension)) {
            return new UsageException(prefix + "none of its arrays has a dimension of the name " + dimension);
        }
        addGroup("", firstGroup.metadata());
        nodes.forEach((path, node) -> {
            if (node instanceof GroupMetadata group) {
                addGroup(path, group);
            } else if (hasDimension(node)) {
                runOrNote(path, () -> addJoin(path, (ArrayMetadata) node));
            } else if (!isVirtual && node instanceof ArrayMetadata array) {
                runOrNote(path, () -> addCopy(path, array));
            } else if (!isVirtual) {
                notes.add(path + " needs a plug-in that is missing");
            }
        });
        urls.stream().skip(1).forEach(url -> runOrNote(url, () -> noteExtraNodes(url, nodes)));
        if (!isVirtual) {
            commands.add("shardkit consolidate " + ShellWords.quoted(target));
        }
        String problems = notes.isEmpty() ? "" : "what does not fit: " + String.join("; ", notes) + "; ";
        return new UsageException(prefix + problems + "join its arrays one by one: " + String.join(" && ", commands));
    }

    /** Runs a step. Its failure becomes a note, so that the message still has the commands for the other arrays. */
    private void runOrNote(String subject, Runnable step) {
        try {
            step.run();
        } catch (ZarrException e) {
            notes.add(subject + " (" + e.getMessage() + ")");
        }
    }

    private boolean hasDimension(NodeMetadata node) {
        return node instanceof ArrayMetadata array
                && array.dimensionNames().orElse(List.of()).contains(Optional.of(dimension));
    }

    private void addGroup(String path, GroupMetadata group) {
        if (!isVirtual) {
            boolean hasNoAttributes = group.attributes().members().isEmpty();
            commands.add("shardkit group " + ShellWords.quoted(targetLocation(path))
                    + (hasNoAttributes
                            ? ""
                            : " --attributes "
                                    + ShellWords.quoted(group.attributes().toString())));
        }
    }

    /** Adds notes for nodes that only another group has. */
    private void noteExtraNodes(String url, Map<String, NodeMetadata> nodes) {
        try (ZarrNode node = Zarr.open(url, zarrOptions)) {
            if (!(node instanceof ZarrGroup group)) {
                notes.add(url + " is an array");
                return;
            }
            TreeSet<String> extraPaths =
                    new TreeSet<>(group.descendantMetadata().keySet());
            extraPaths.removeAll(nodes.keySet());
            extraPaths.forEach(path -> notes.add(path + " is only in " + url));
        }
    }

    /** Adds the command that joins the arrays at {@code path}. Throws if they cannot be joined. */
    private void addJoin(String path, ArrayMetadata firstArray) {
        int axis = firstArray.dimensionNames().orElseThrow().indexOf(Optional.of(dimension));
        List<String> options = new ArrayList<>(switches);
        List<ZarrArray> arrays = new ArrayList<>();
        List<Store> stores = new ArrayList<>();
        try {
            for (String url : urls) {
                arrays.add(Zarr.openArray(childLocation(url, path), zarrOptions));
            }
            if (isVirtual) {
                VirtualConcatenation.of(arrays, axis, zarrOptions);
            } else {
                for (String url : urls) {
                    stores.add(Zarr.openStore(childLocation(url, path), zarrOptions));
                }
                if (needsRecodedTimes(stores, axis)) {
                    options.remove("--move"); // a move cannot change elements
                    addIfAbsent(options, "--recode-times");
                }
                if (endsWithinChunk(arrays, axis)) {
                    addIfAbsent(options, "--reencode-edges");
                }
            }
        } finally {
            stores.forEach(Store::close);
            arrays.forEach(ZarrArray::close);
        }
        List<String> commandWords = new ArrayList<>(List.of("shardkit", "concat"));
        urls.forEach(url -> commandWords.add(ShellWords.quoted(childLocation(url, path))));
        commandWords.addAll(List.of("--axis", ShellWords.quoted(dimension)));
        commandWords.addAll(
                isVirtual
                        ? List.of("--virtual", "-o", ShellWords.quoted(path.replace('/', '.') + ".json"))
                        : List.of("--to", ShellWords.quoted(targetLocation(path))));
        commandWords.addAll(options);
        commands.add(String.join(" ", commandWords));
    }

    private static void addIfAbsent(List<String> list, String word) {
        if (!list.contains(word)) {
            list.add(word);
        }
    }

    /** Whether arrays can be joined only by changing their times. Throws if they cannot be joined at all. */
    private boolean needsRecodedTimes(List<Store> stores, int axis) {
        Concatenation concatenation = Concatenation.copying(
                stores.stream().map(store -> new Source(store, "")).toList(), axis, zarrOptions);
        try {
            concatenation.describe();
            return false;
        } catch (MetadataException e) {
            concatenation.recodingTimes().describe();
            return true;
        }
    }

    /** Whether an array ends within a chunk and another array with elements follows it. */
    private static boolean endsWithinChunk(List<ZarrArray> arrays, int axis) {
        boolean endsInChunk = false;
        for (ZarrArray array : arrays) {
            long length = array.shape()[axis];
            if (length > 0 && endsInChunk) {
                return true;
            } else if (length > 0) {
                long[] cell = new long[array.shape().length]; // of a last chunk along the axis
                cell[axis] = array.metadata().chunkGrid().gridShape()[axis] - 1;
                endsInChunk = array.metadata().chunkGrid().chunk(cell).end(axis) > length;
            }
        }
        return false;
    }

    /**
     * Adds the command that copies an array without the dimension. Compares the array with those of the other groups.
     */
    private void addCopy(String path, ArrayMetadata firstArray) {
        String location = childLocation(urls.get(0), path);
        boolean isLarge = Shapes.count(firstArray.shape()) > MAX_COMPARED;
        for (String url : urls.subList(1, urls.size())) {
            String otherLocation = childLocation(url, path);
            if (isLarge) {
                commands.add("shardkit diff " + ShellWords.quoted(location) + " " + ShellWords.quoted(otherLocation)
                        + " --ignore-layout");
            } else {
                runOrNote(path, () -> compare(path, location, otherLocation));
            }
        }
        commands.add("shardkit copy " + ShellWords.quoted(location) + " " + ShellWords.quoted(targetLocation(path)));
    }

    /** Adds notes about the differences of an array in the first group and in another one. */
    private void compare(String path, String location, String otherLocation) {
        try (ZarrNode firstNode = Zarr.open(location, zarrOptions);
                ZarrNode secondNode = Zarr.open(otherLocation, zarrOptions)) {
            List<Difference> differences = new ArrayList<>();
            Comparison.of(firstNode, secondNode).ignoringLayout().reporting(1).run(differences::add);
            differences.stream()
                    .limit(MAX_DIFFERENCES)
                    .forEach(difference -> notes.add(path + " (copied from the first group, but its "
                            + (difference.kind() == Comparison.Kind.ELEMENT ? "element " : "") + difference.position()
                            + " is "
                            + difference.left().map(Object::toString).orElse("absent") + " in " + location + ", "
                            + difference.right().map(Object::toString).orElse("absent") + " in " + otherLocation
                            + ")"));
        }
    }

    private String targetLocation(String path) {
        return path.isEmpty() ? target : target + "/" + path;
    }

    /** Returns the location of a descendant of a group. Groups in files need {@code !} before the path. */
    private String childLocation(String url, String path) {
        return url + (isGroupInFile && !url.contains("!") ? "!" : "/") + path;
    }
}
