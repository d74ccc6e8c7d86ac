/**
 * Files of the operating system: access rights, channels, directories, times and identity of a file, and the names that
 * the store reserves beside objects. Knows no keys, locks or patches.
 *
 * <p>Why the change time belongs to a file's version: only the system sets it, so it reveals changes that keep the size
 * and set the modification time back. Every change of a file's names, mode or owner sets it too; a run that has the
 * file open then reads it once more, and cached values of the file are dropped. So the store sets time and mode of a
 * new file before the file gets its name. Java shows no change time on Windows and in file systems in memory; there a
 * program that changes a file, keeps its size and sets its modification time back goes unnoticed.
 */
@NullMarked
package dev.shardkit.store.file.disk;

import org.jspecify.annotations.NullMarked;
