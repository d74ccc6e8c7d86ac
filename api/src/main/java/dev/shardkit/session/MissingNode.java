package dev.shardkit.session;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Lists;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Makes the error of a path without an array or group: the message describes the place and suggests other locations.
 * Looks at local files and at listings of local stores. A remote store is asked only for documents of Zarr v2, and only
 * if no plug-in has asked for them. Stateless.
 */
public final class MissingNode {
    private static final String V2_FORMAT = "zarr_v2";
    private static final List<String> V2_DOCUMENTS = List.of(".zarray", ".zgroup", ".zmetadata");
    /** The most entries of a folder that are looked at, and the most that are named. */
    private static final int SEEN = 1000;

    private static final int NAMED = 5;

    private MissingNode() {}

    /** The sources that the error may examine. */
    public enum Probes {
        /** Local files and listings only. */
        LOCAL,
        /** Also objects of remote stores, each with a blocking request. */
        ALL
    }

    /** Returns the error of {@code node}, which was not found. */
    public static ZarrException error(StoredNode node, Probes probes) {
        String found;
        try {
            found = found(node, probes);
        } catch (ZarrException e) {
            found = noDocument(node); // the store does not say more
        }
        return node.located(
                new MetadataException("there is no " + named(node).orElse("Zarr v3") + " array or group: " + found));
    }

    /** Returns the name of the format in which the location has all its nodes, if it names one. */
    private static Optional<String> named(StoredNode node) {
        return NamedFormat.name(node.session().store());
    }

    private static String found(StoredNode node, Probes probes) {
        Optional<LocalPathDiagnosis> local = LocalPathDiagnosis.of(node);
        if (local.isPresent() && !local.get().isFolder()) {
            return local.get().found();
        }
        if (!node.session().isNear() || !node.session().store().can(Lists.class)) {
            return remote(node, probes);
        }
        Optional<UnfinishedNode> unfinished = node.store(s -> UnfinishedNode.at(s, node.path()));
        if (unfinished.isPresent()) {
            return "the place holds " + unfinished.get().text() + "; "
                    + unfinished.get().advice();
        }
        SortedSet<String> names = new TreeSet<>();
        SortedSet<String> folders = new TreeSet<>();
        node.session().list(node.path(), entry -> {
            if (names.size() < SEEN) {
                (entry.kind() == Entry.Kind.OBJECT ? names : folders).add(entry.name());
                names.add(entry.name());
            }
        });
        return inFolder(node, names, folders)
                .or(() -> local.flatMap(LocalPathDiagnosis::above))
                .orElseGet(() -> noDocument(node)
                        + (names.isEmpty()
                                ? "; the place is empty"
                                : "; the place holds " + some(names.stream().toList())));
    }

    /** Explains a place by its content. */
    private static Optional<String> inFolder(StoredNode node, SortedSet<String> names, SortedSet<String> folders) {
        Optional<String> v2 =
                V2_DOCUMENTS.stream().filter(names::contains).findFirst().filter(name -> lacksV2(node));
        if (v2.isPresent()) {
            return Optional.of(v2(v2.get()));
        }
        Optional<String> other =
                names.stream().filter(NodePath.DOCUMENT::equalsIgnoreCase).findFirst();
        if (other.isPresent() && named(node).isPresent()) {
            return Optional.of("found " + other.get() + ", but only nodes of "
                    + named(node).get() + " are looked for");
        } else if (other.isPresent() && other.get().equals(NodePath.DOCUMENT)) {
            return Optional.of("zarr.json is no file: expected a document, found a folder");
        } else if (other.isPresent()) {
            return Optional.of(
                    "found " + other.get() + " in place of zarr.json; rename it, upper and lower case differ");
        }
        List<String> nodes = folders.stream()
                .filter(NodePath::isName)
                .filter(name -> node.descendant(node.session(), name).exists())
                .limit(NAMED + 1L)
                .toList();
        return nodes.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        noDocument(node) + "; there are nodes in folders below, open one of them: " + some(nodes));
    }

    private static String remote(StoredNode node, Probes probes) {
        if (probes == Probes.ALL && lacksV2(node)) {
            for (String name : V2_DOCUMENTS) {
                StoredNode at = node.in(node.session().ofDocuments());
                if (at.call(() -> at.present(name))) {
                    return v2(name);
                }
            }
        }
        String local = node.session().registry().nodeFormats().stream()
                .filter(format -> format.search() == NodeFormat.Search.LOCAL)
                .map(Extension::name)
                .collect(Collectors.joining(", "));
        return noDocument(node) + "; give the folder of the array or group itself, not one above or below it; upper "
                + "and lower case differ"
                + (local.isEmpty() || !(NamedFormat.choice(node.session().store()) instanceof FormatChoice.Usual)
                        ? ""
                        : "; for data of " + local + ", put the name before the location, as in n5:LOCATION");
    }

    private static boolean lacksV2(StoredNode node) {
        return node.session().registry().nodeFormats().stream()
                .noneMatch(format -> format.name().equals(V2_FORMAT));
    }

    private static String v2(String document) {
        return "found " + document + " of Zarr v2, and no plug-in reads it; add the module shardkit-zarr-v2";
    }

    /** Returns that the documents of all formats are missing. */
    private static String noDocument(StoredNode node) {
        Session session = node.session();
        if (named(node).isPresent()) {
            return "no node of that format is found";
        }
        String others = session.registry().nodeFormats().stream()
                .filter(NodeSearch.asked(session.isNear(), NamedFormat.choice(session.store())))
                .map(Extension::name)
                .collect(Collectors.joining(", "));
        return "zarr.json is not found" + (others.isEmpty() ? "" : ", nor a node of " + others);
    }

    private static String some(List<String> names) {
        return names.stream().sorted(Comparator.naturalOrder()).limit(NAMED).collect(Collectors.joining(", "))
                + (names.size() > NAMED ? ", ..." : "");
    }
}
