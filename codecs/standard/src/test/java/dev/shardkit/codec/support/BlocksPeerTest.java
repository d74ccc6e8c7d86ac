package dev.shardkit.codec.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.snappy.SnappyDecoder;
import dev.shardkit.spi.error.CorruptDataException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Blocks that lz4 and snappy themselves judged (conformance-tests/tools/fuzz_blocks.py); on demand. */
@EnabledIfSystemProperty(named = "shardkit.blocks.cases", matches = ".+")
class BlocksPeerTest {
    /** The format forbids an offset of 0 in lz4; its decoder takes it for zeros. */
    private static final String STRICT = "an offset other than 0";

    private String said = "";
    private int stricter;
    private int both;
    private int neither;
    private int onlyWe;
    private int onlyPeer;

    @Test
    void whatBothAccept_isTheSame() throws Exception {
        Path cases = Path.of(System.getProperty("shardkit.blocks.cases"));
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(cases)))) {
            for (long left = Files.size(cases); left > 0; ) {
                Blocks.Kernel kernel = in.readByte() == 0 ? Lz4Decoder::decode : SnappyDecoder::decode;
                int room = Integer.reverseBytes(in.readInt());
                byte[] block = new byte[Integer.reverseBytes(in.readInt())];
                int size = Integer.reverseBytes(in.readInt());
                byte[] hash = in.readNBytes(32);
                in.readFully(block);
                left -= 45 + block.length;
                compare(kernel, block, room, size, hash);
            }
        }
        System.out.printf(
                "blocks: %d accepted by both, %d by neither, %d by us only, %d by the peer only, and %d with an"
                        + " offset of 0%n",
                both, neither, onlyWe, onlyPeer, stricter);
        assertTrue(both > 0 && neither > 0, "no blocks of a kind");
        assertEquals(0, onlyPeer, "blocks that the peer alone accepts");
    }

    private void compare(Blocks.Kernel kernel, byte[] block, int room, int size, byte[] hash) throws Exception {
        Optional<byte[]> decoded = decode(kernel, block, room);
        if (decoded.isPresent() && size >= 0) {
            String found = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(decoded.get()));
            assertEquals(
                    HexFormat.of().formatHex(hash), found, () -> HexFormat.of().formatHex(block));
            both++;
        } else if (size >= 0 && said.contains(STRICT)) {
            stricter++;
        } else if (size >= 0) {
            onlyPeer++;
            System.out.println("only the peer: " + HexFormat.of().formatHex(block, 0, Math.min(200, block.length)));
        } else if (decoded.isPresent()) {
            onlyWe++;
        } else {
            neither++;
        }
    }

    private Optional<byte[]> decode(Blocks.Kernel kernel, byte[] block, int room) {
        try {
            return Optional.of(Blocks.run(kernel, block, room));
        } catch (CorruptDataException e) {
            said = e.getMessage();
            return Optional.empty();
        }
    }
}
