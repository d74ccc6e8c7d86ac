package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After a tree is written below a group with consolidated metadata, that metadata lists all nodes of the tree. */
class CopyIntoConsolidatedTest {
    private static final ArraySpec SPEC = ArraySpec.of("int32", 4).withChunkShape(2);
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path dir;

    /** Operations that write a tree into another store. */
    private enum Way {
        COPY((from, to) -> {
            try (ZarrNode node = Zarr.find(from, "", OPTIONS).orElseThrow()) {
                Copy.of(node).to(to, OPTIONS);
            }
        }),
        MISSING((from, to) -> {
            try (ZarrNode node = Zarr.find(from, "", OPTIONS).orElseThrow()) {
                Copy.of(node).missingOnlyTo(to, OPTIONS);
            }
        }),
        PARTS((from, to) -> {
            try (ZarrNode node = Zarr.find(from, "", OPTIONS).orElseThrow()) {
                Copy.of(node).inParts(to, OPTIONS).runAlone();
            }
        }),
        MOVE((from, to) -> Move.of(from, to).run(OPTIONS));

        private final BiConsumer<Store, Store> run;

        Way(BiConsumer<Store, Store> run) {
            this.run = run;
        }
    }

    @ParameterizedTest
    @EnumSource
    void tree_isListedWhole(Way way) {
        MemoryStore source = MemoryStore.named("source");
        Zarr.createGroup(source, "", Json.object(), IfExists.REFUSE, OPTIONS)
                .createArray("deep/deeper/a", SPEC, IfExists.REFUSE)
                .close();
        String root = dir.resolve("root.zarr").toString();
        try (ZarrGroup group = Zarr.createGroup(root, Json.object(), IfExists.REFUSE, OPTIONS)) {
            group.createGroup("inner", Json.object(), IfExists.REFUSE).close();
            group.consolidate();
        }
        try (Store target = Zarr.openStore(dir.resolve("root.zarr/inner/tree").toString(), OPTIONS)) {
            way.run.accept(source, target);
        }
        try (ZarrGroup group = Zarr.openGroup(root, OPTIONS)) {
            Map<String, ?> listed = group.metadata().consolidated().orElseThrow();
            assertEquals(
                    Set.of(
                            "inner",
                            "inner/tree",
                            "inner/tree/deep",
                            "inner/tree/deep/deeper",
                            "inner/tree/deep/deeper/a"),
                    listed.keySet());
            assertEquals(group.descendantMetadata(), listed);
        }
    }
}
