package dev.shardkit.cli.print;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Replaces names of the API by options of the command line, because the library's messages advise Java programmers.
 * Stateless.
 */
public final class ApiNameReplacement {
    /** The longest names first, because some are parts of others. */
    private static final List<Map.Entry<String, String>> REPLACEMENTS = Stream.of(
                    Map.entry(
                            "remove it (Removal), or use IfExists.OVERWRITE",
                            "shardkit rm removes it, and so does --overwrite"),
                    Map.entry("IfExists.OVERWRITE", "--overwrite"),
                    Map.entry("Copy.overwriting()", "--overwrite"),
                    Map.entry("or use ZarrGroup.removeConsolidated", "or run shardkit consolidate --remove GROUP"),
                    Map.entry("Registry.plugins() lists all", "shardkit plugins lists all"),
                    Map.entry("ZarrGroup.consolidate", "shardkit consolidate"),
                    Map.entry("withNamesOfNumcodecs", "--numcodecs-names"),
                    Map.entry("reencodingEdges", "--reencode-edges"),
                    Map.entry("Removal.includingOtherFiles", "--force"),
                    Map.entry("Repair.droppingStrays", "shardkit repair --apply --drop-strays"),
                    Map.entry("Repair.droppingCorruptChunks", "shardkit repair --apply --drop-corrupt"),
                    Map.entry("Repair.droppingCorruptShards", "shardkit repair --apply --drop-corrupt"),
                    Map.entry(
                            "or first use ZarrGroup.removeConsolidated and afterwards consolidate again",
                            "or run first shardkit consolidate --remove GROUP and afterwards shardkit consolidate GROUP"),
                    Map.entry(
                            "expected the write policy foreignBytes KEEP or DROP, found REFUSE",
                            "shardkit compact --foreign drop removes them; if the shard is damaged, shardkit repair --foreign "
                                    + "keep or --foreign drop decides"),
                    Map.entry("S3StoreBuilder.anonymous()", "--s3-anonymous"),
                    Map.entry("GcsStoreBuilder.anonymous()", "--gs-anonymous"),
                    Map.entry("AzureStoreBuilder.anonymous()", "--az-anonymous"),
                    Map.entry("AzureStoreBuilder.account", "--az-account"),
                    Map.entry(
                            "(see HttpStoreBuilder.redirects)",
                            "(--follow-redirects names hosts that it may follow to)"),
                    Map.entry("recodingTimes", "--recode-times"),
                    Map.entry(
                            "make copies without them first (Copy)", "make copies without them first by shardkit copy"),
                    Map.entry(
                            "concatenate a copy with the layout of the first array instead (Copy)",
                            "concatenate a copy with the layout of the first array instead, by shardkit copy with --codecs, "
                                    + "--chunk-shape and --shard-shape"),
                    Map.entry(
                            "concatenate copies with other chunks instead (Copy)",
                            "concatenate copies with other chunks instead, by shardkit copy with --chunk-shape and "
                                    + "--shard-shape"),
                    Map.entry("; or, if no other program writes to the arrays, use WriteOwnership.OWNED", ""),
                    Map.entry("(WriteOwnership.OWNED)", "(--ownership owned of write, append and erase)"),
                    Map.entry("ForbiddenPolicy.MISSING", "--forbidden-as-missing"),
                    Map.entry("ZarrOptions.withLinks(SymbolicLinks.FOLLOW) or LinkPolicy.ANYWHERE", "--follow-links"))
            .sorted(Comparator.comparing(replacement -> -replacement.getKey().length()))
            .toList();

    private ApiNameReplacement() {}

    /** Returns {@code message} with command-line options in place of names of the API. */
    public static String replaceIn(String message) {
        String text = message;
        for (Map.Entry<String, String> replacement : REPLACEMENTS) {
            text = text.replace(replacement.getKey(), replacement.getValue());
        }
        return text;
    }
}
