package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.store.Snapshot;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** What tells the stored objects of an array from those of any other moment: their keys and versions. Stateless. */
final class Fingerprint {
    private Fingerprint() {}

    static String of(ZarrArray array) {
        MessageDigest digest = sha256();
        StoreCalls calls = new StoreCalls(array);
        StoredCells cells = StoredCells.of(array);
        for (long i = 0; i < cells.count(); i++) {
            String key = Inside.of(array).key(cells.at(i));
            calls.run(store -> {
                Optional<Snapshot> found = store.open(key);
                if (found.isPresent()) {
                    try (Snapshot object = found.get()) {
                        digest.update((key + "\n" + object.version() + "\n").getBytes(StandardCharsets.UTF_8));
                    }
                }
            });
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
