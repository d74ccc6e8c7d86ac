package dev.shardkit.cf;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A group whose arrays are read as variables of the CF conventions (Climate and Forecast): with shared dimensions,
 * coordinates and physical values. The group may be of any format that shardkit opens. Opening reads metadata only.
 *
 * <p>Thread-safe. Closing a dataset closes its group; its variables are not usable afterwards.
 */
public final class CfDataset implements AutoCloseable {
    private final ZarrGroup group;
    private final Map<String, CfVariable> variables;
    private final Map<String, CfDimension> dimensions;
    private final List<CfNote> notes;
    private final Map<List<String>, GridPoints> grids = new ConcurrentHashMap<>();

    private CfDataset(ZarrGroup group, CfOptions options) {
        this.group = group;
        Notes collected = new Notes();
        Structure structure = Structure.of(arrays(group, options, collected), group.attributes(), collected);
        this.dimensions = structure.dimensions();
        this.variables = new LinkedHashMap<>();
        structure
                .arrays()
                .forEach((name, array) ->
                        variables.put(name, new CfVariable(this, name, array, structure, options, collected)));
        this.notes = collected.list();
    }

    /** Opens the dataset at a location, such as a folder or {@code https://host/data.zarr}, with default options. */
    public static CfDataset open(String location) {
        return open(location, ZarrOptions.defaults(), CfOptions.defaults());
    }

    /** Opens the dataset at a location. */
    public static CfDataset open(String location, ZarrOptions options, CfOptions decoding) {
        ZarrGroup group = Zarr.openGroup(location, options);
        try {
            return of(group, decoding);
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    /** Returns a group as a dataset, with default options. */
    public static CfDataset of(ZarrGroup group) {
        return of(group, CfOptions.defaults());
    }

    /**
     * Returns a group as a dataset. Arrays that shardkit cannot open are left out, and a note says so.
     *
     * @throws UnsupportedException if the options name no variables, the group has no consolidated metadata and its
     *     store does not support listing
     */
    public static CfDataset of(ZarrGroup group, CfOptions options) {
        return new CfDataset(group, options);
    }

    /** Opens the arrays that the options name, or all arrays of the group. */
    private static Map<String, ZarrArray> arrays(ZarrGroup group, CfOptions options, Notes notes) {
        Map<String, ZarrArray> arrays = new LinkedHashMap<>();
        SortedSet<String> names =
                options.variables().<SortedSet<String>>map(TreeSet::new).orElseGet(group::childNames);
        for (String name : names) {
            try {
                Optional<ZarrNode> child = group.find(name);
                if (child.isPresent() && child.get() instanceof ZarrArray array) {
                    arrays.put(name, array);
                }
            } catch (MetadataException | UnsupportedException e) {
                notes.add(name, "is left out: " + e.getMessage());
            }
        }
        return arrays;
    }

    /** Returns the group. */
    public ZarrGroup group() {
        return group;
    }

    /** Returns the attributes of the group. */
    public Json.Obj attributes() {
        return group.attributes();
    }

    /** Returns the dimensions, in the order of the variables. */
    public List<CfDimension> dimensions() {
        return List.copyOf(dimensions.values());
    }

    /** Returns all variables, sorted by name. */
    public Collection<CfVariable> variables() {
        return List.copyOf(variables.values());
    }

    /** Returns the variables of a role, sorted by name. */
    public List<CfVariable> variables(CfRole role) {
        return variables.values().stream().filter(v -> v.role() == role).toList();
    }

    /** Returns a variable; empty if there is none of this name. */
    public Optional<CfVariable> find(String name) {
        return Optional.ofNullable(variables.get(name));
    }

    /**
     * Returns a variable.
     *
     * @throws NoSuchElementException if there is none of this name
     */
    public CfVariable variable(String name) {
        return find(name)
                .orElseThrow(() -> new NoSuchElementException(group.location() + ": expected one of the variables "
                        + shortened(variables.keySet()) + ", found " + name));
    }

    /** Returns at most 20 names, for messages. */
    static String shortened(Collection<String> names) {
        List<String> first = names.stream().limit(20).toList();
        return String.join(", ", first) + (names.size() > first.size() ? ", ..." : "");
    }

    /** Returns the coordinate variable of a dimension: its labels. */
    public Optional<CfVariable> coordinate(String dimension) {
        return find(dimension).filter(v -> v.role() == CfRole.COORDINATE);
    }

    /** Returns the grids that selections have used, by the names of their coordinates. */
    Map<List<String>, GridPoints> grids() {
        return grids;
    }

    /** Removes the grids of a coordinate, whose elements may have changed. */
    void removeGrids(String coordinate) {
        grids.keySet().removeIf(names -> names.contains(coordinate));
    }

    /** Returns notes on metadata that contradicts the conventions and is ignored, at most a thousand. */
    public List<CfNote> notes() {
        return notes;
    }

    @Override
    public void close() {
        group.close();
    }

    @Override
    public String toString() {
        return "CF dataset " + group.location() + ": " + new ArrayList<>(variables.keySet());
    }
}
