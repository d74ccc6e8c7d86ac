package dev.shardkit.codec.zstd.encoder;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.zstd.decoder.ZstdFuzzTest;
import dev.shardkit.codec.zstd.frame.Trailer;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Frames for zstd itself to read (conformance-tests/tools/check_zstd.py); on demand. */
@EnabledIfSystemProperty(named = "shardkit.zstd.write", matches = ".+")
class ZstdEncoderPeerTest {
    private static final int[] LEVELS = {-100, -1, 1, 2, 3, 4, 5, 7, 9, 12};

    @Test
    void frames_areWrittenForThePeer() throws Exception {
        Path to = Path.of(System.getProperty("shardkit.zstd.write"));
        Random random = new Random(8);
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(to)))) {
            for (int level : LEVELS) {
                ZstdEncoder encoder = ZstdEncoder.ofLevel(level);
                for (ZstdSamples kind : ZstdSamples.values()) {
                    for (int size : new int[] {0, 1, 40, 300, 2_000, 65_536, 131_073, 300_000}) {
                        write(encoder, kind.make(size), out);
                    }
                }
                for (int i = 0; i < 200; i++) {
                    write(encoder, ZstdFuzzTest.content(random), out);
                }
                byte[] far = new byte[9 << 20];
                System.arraycopy(ZstdSamples.NOISE.make(1000), 0, far, 0, 1000);
                System.arraycopy(far, 0, far, far.length - 5_000, 1000);
                write(encoder, far, out);
            }
        }
        assertTrue(Files.size(to) > 1 << 20);
    }

    /** The frame's size, its content's size and hash, the frame. */
    private static void write(ZstdEncoder encoder, byte[] bytes, DataOutputStream out) throws Exception {
        Trailer trailer = bytes.length % 2 == 0 ? Trailer.CHECKSUM : Trailer.NOTHING;
        byte[] frame = ZstdEncoderTest.encode(encoder, bytes, trailer, (byte) 0);
        number(out, frame.length);
        number(out, bytes.length);
        out.write(MessageDigest.getInstance("SHA-256").digest(bytes));
        out.write(frame);
    }

    private static void number(DataOutputStream out, int value) throws IOException {
        out.writeInt(Integer.reverseBytes(value));
    }
}
