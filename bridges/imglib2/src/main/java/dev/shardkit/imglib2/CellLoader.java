package dev.shardkit.imglib2;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.NumberCast;
import java.util.concurrent.CompletableFuture;
import net.imglib2.img.basictypeaccess.volatiles.VolatileArrayDataAccess;
import net.imglib2.img.cell.CellGrid;

/** Reads parts of an array as cells, the blocks of an ImgLib2 image. Thread-safe. */
final class CellLoader {
    private final ZarrArray array;
    private final PixelType type;
    private final CellGrid grid;

    CellLoader(ZarrArray array, PixelType type, CellGrid grid) {
        this.array = array;
        this.type = type;
        this.grid = grid;
    }

    PixelType type() {
        return type;
    }

    /** Reads a cell on the calling thread. */
    PixelCell load(long index) {
        return cell(index, convert(array.read(box(index))));
    }

    /** Reads a cell on other threads. */
    CompletableFuture<PixelCell> start(long index) {
        return array.readAsync(box(index)).thenApply(values -> cell(index, convert(values)));
    }

    /** Converts elements to the pixel type, if the array has another data type. */
    private NdArray convert(NdArray values) {
        return type.dataType().equals(array.dataType()) ? values : values.convert(type.dataType(), NumberCast.EXACT);
    }

    private PixelCell cell(long index, NdArray values) {
        return PixelCell.of(grid, index, CellData.of(values.array(), true));
    }

    /** Returns a cell with invalid data. */
    PixelCell placeholder(long index, VolatileArrayDataAccess<?> data) {
        return PixelCell.of(grid, index, data);
    }

    /** Returns the box of the array that a cell covers. */
    private Box box(long index) {
        long[] min = new long[grid.numDimensions()];
        int[] size = new int[grid.numDimensions()];
        grid.getCellDimensions(index, min, size);
        return Axes.box(min, size);
    }
}
