package dev.shardkit.imglib2;

import net.imglib2.img.basictypeaccess.volatiles.VolatileArrayDataAccess;
import net.imglib2.img.cell.Cell;
import net.imglib2.img.cell.CellGrid;

/**
 * A cell (block of pixels) of an ImgLib2 image, either valid or a placeholder for pixels that have not been read yet.
 */
final class PixelCell extends Cell<VolatileArrayDataAccess<?>> {
    private static final long serialVersionUID = 1L;

    private PixelCell(CellGrid.CellDimensionsAndSteps dimensions, long[] min, VolatileArrayDataAccess<?> data) {
        super(dimensions, min, data);
    }

    /** Returns the cell at {@code index} of a grid. */
    static PixelCell of(CellGrid grid, long index, VolatileArrayDataAccess<?> data) {
        long[] min = new long[grid.numDimensions()];
        return new PixelCell(grid.getCellDimensions(index, min), min, data);
    }
}
