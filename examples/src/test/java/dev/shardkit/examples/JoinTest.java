package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/guide/joining-tables.md: stations of a database and a grid of temperatures. */
class JoinTest {
    @TempDir
    private Path folder;

    private String location;

    /** Temperature is 100 times the row of the grid and the column. */
    @BeforeEach
    void grid() {
        location = folder.resolve("climate.zarr").toString();
        try (ZarrGroup group = Zarr.createGroup(location, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            double[] degrees = {50, 50.5, 51, 51.5};
            for (String name : List.of("lat", "lon")) {
                ZarrArray axis = group.createArray(name, ArraySpec.of("float64", 4), IfExists.REFUSE);
                axis.write(axis.domain(), degrees, 0);
            }
            ArraySpec spec = ArraySpec.of("float32", 2, 4, 4)
                    .withChunkShape(1, 2, 2)
                    .withShardShape(2, 4, 4)
                    .withDimensionNames("time", "lat", "lon");
            ZarrArray temperature = group.createArray("temperature", spec, IfExists.REFUSE);
            float[] values = new float[32];
            for (int i = 0; i < values.length; i++) {
                values[i] = 1000 * (i / 16) + 100 * (i % 16 / 4) + i % 4;
            }
            temperature.write(temperature.domain(), values, 0);
        }
    }

    // example: nearest
    /** The index of the coordinate nearest to {@code wanted}; coordinates are ascending. */
    static long nearest(double[] coordinates, double wanted) {
        int found = Arrays.binarySearch(coordinates, wanted);
        if (found >= 0) {
            return found;
        }
        int after = Math.min(-found - 1, coordinates.length - 1);
        int before = Math.max(after - 1, 0);
        return wanted - coordinates[before] <= coordinates[after] - wanted ? before : after;
    }
    // end

    /** Reads the temperature at each station and time step 1, and stores it in the table. */
    private void join(Connection database) throws SQLException {
        // example: join
        try (ZarrGroup group = Zarr.openGroup(location);
                Statement query = database.createStatement();
                ResultSet rows = query.executeQuery("SELECT id, lat, lon FROM station ORDER BY id");
                PreparedStatement update =
                        database.prepareStatement("UPDATE station SET temperature = ? WHERE id = ?")) {
            double[] lat = group.array("lat").read().doubles();
            double[] lon = group.array("lon").read().doubles();
            List<Long> ids = new ArrayList<>();
            List<long[]> points = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getLong("id"));
                points.add(new long[] {nearest(lat, rows.getDouble("lat")), nearest(lon, rows.getDouble("lon"))});
            }
            NdArray values = group.array("temperature")
                    .isel("time", 1)
                    .points(points.toArray(long[][]::new))
                    .read(); // one read for all stations
            for (int i = 0; i < ids.size(); i++) {
                update.setDouble(1, values.doubleAt(i));
                update.setLong(2, ids.get(i));
                update.addBatch();
            }
            update.executeBatch();
        }
        // end
    }

    @Test
    void stations_getTheTemperatureOfTheirCell() throws SQLException {
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:");
                Statement statement = database.createStatement()) {
            statement.execute("CREATE TABLE station (id BIGINT, lat DOUBLE, lon DOUBLE, temperature DOUBLE)");
            statement.execute(
                    "INSERT INTO station VALUES (7, 51.3, 50.1, NULL), (8, 49, 60, NULL), (9, 50.5, 51, NULL)");
            join(database);
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SELECT id, temperature FROM station ORDER BY id")) {
                while (rows.next()) {
                    found.add(rows.getLong(1) + ": " + rows.getDouble(2));
                }
            }
            assertEquals(List.of("7: 1300.0", "8: 1003.0", "9: 1102.0"), found);
        }
    }
}
