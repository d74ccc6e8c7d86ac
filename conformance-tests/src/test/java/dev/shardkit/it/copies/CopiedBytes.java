package dev.shardkit.it.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the bytes that a copy takes from its source: the document of the source is changed after its chunks. */
abstract class CopiedBytes {
    static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path folder;

    /** Creates the source, in chunks of 16 * 16 elements. */
    final ZarrArray source(String type, long... shape) {
        ArraySpec spec = ArraySpec.of(type, shape).withChunkShape(16, 16).withCodecs(Codecs.zstd(1));
        ZarrArray array = Zarr.createArray(folder.resolve("from").toString(), spec);
        Random random = new Random(3);
        byte[] values = new byte[Math.toIntExact(array.domain().count())];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) (1 + random.nextInt(9));
        }
        array.write(array.domain(), NdArray.of(CoreTypes.INT8, shape, values).convert(array.dataType()));
        return array;
    }

    /** Changes the document of the source, as another program might. */
    final ZarrArray edited(String from, String to) throws IOException {
        Path document = folder.resolve("from/zarr.json");
        String text = Files.readString(document).replaceAll("\\s", "");
        assertEquals(true, text.contains(from), text);
        Files.writeString(document, text.replace(from, to));
        return Zarr.openArray(folder.resolve("from").toString());
    }

    final ZarrArray copied(Copy copy, ZarrArray from) throws IOException {
        Path at = folder.resolve("copy");
        try (Store target = Zarr.openStore(at.toString(), OPTIONS)) {
            copy.to(target, OPTIONS);
        }
        ZarrArray array = Zarr.openArray(at.toString());
        assertArrayEquals(Samples.bytes(from.read()), Samples.bytes(array.read()));
        assertEquals(0, Verification.of(array).run(finding -> {}).errors());
        return array;
    }

    /** Returns how many stored chunks of the source are in the objects of the copy, byte for byte. */
    final int moved() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String object : objects("copy")) {
            all.append(object);
        }
        int count = 0;
        for (String chunk : objects("from")) {
            count += all.indexOf(chunk) < 0 ? 0 : 1;
        }
        return count;
    }

    /** Returns the bytes of the chunks of an array, as characters. */
    final String[] objects(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(name).resolve("c"))) {
            return files.filter(Files::isRegularFile)
                    .map(path -> {
                        try {
                            return Files.readString(path, StandardCharsets.ISO_8859_1);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .toArray(String[]::new);
        }
    }
}
