package dev.shardkit.session.diagnosis;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.session.search.NodeLookup;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Creates the error for a path without an array or group. The message describes the stored objects at the path and
 * suggests other locations. Examines local files and listings of local stores. A remote store gets requests only for
 * documents of Zarr v2, and only if no plug-in has requested them. Stateless.
 */
public final class MissingNodeDiagnosis {
    /** The name of the node format of the plug-in for Zarr v2. */
    private static final String V2_FORMAT = "zarr_v2";

    private static final List<String> V2_DOCUMENTS = List.of(".zarray", ".zgroup", ".zmetadata");
    /** The largest number of entries of a folder that are examined. */
    private static final int MAX_ENTRIES = 1000;

    /** The largest number of names in the message. */
    private static final int MAX_NAMES = 5;

    private MissingNodeDiagnosis() {}

    /** The places that may be examined for the message. */
    public enum Probes {
        /** Local files and listings only. */
        LOCAL,
        /** Also objects of remote stores, each with a blocking request. */
        ALL
    }

    /** Returns the error of {@code node}, which was not found. */
    public static ZarrException error(StoredNode node, Probes probes) {
        String description;
        try {
            description = description(node, probes);
        } catch (ZarrException e) {
            // The description is optional: a failing store must not hide the error.
            description = documentsMissing(node);
        }
        return node.located(new MetadataException(
                "there is no " + namedFormat(node).orElse("Zarr v3") + " array or group: " + description));
    }

    /** Returns the name of the format that the location names, if any: only nodes of this format are searched for. */
    private static Optional<String> namedFormat(StoredNode node) {
        return NamedFormat.name(node.session().store());
    }

    /** Describes the objects that are stored at the path of the node. */
    private static String description(StoredNode node, Probes probes) {
        Optional<LocalPathDiagnosis> localPath = LocalPathDiagnosis.of(node);
        if (localPath.isPresent() && !localPath.get().isFolder()) {
            return localPath.get().description();
        }
        if (!node.session().isLocal() || !node.session().store().can(Listings.class)) {
            return remoteDescription(node, probes);
        }
        Optional<WorkKind> unfinished = node.store(s -> WorkKind.at(s, node.path()));
        if (unfinished.isPresent()) {
            return "the place holds " + unfinished.get().text() + "; "
                    + unfinished.get().advice();
        }
        SortedSet<String> names = new TreeSet<>();
        SortedSet<String> folders = new TreeSet<>();
        node.session().list(node.path(), entry -> {
            if (names.size() < MAX_ENTRIES) {
                names.add(entry.name());
                if (entry.kind() != Entry.Kind.OBJECT) {
                    folders.add(entry.name());
                }
            }
        });
        return folderDescription(node, names, folders)
                .or(() -> localPath.flatMap(LocalPathDiagnosis::above))
                .orElseGet(() -> documentsMissing(node)
                        + (names.isEmpty()
                                ? "; the place is empty"
                                : "; the place holds "
                                        + abbreviated(names.stream().toList())));
    }

    /** Describes a folder by its entries; empty if they contain no hint. */
    private static Optional<String> folderDescription(
            StoredNode node, SortedSet<String> names, SortedSet<String> folders) {
        Optional<String> v2 =
                V2_DOCUMENTS.stream().filter(names::contains).findFirst().filter(name -> lacksV2Plugin(node));
        if (v2.isPresent()) {
            return Optional.of(v2Advice(v2.get()));
        }
        Optional<String> document =
                names.stream().filter(NodePath.DOCUMENT::equalsIgnoreCase).findFirst();
        if (document.isPresent() && namedFormat(node).isPresent()) {
            return Optional.of("found " + document.get() + ", but only nodes of "
                    + namedFormat(node).get() + " are looked for");
        } else if (document.isPresent() && document.get().equals(NodePath.DOCUMENT)) {
            return Optional.of("zarr.json is no file: expected a document, found a folder");
        } else if (document.isPresent()) {
            return Optional.of(
                    "found " + document.get() + " in place of zarr.json; rename it, upper and lower case differ");
        }
        List<String> nodes = folders.stream()
                .filter(NodePath::isName)
                .filter(name -> node.descendant(node.session(), name).exists())
                .limit(MAX_NAMES + 1L)
                .toList();
        return nodes.isEmpty()
                ? Optional.empty()
                : Optional.of(documentsMissing(node) + "; there are nodes in folders below, open one of them: "
                        + abbreviated(nodes));
    }

    /** Describes a place in a store without listings, or in a remote store. */
    private static String remoteDescription(StoredNode node, Probes probes) {
        if (probes == Probes.ALL && lacksV2Plugin(node)) {
            for (String name : V2_DOCUMENTS) {
                StoredNode documentNode = node.in(node.session().ofDocuments());
                if (documentNode.call(() -> documentNode.present(name))) {
                    return v2Advice(name);
                }
            }
        }
        String localFormats = node.session().registry().nodeFormats().stream()
                .filter(format -> format.search() == NodeFormat.Search.LOCAL)
                .map(Extension::name)
                .collect(Collectors.joining(", "));
        return documentsMissing(node)
                + "; give the folder of the array or group itself, not one above or below it; upper "
                + "and lower case differ"
                + (localFormats.isEmpty() || !(NamedFormat.choice(node.session().store()) instanceof FormatChoice.Usual)
                        ? ""
                        : "; for data of " + localFormats + ", put the name before the location, as in n5:LOCATION");
    }

    private static boolean lacksV2Plugin(StoredNode node) {
        return node.session().registry().nodeFormats().stream()
                .noneMatch(format -> format.name().equals(V2_FORMAT));
    }

    private static String v2Advice(String document) {
        return "found " + document + " of Zarr v2, and no plug-in reads it; add the module shardkit-zarr-v2";
    }

    /** Returns the message that the documents of all formats are missing. */
    private static String documentsMissing(StoredNode node) {
        Session session = node.session();
        if (namedFormat(node).isPresent()) {
            return "no node of that format is found";
        }
        String otherFormats = session.registry().nodeFormats().stream()
                .filter(NodeLookup.isTried(session.isLocal(), NamedFormat.choice(session.store())))
                .map(Extension::name)
                .collect(Collectors.joining(", "));
        return "zarr.json is not found" + (otherFormats.isEmpty() ? "" : ", nor a node of " + otherFormats);
    }

    /** Joins the first names in their order. */
    private static String abbreviated(List<String> names) {
        return names.stream().sorted(Comparator.naturalOrder()).limit(MAX_NAMES).collect(Collectors.joining(", "))
                + (names.size() > MAX_NAMES ? ", ..." : "");
    }
}
