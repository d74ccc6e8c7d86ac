package dev.shardkit.kotlin

import dev.shardkit.IfExists
import dev.shardkit.Zarr
import dev.shardkit.ZarrOptions
import dev.shardkit.spi.error.UnsupportedException
import dev.shardkit.spi.json.Json
import dev.shardkit.store.memory.MemoryStore
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.File

internal data class Slide(val isDark: Boolean, val number: Int)

/** A program that forgot the artifact of Kotlin: it maps attributes in all ways, and prints the errors. */
internal object Forgetful {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val slide = Slide(true, 7)
        val members = mapOf("isDark" to true, "number" to 7)
        val attributes = Json.of(members + ("slide" to members))
        val group = Zarr.createGroup(MemoryStore.create(), "", attributes, IfExists.REFUSE, ZarrOptions.defaults())
        for (call in
            listOf<() -> Any>(
                { group.attributes(Slide::class.java) },
                { group.attributes(JavaHolder::class.java) },
                { group.replaceAttributes(slide) },
                { group.replaceAttributes(JavaHolder(slide)) },
                { group.replaceAttributes(mapOf("slides" to listOf(slide))) },
            )) {
            try {
                println("mapped ${call()}")
            } catch (e: UnsupportedException) {
                println(e.message)
            }
        }
    }
}

/** Classes of Kotlin that are mapped without this module are refused with its name; nothing is mapped wrongly. */
class WithoutThisModuleSpec :
    StringSpec({
        fun run(without: Regex): List<String> {
            val path =
                System.getProperty("java.class.path").split(File.pathSeparatorChar).filter {
                    !without.containsMatchIn(it.replace(File.separatorChar, '/'))
                }
            val process =
                ProcessBuilder(
                        "${System.getProperty("java.home")}/bin/java",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        path.joinToString(File.pathSeparator),
                        Forgetful::class.java.name,
                    )
                    .redirectErrorStream(true)
                    .start()
            val output = process.inputStream.bufferedReader().readText()
            withClue(output) { process.waitFor() shouldBe 0 }
            return output.trim().lines()
        }

        val thisModule = "/api/kotlin/target/classes|/shardkit-kotlin-[^/]*jar|/jackson-module-kotlin-"

        "with Jackson's databind" {
            val errors = run(Regex(thisModule))
            errors shouldHaveSize 5
            errors.forEach {
                it shouldContain
                    "to or from ${Slide::class.java.name}, a Kotlin class, because shardkit-kotlin is absent; " +
                        "add the artifact dev.shardkit:shardkit-kotlin"
            }
        }

        "without databind" {
            val errors = run(Regex("$thisModule|/jackson-databind-"))
            errors shouldHaveSize 5
            for (error in errors) {
                error shouldContain
                    if (JavaHolder::class.java.name in error) "com.fasterxml.jackson.core:jackson-databind"
                    else "dev.shardkit:shardkit-kotlin"
            }
        }

        "with all" {
            run(Regex("/no such entry/")).filter { it.startsWith("mapped") } shouldHaveSize 5
        }
    })
