package dev.shardkit.arrow;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.ZarrGroup;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes the batches of an Arrow stream to a group, with one array for each column. */
final class TableWriter {
    private TableWriter() {}

    static void write(ArrowReader reader, ZarrGroup group, ColumnArrayLayout layout, Nulls nulls) throws IOException {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        List<ArraySpec> specs = new ArrayList<>();
        for (Field field : root.getSchema().getFields()) {
            ArraySpec proposed = spec(field);
            ArraySpec spec = layout.of(field.getName(), proposed);
            if (!spec.dataType().equals(proposed.dataType()) || !Arrays.equals(spec.shape(), proposed.shape())) {
                throw new IllegalArgumentException("column \"" + field.getName() + "\": expected data type "
                        + proposed.dataType() + " and shape [0], found " + spec.dataType() + " and "
                        + Arrays.toString(spec.shape()));
            }
            specs.add(spec);
        }
        List<ColumnWriter> columns = new ArrayList<>();
        try {
            for (int i = 0; i < specs.size(); i++) {
                String name = root.getSchema().getFields().get(i).getName();
                columns.add(new ColumnWriter(group.createArray(name, specs.get(i), IfExists.REFUSE), nulls));
            }
            group.changeAttributes(attributes -> attributes(attributes, root.getSchema()));
            while (reader.loadNextBatch()) {
                for (int i = 0; i < columns.size(); i++) {
                    columns.get(i).add(root.getVector(i), root.getRowCount());
                }
            }
            columns.forEach(ColumnWriter::flush);
        } finally {
            columns.forEach(ColumnWriter::close);
        }
    }

    private static Json.Obj attributes(Json.Obj attributes, Schema schema) {
        Json.Obj own = Json.object()
                .with(
                        ZarrTable.COLUMNS,
                        Json.of(schema.getFields().stream().map(Field::getName).toList()));
        return Metadata.add(attributes, schema.getCustomMetadata()).with(ZarrTable.ARROW, own);
    }

    private static ArraySpec spec(Field field) {
        Json.Obj attributes = Metadata.add(Json.object(), field.getMetadata());
        if (field.getType() instanceof ArrowType.Timestamp timestamp && timestamp.getTimezone() != null) {
            Json.Obj own = Json.object().with(ZarrTable.TIMEZONE, Json.of(timestamp.getTimezone()));
            attributes = attributes.with(ZarrTable.ARROW, own);
        }
        return ArraySpec.of(ColumnType.dataType(field), 0).withAttributes(attributes);
    }
}
