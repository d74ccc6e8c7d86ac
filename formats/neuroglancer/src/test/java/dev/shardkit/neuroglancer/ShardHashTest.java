package dev.shardkit.neuroglancer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hashes that cloud-volume computes; volumes of few chunks only have numbers below 2^32. */
class ShardHashTest {
    @ParameterizedTest
    @CsvSource({
        "0, 4772b084e028ae41",
        "1, e8bd67d616d4ce9a",
        "10000000005, 1f925064f88db852",
        "123456789abcdef0, 535693d33dd34552",
        "ffffffffffffffff, 574f66bd212b5d1a"
    })
    void murmur_isThatOfCloudVolume(String number, String hash) {
        assertEquals(hash, Long.toHexString(ShardHash.MURMUR.hash(Long.parseUnsignedLong(number, 16))));
    }
}
