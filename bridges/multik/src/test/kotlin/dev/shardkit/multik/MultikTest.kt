package dev.shardkit.multik

import dev.shardkit.NdArray
import dev.shardkit.spi.type.CoreTypes
import org.jetbrains.kotlinx.multik.api.mk
import org.jetbrains.kotlinx.multik.api.ndarray
import org.jetbrains.kotlinx.multik.ndarray.complex.ComplexDouble
import org.jetbrains.kotlinx.multik.ndarray.data.MultiArray
import org.jetbrains.kotlinx.multik.ndarray.data.get
import org.jetbrains.kotlinx.multik.ndarray.data.set
import org.jetbrains.kotlinx.multik.ndarray.data.slice
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

/** Elements become arrays of Multik and back: ranks, types, sharing, views, and what is refused. */
class MultikTest {
    private fun counted(vararg shape: Long): NdArray =
        NdArray.of(CoreTypes.INT32, shape, IntArray(shape.reduce(Long::times).toInt()) { it })

    @Test
    fun ranks_oneToSix() {
        assertEquals(4, counted(5).toMultik<Int>().asD1Array()[4])
        assertEquals(7, counted(3, 4).toMultik<Int>().asD2Array()[1, 3])
        assertEquals(23, counted(2, 3, 4).toMultik<Int>().asD3Array()[1, 2, 3])
        assertEquals(6, counted(2, 1, 3, 2).toMultik<Int>().asD4Array()[1, 0, 0, 0])
        val six = counted(1, 2, 1, 2, 3, 2).toMultik<Int>()
        assertEquals(23, six[intArrayOf(0, 1, 0, 1, 2, 1)])
        assertEquals(counted(1, 2, 1, 2, 3, 2), six.toNdArray())
        assertArrayEquals(intArrayOf(0, 3), counted(0, 3).toMultik<Int>().shape)
    }

    @Test
    fun types_areSharedOrConvertedExactly() {
        val shape = longArrayOf(2)
        assertArrayEquals(
            byteArrayOf(1, -2),
            NdArray.of(CoreTypes.INT8, shape, byteArrayOf(1, -2)).toMultik<Byte>().data.getByteArray(),
        )
        val shorts = NdArray.of(CoreTypes.INT16, shape, shortArrayOf(1, 2))
        shorts.toMultik<Short>().asD1Array()[1] = 9
        assertEquals(9, shorts.longAt(1))
        assertSame(shorts.array(), shorts.toMultik<Short>().toNdArray().array())
        val unsigned = NdArray.of(CoreTypes.UINT16, shape, shortArrayOf(-1, 2))
        assertEquals(65535, unsigned.toMultik<Int>().asD1Array()[0])
        assertEquals(65535f, unsigned.toMultik<Float>().asD1Array()[0])
        assertThrows(ArithmeticException::class.java) { unsigned.toMultik<Short>() }
        val longs = NdArray.of(CoreTypes.INT64, shape, longArrayOf(1, Long.MAX_VALUE))
        assertEquals(Long.MAX_VALUE, longs.toMultik<Long>().asD1Array()[1])
        assertThrows(ArithmeticException::class.java) { longs.toMultik<Double>() }
        val doubles = mk.ndarray(mk[1.0, 255.0])
        assertEquals(CoreTypes.FLOAT64, doubles.toNdArray().dataType())
        assertEquals(255, doubles.toNdArray(CoreTypes.UINT8).longAt(1))
        assertThrows(ArithmeticException::class.java) { mk.ndarray(mk[256.0]).toNdArray(CoreTypes.UINT8) }
    }

    @Test
    fun views_areCopiedInOrder() {
        val matrix = counted(3, 4).toMultik<Int>().asD2Array()
        assertEquals(counted(3, 4).transpose(1, 0), matrix.transpose().toNdArray())
        val part: MultiArray<Int, *> = matrix.slice<Int, _, org.jetbrains.kotlinx.multik.ndarray.data.D2>(1..2, 1)
        assertEquals(
            counted(3, 4).slice(dev.shardkit.spi.array.Box.of(longArrayOf(0, 1), longArrayOf(3, 2))),
            part.toNdArray(),
        )
    }

    @Test
    fun others_areRefused() {
        val scalar = NdArray.of(CoreTypes.INT32, longArrayOf(), intArrayOf(1))
        assertThrows(IllegalArgumentException::class.java) { scalar.toMultik<Int>() }
        val text = NdArray.of(CoreTypes.STRING, longArrayOf(1), arrayOf("a"))
        assertThrows(IllegalArgumentException::class.java) { text.toMultik<Int>() }
        assertThrows(IllegalArgumentException::class.java) { mk.ndarray(mk[ComplexDouble(1.0, 2.0)]).toNdArray() }
    }
}
