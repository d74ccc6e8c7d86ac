package dev.shardkit.testkit.extension;

import static dev.shardkit.testkit.ContractRun.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.grid.ChunkKeyFactories;
import dev.shardkit.spi.grid.ChunkKeys;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.grid.RegularGridFactory;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.ContractRun;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the suites of grids, keys, data types, transformers and node formats fail for a plug-in with a flaw. */
@Tag("one-jdk")
class OtherSuitesFailTest {
    /** Returns a proxy of {@code good} that changes the result of one method. */
    private static <T> T flawed(Class<T> type, T good, String flawed, UnaryOperator<Object> change) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            try {
                Object result = method.getName().equals(flawed) ? null : method.invoke(good, args);
                return method.getName().equals(flawed) ? change.apply(call(good, method, args)) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    /** Calls a method, and returns its result or the exception that it throws. */
    private static Object call(Object good, java.lang.reflect.Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(good, args);
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    private static ChunkGridContract grids(String method, UnaryOperator<Object> change) {
        long[] shape = {10, 7};
        ChunkGrid good = RegularGrid.of(shape, new long[] {3, 7});
        return new ChunkGridContract() {
            @Override
            protected List<Case> cases() {
                return List.of(new Case(flawed(ChunkGrid.class, good, method, change), shape));
            }

            @Override
            protected ChunkGridFactory factory() {
                return new RegularGridFactory();
            }
        };
    }

    @Test
    void grids() {
        assertEquals(Map.of(), ContractRun.failures(() -> grids("none", UnaryOperator.identity())));
        UnaryOperator<Object> larger = box -> Box.of(((Box) box).origin(), new long[] {4, 7});
        assertFails("chunks_partitionTheArray", () -> grids("chunk", larger));
        UnaryOperator<Object> all = box -> Box.of(new long[] {4, 1});
        assertFails("touched_isExactlyTheChunksOfTheRegion", () -> grids("touched", all));
        assertFails("touched_byNothing_isNothing", () -> grids("touched", all));
        UnaryOperator<Object> other = json -> Json.object().with("chunk_shape", Json.of(new long[] {2, 7}));
        assertFails("configuration_makesTheSameGridAgain", () -> grids("configuration", other));
    }

    private static ChunkKeyEncodingContract keys(String method, UnaryOperator<Object> change) {
        ChunkKeyEncoding good = ChunkKeys.standard(ChunkKeys.Separator.SLASH);
        return new ChunkKeyEncodingContract() {
            @Override
            protected List<ChunkKeyEncoding> encodings() {
                return List.of(flawed(ChunkKeyEncoding.class, good, method, change));
            }

            @Override
            protected ChunkKeyEncodingFactory factory() {
                return new ChunkKeyFactories.Default();
            }
        };
    }

    @Test
    void keyEncodings() {
        assertEquals(Map.of(), ContractRun.failures(() -> keys("none", UnaryOperator.identity())));
        assertFails(
                "keys_ofOneArray_differ",
                () -> keys("encode", key -> key.toString().replace("/", "")));
        assertFails("keys_areLegalAndApartFromMetadata", () -> keys("encode", key -> key + "/zarr.json"));
        UnaryOperator<Object> dots = json -> Json.object().with("separator", Json.of("."));
        assertFails("configuration_makesTheSameEncodingAgain", () -> keys("configuration", dots));
    }

    private static DataTypeContract types(String method, UnaryOperator<Object> change) {
        DataType type = flawed(DataType.class, CoreTypes.BOOL, method, change);
        return new DataTypeContract() {
            @Override
            protected DataType type() {
                return type;
            }

            @Override
            protected DataTypeFactory factory() {
                return LoadedExtensions.all(DataTypeFactory.class).stream()
                        .filter(f -> f.claims("bool"))
                        .findFirst()
                        .orElseThrow();
            }

            @Override
            protected List<Json> fills() {
                return List.of(Json.of(true), Json.of(false));
            }

            @Override
            protected List<Json> illegalFills() {
                return List.of(Json.of(2));
            }

            @Override
            protected List<byte[]> illegalElements() {
                return List.of(new byte[] {2});
            }
        };
    }

    @Test
    void dataTypes() {
        UnaryOperator<Object> falsehood = json -> Json.of(false);
        assertFails("fill_readWrittenRead_isTheSameBits", () -> types("formatFill", falsehood));
        assertFails("fill_ofAnyLegalBits_survivesJson", () -> types("formatFill", falsehood));
        assertFails(
                "illegalFills_areRefusedAsMetadata", () -> types("parseFill", fill -> CoreTypes.BOOL.defaultFill()));
        assertFails("sizes_fitTheCarrier", () -> types("elementSize", size -> OptionalInt.empty()));
        assertFails(
                "defaultFill_isLegal",
                () -> types("check", nothing -> {
                    throw new CorruptDataException("never legal");
                }));
        assertFails("factory_makesAnEqualType", () -> types("name", name -> "boole"));
        assertFails("check_refusesIllegalElementsAmongOthers", () -> types("check", nothing -> null));
    }

    /** The transformer of {@link TransformersTest}, with a flaw in its keys or in itself. */
    private static Supplier<TransformersTest> transformers(String method, UnaryOperator<Object> change) {
        return () -> new TransformersTest() {
            @Override
            protected StorageTransformer transformer() {
                UnaryOperator<Object> keys = over -> flawed(Keyspace.class, (Keyspace) over, method, change);
                StorageTransformer good = super.transformer();
                return method.equals("name")
                        ? flawed(StorageTransformer.class, good, method, change)
                        : flawed(StorageTransformer.class, good, "over", keys);
            }
        };
    }

    @Test
    void transformers() {
        assertEquals(Map.of(), ContractRun.failures(transformers("none", UnaryOperator.identity())));
        Source ghost = Source.of(Bytes.of(new byte[1]), DataLocation.of("ghost"));
        assertFails("open_inAnEmptyStore_isAbsent", transformers("open", plan -> Plan.done(ghost)));
        UnaryOperator<Object> keep = plan -> Plan.done(new Edit.Keep());
        assertFails("edits_readBack_likeThoseOfAStore", transformers("edit", keep));
        assertFails(
                "editTogether_isAsOneAfterTheOther", transformers("editTogether", plan -> Optional.of(keep.apply(""))));
        assertFails("edit_getsWhatLiesThere", transformers("edit", plan -> Plan.done(new Edit.Delete())));
        assertFails("configuration_makesTheSameTransformerAgain", transformers("name", name -> "unpacked"));
    }

    /** Finds a node under {@code my.json}. */
    private static final class Format implements NodeFormat {
        private final UnaryOperator<Optional<Json>> reading;

        Format(UnaryOperator<Optional<Json>> reading) {
            this.reading = reading;
        }

        @Override
        public String name() {
            return "org.example.my";
        }

        @Override
        public Plan<Optional<Node>> find(String path, Documents documents) {
            return documents.read(path + "/my.json").map(found -> reading.apply(found)
                    .map(json -> Node.at(path, (Json.Obj) json)));
        }
    }

    private static NodeFormatContract formats(UnaryOperator<Optional<Json>> reading) {
        return new NodeFormatContract() {
            @Override
            protected NodeFormat format() {
                return new Format(reading);
            }

            @Override
            protected Map<String, String> documents() {
                return Map.of("a/my.json", "{\"zarr_format\": 3, \"node_type\": \"group\"}");
            }

            @Override
            protected String path() {
                return "a";
            }
        };
    }

    @Test
    void nodeFormats() {
        assertFails("serviceLoader_findsIt", () -> formats(UnaryOperator.identity()));
        assertFails("node_isFound_asADocumentOfZarrV3", () -> formats(found -> Optional.empty()));
        assertFails("emptyStore_hasNoNode", () -> formats(found -> Optional.of(Json.object())));
        assertFails("wrongDocuments_areRefusedAsMetadata_orTaken", () -> formats(UnaryOperator.identity()));
    }
}
