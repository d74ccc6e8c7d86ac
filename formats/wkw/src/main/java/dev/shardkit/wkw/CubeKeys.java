package dev.shardkit.wkw;

import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The chunk key encoding {@code wkw}, for the files of webknossos-wrap: cubes have names such as {@code z0/y1/x2.wkw}.
 * Arrays have the dimensions channel, x, y and z; for other arrays, the encoding returns names that webknossos-wrap
 * does not use. The name of the encoding is shardkit's own: {@link WkwFormat} puts it into the metadata. Stateless and
 * thread-safe.
 */
public final class CubeKeys implements ChunkKeyEncodingFactory {
    static final String NAME = "wkw";
    private static final int RANK = 4;

    /** Creates the factory; called by the service loader. */
    public CubeKeys() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public ChunkKeyEncoding create(Config config) {
        return new Encoding();
    }

    private record Encoding() implements ChunkKeyEncoding {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public String encode(long[] cell) {
            if (cell.length != RANK) {
                return "cube" + Arrays.stream(cell).mapToObj(i -> "/" + i).collect(Collectors.joining()) + ".wkw";
            }
            String name = "z" + cell[3] + "/y" + cell[2] + "/x" + cell[1];
            return cell[0] == 0 ? name + ".wkw" : name + ".channel" + cell[0] + ".wkw";
        }
    }
}
