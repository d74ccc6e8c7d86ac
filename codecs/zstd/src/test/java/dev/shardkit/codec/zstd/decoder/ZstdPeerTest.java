package dev.shardkit.codec.zstd.decoder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Scratch;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Damaged frames that zstd itself judged (conformance-tests/tools/fuzz_zstd.py); on demand. */
@EnabledIfSystemProperty(named = "shardkit.zstd.cases", matches = ".+")
class ZstdPeerTest {
    private static final int MAX = 1 << 20;

    /**
     * The format wants literals to take all of their stream (RFC 8878, section 4.2.2); zstd's fast loop lets it pass.
     */
    private static final String STRICT = "expected a stream that ends with its last literal";

    private String said = "";
    private int stricter;
    private int both;
    private int neither;
    private int onlyPeer;
    private int onlyWe;

    @Test
    void whatBothAccept_isTheSame() throws Exception {
        Path cases = Path.of(System.getProperty("shardkit.zstd.cases"));
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(cases)));
                Scratch scratch = new Scratch()) {
            for (long left = Files.size(cases); left > 0; ) {
                byte[] frame = new byte[Integer.reverseBytes(in.readInt())];
                int size = Integer.reverseBytes(in.readInt());
                byte[] hash = in.readNBytes(32);
                in.readFully(frame);
                left -= 40 + frame.length;
                compare(frame, size, hash, scratch);
                scratch.reset(0);
            }
        }
        System.out.printf(
                "zstd: %d frames accepted by both, %d by neither, %d by us only; of those that zstd only accepts"
                        + " %d have a stream with bits left or missing, %d not%n",
                both, neither, onlyWe, stricter, onlyPeer);
        assertTrue(both > 0 && neither > 0, "no frames of a kind");
        assertEquals(0, onlyPeer, "frames that zstd alone accepts");
    }

    private void compare(byte[] frame, int size, byte[] hash, Scratch scratch) throws Exception {
        Optional<byte[]> decoded = decode(frame, scratch);
        if (decoded.isPresent() && size >= 0) {
            boolean same =
                    Arrays.equals(hash, MessageDigest.getInstance("SHA-256").digest(decoded.get()));
            assertTrue(same, () -> "another content: " + HexFormat.of().formatHex(frame));
            both++;
        } else if (size >= 0 && said.contains(STRICT)) {
            stricter++;
        } else if (size >= 0) {
            onlyPeer++;
            System.out.println(said);
        } else if (decoded.isPresent()) {
            onlyWe++;
        } else {
            neither++;
        }
    }

    private Optional<byte[]> decode(byte[] frame, Scratch scratch) {
        try {
            HeapBytes in = new HeapBytes(frame, 0, frame.length);
            return Optional.of(
                    ZstdDecoder.read(in, DecodedSize.atMost(MAX), scratch).toArray());
        } catch (CorruptDataException | UnsupportedException e) {
            said = e.getMessage();
            return Optional.empty();
        }
    }
}
