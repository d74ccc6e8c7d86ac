package dev.shardkit.cli;

import java.util.Map;

/** Replaces API options, which messages of the library name, by the switches of the command line. Without state. */
final class Switches {
    private static final Map<String, String> BY_OPTION = Map.of(
            "Existing.OVERWRITE", "--overwrite",
            "withNamesOfNumcodecs", "--numcodecs-names",
            "reencodingEdges", "--reencode-edges",
            "Removal.includingOtherFiles", "--force",
            "Repair.droppingStrays", "shardkit repair --apply --drop-strays",
            "or remove its consolidated metadata first",
                    "or remove its consolidated metadata first by shardkit consolidate --remove",
            "expected the write policy foreignBytes KEEP or DROP, found REFUSE",
                    "shardkit compact --foreign drop removes them; if the shard is damaged, shardkit repair --foreign "
                            + "keep or --foreign drop decides",
            "ZarrOptions.withLinks(Links.FOLLOW) or LinkPolicy.ANYWHERE", "--follow-links");

    private Switches() {}

    /** Returns {@code message} with switches in place of API options. */
    static String in(String message) {
        String text = message;
        for (Map.Entry<String, String> option : BY_OPTION.entrySet()) {
            text = text.replace(option.getKey(), option.getValue());
        }
        return text;
    }
}
